//! Pages tell the truth: the commands that they name exist, and the list of flaws is whole.

use super::tree::{File, Tree};
use crate::cli::verbs;

/// Every `cargo xtask verb` and every `--example name` of a page exists.
pub(super) fn commands(tree: &Tree) -> Vec<String> {
    let verbs = verbs();
    let examples = examples(tree);
    let mut found = Vec::new();
    for page in tree.of(".md") {
        found.extend(unknown(page, "cargo xtask ", &verbs));
        found.extend(unknown(page, "--example ", &examples));
    }
    found
}

fn unknown(page: &File, opening: &str, known: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in page.lines() {
        for rest in line.split(opening).skip(1) {
            let word = rest.split(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c))).next();
            let word = word.unwrap_or_default();
            if !word.is_empty() && !known.iter().any(|name| name == word) {
                found.push(format!("{}:{number}: there is no `{opening}{word}`", page.path));
            }
        }
    }
    found
}

fn examples(tree: &Tree) -> Vec<String> {
    let paths = tree.of(".rs").filter_map(|file| file.path.split_once("/examples/"));
    paths.filter_map(|(_, rest)| rest.split(['/', '.']).next()).map(str::to_owned).collect()
}

const LIST: &str = "docs/mutants.md";
const SOURCE: &str = "crates/tenure-core/src/flaw.rs";

/// Every seeded flaw of the source is on the page that says who notices it, and the other way round.
pub(super) fn flaws(tree: &Tree) -> Vec<String> {
    let (Some(source), Some(list)) = (tree.file(SOURCE), tree.file(LIST)) else {
        return vec![format!("{SOURCE} or {LIST} is missing")];
    };
    let seeded: Vec<&str> = source.lines().filter_map(|(_, line)| seeded_code(line)).collect();
    let listed: Vec<&str> = list.lines().filter_map(|(_, line)| listed_code(line)).collect();
    let unlisted = seeded.iter().filter(|code| !listed.contains(code));
    let unseeded = listed.iter().filter(|code| !seeded.contains(code));
    let unlisted = unlisted.map(|code| format!("{LIST}: the flaw {code} is not listed"));
    unlisted.chain(unseeded.map(|code| format!("{LIST}: there is no flaw {code}"))).collect()
}

/// The code in a line such as `ValidFromReply "M01" "the lease counts …",`.
fn seeded_code(line: &str) -> Option<&str> {
    let mut parts = line.trim().strip_suffix("\",")?.split('"');
    let name = parts.next()?.trim();
    let code = parts.next()?;
    (name.chars().all(char::is_alphanumeric) && !name.is_empty()).then_some(code)
}

/// The code in a line such as `` | `M01` | … ``.
fn listed_code(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split_once('`').map(|(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_that_does_not_exist_is_found() {
        let tree = Tree::with(&[("a.md", "run `cargo xtask test`, then `cargo xtask dance`\n")]);
        assert_eq!(commands(&tree), ["a.md:1: there is no `cargo xtask dance`"]);
    }

    #[test]
    fn an_example_that_does_not_exist_is_found() {
        let page = ("a.md", "cargo run --example there\ncargo run -p x --example nowhere\n");
        let tree = Tree::with(&[page, ("crates/x/examples/there.rs", "")]);
        assert_eq!(commands(&tree), ["a.md:2: there is no `--example nowhere`"]);
    }

    #[test]
    fn source_and_list_of_flaws_must_agree() {
        let source = (SOURCE, "    Early \"M01\" \"it is early\",\n    Late \"M02\" \"it is late\",\n");
        let tree = Tree::with(&[source, (LIST, "| code |\n| `M01` | I4 |\n| `M09` | I1 |\n")]);
        assert_eq!(
            flaws(&tree),
            [format!("{LIST}: the flaw M02 is not listed"), format!("{LIST}: there is no flaw M09")]
        );
    }
}
