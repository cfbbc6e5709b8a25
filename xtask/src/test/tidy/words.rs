//! Words that must not be in the tree: unfinished work, switched-off tests, paths of one machine.

use super::tree::{File, Tree};

/// Written in two parts, so that this very file holds none of them.
const UNFINISHED: [&str; 7] = [
    concat!("to", "do!("),
    concat!("un", "implemented!("),
    concat!("FIX", "ME"),
    concat!("TO", "DO"),
    concat!("XX", "X:"),
    concat!("#[", "ignore"),
    concat!("db", "g!("),
];

const MACHINE_ROOTS: [&str; 4] =
    [concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];

/// Nothing is left for later, and no test is switched off.
pub(super) fn unfinished(tree: &Tree) -> Vec<String> {
    let code = tree.files.iter().filter(|file| file.is(".rs") || file.is(".toml") || file.is(".md"));
    code.flat_map(|file| {
        find(file, |line| UNFINISHED.into_iter().find(|word| line.contains(word)), "finish it")
    })
    .collect()
}

/// No absolute path of somebody's machine.
pub(super) fn machine_paths(tree: &Tree) -> Vec<String> {
    let look = |line: &str| MACHINE_ROOTS.into_iter().find(|root| begins_path(line, root));
    tree.files.iter().flat_map(|file| find(file, look, "is a path of one machine")).collect()
}

/// Lines end with a character, and files with a line.
pub(super) fn line_ends(tree: &Tree) -> Vec<String> {
    let written = tree.files.iter().filter(|file| file.is(".rs") || file.is(".md") || file.is(".toml"));
    written
        .flat_map(|file| {
            let blank =
                find(file, |line| line.ends_with([' ', '\t']).then_some("space"), "at the end of a line");
            let cut = (!file.text.ends_with('\n')).then(|| format!("{}: ends without a line end", file.path));
            blank.into_iter().chain(cut)
        })
        .collect()
}

fn find(file: &File, look: impl Fn(&str) -> Option<&'static str>, say: &str) -> Vec<String> {
    let hits = file.lines().filter_map(|(number, line)| look(line).map(|word| (number, word)));
    hits.map(|(number, word)| format!("{}:{number}: {word} {say}", file.path)).collect()
}

/// Whether `root` stands in `line` as the beginning of a path, not in the middle of one.
fn begins_path(line: &str, root: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || "._-*>}".contains(c);
    line.match_indices(root).any(|(at, _)| !line[..at].ends_with(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_work_is_found_with_its_line() {
        let text = format!("//! Fine.\nfn f() {{ {}) }}\n", UNFINISHED[0]);
        let found = unfinished(&Tree::with(&[("a.rs", &text)]));
        assert_eq!(found, [format!("a.rs:2: {} finish it", UNFINISHED[0])]);
    }

    #[test]
    fn a_path_of_one_machine_is_found() {
        let text = format!("open \"{}me/x\"\n", MACHINE_ROOTS[0]);
        assert_eq!(machine_paths(&Tree::with(&[("a.md", &text)])).len(), 1);
    }

    #[test]
    fn the_middle_of_a_path_is_no_machine_path() {
        let text = format!("see crates/tenure/src{}one.rs\n", MACHINE_ROOTS[1]);
        assert!(machine_paths(&Tree::with(&[("a.md", &text)])).is_empty());
    }

    #[test]
    fn loose_line_ends_are_found() {
        let found = line_ends(&Tree::with(&[("a.rs", "one \ntwo"), ("b.rs", "one\n")]));
        assert_eq!(found, ["a.rs:1: space at the end of a line", "a.rs: ends without a line end"]);
    }
}
