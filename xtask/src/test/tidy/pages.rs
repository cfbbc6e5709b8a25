//! Pages tell the truth: the commands that they name exist, and the list of flaws is whole.

use std::collections::BTreeSet;

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

const README: &str = "README.md";
const GUIDE: &str = "docs/guide/";

/// README leads to every page of the guide.
pub(super) fn guide(tree: &Tree) -> Vec<String> {
    let Some(readme) = tree.file(README) else { return vec![format!("{README} is missing")] };
    let pages = tree.of(".md").filter(|page| page.path.starts_with(GUIDE));
    let unnamed = pages.filter(|page| !readme.text.contains(&format!("]({})", page.path)));
    unnamed.map(|page| format!("{README}: does not lead to {}", page.path)).collect()
}

const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// Every source file that ARCHITECTURE names is there, in whichever folder.
pub(super) fn sources(tree: &Tree) -> Vec<String> {
    let Some(page) = tree.file(ARCHITECTURE) else { return vec![format!("{ARCHITECTURE} is missing")] };
    let mut found = Vec::new();
    for (number, line) in page.lines() {
        for name in line.split('`').skip(1).step_by(2).filter(|name| is_source(name)) {
            let ending = format!("/{name}");
            if !tree.files.iter().any(|file| file.is(&ending)) {
                found.push(format!("{ARCHITECTURE}:{number}: there is no {name}"));
            }
        }
    }
    found
}

fn is_source(name: &str) -> bool {
    [".rs", ".js", ".html"].iter().any(|ending| name.ends_with(ending)) && !name.contains(' ')
}

const LIST: &str = "docs/mutants.md";
const SOURCES: [&str; 3] = [
    "crates/tenure-core/src/flawed/flaw.rs",
    "crates/tenure-core/src/journal/flawed.rs",
    "crates/tenure-sim/src/",
];

/// Every seeded flaw is on the page that says who notices it, and the other way round.
pub(super) fn flaws(tree: &Tree) -> Vec<String> {
    let Some(list) = tree.file(LIST) else { return vec![format!("{LIST} is missing")] };
    let sources = tree.of(".rs").filter(|file| SOURCES.iter().any(|path| file.path.starts_with(path)));
    let seeded: BTreeSet<&str> = sources.flat_map(|file| seeded_codes(&file.text)).collect();
    let listed: BTreeSet<&str> = list.lines().filter_map(|(_, line)| listed_code(line)).collect();
    let unlisted = seeded.difference(&listed).map(|code| format!("{LIST}: the flaw {code} is not listed"));
    unlisted
        .chain(listed.difference(&seeded).map(|code| format!("{LIST}: there is no flaw {code}")))
        .collect()
}

/// The texts in quotes that are codes of flaws.
fn seeded_codes(source: &str) -> impl Iterator<Item = &str> {
    source.split('"').skip(1).filter(|text| is_code(text))
}

/// `H`, `J`, `M`, `N`, `S` or `X`, a number, perhaps a small letter: `M01`, `M15b`, `X1`.
fn is_code(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['H', 'J', 'M', 'N', 'R', 'S', 'X']) else { return false };
    let number = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (1..=2).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
        && rest.len() - number.len() <= 1
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
    fn a_page_of_the_guide_that_the_readme_does_not_lead_to_is_found() {
        let readme = (README, "[runs](docs/guide/run.md), see docs/guide/cli.md\n");
        let tree = Tree::with(&[readme, ("docs/guide/cli.md", ""), ("docs/guide/run.md", "")]);
        assert_eq!(guide(&tree), ["README.md: does not lead to docs/guide/cli.md"]);
    }

    #[test]
    fn a_file_that_the_architecture_names_and_nobody_has_is_found() {
        let page =
            (ARCHITECTURE, "`lease/keeper.rs` in `tenure-core`\n`seats.rs`, `eats.rs` and `views/map.js`\n");
        let there = [("core/src/lease/keeper.rs", ""), ("core/src/seats.rs", "")];
        let tree = Tree::with(&[page, there[0], there[1]]);
        assert_eq!(
            sources(&tree),
            [
                format!("{ARCHITECTURE}:2: there is no eats.rs"),
                format!("{ARCHITECTURE}:2: there is no views/map.js")
            ]
        );
    }

    #[test]
    fn source_and_list_of_flaws_must_agree() {
        let core = (SOURCES[0], "    Early \"M01\" \"it is early\",\n    Late \"M02\" \"it is late\",\n");
        let world = ("crates/tenure-sim/src/world.rs", "    Self::Twice => \"X1\",\n");
        let tree =
            Tree::with(&[core, world, (LIST, "| code |\n| `M01` | I4 |\n| `M09` | I1 |\n| `X1` | I1 |\n")]);
        assert_eq!(
            flaws(&tree),
            [format!("{LIST}: the flaw M02 is not listed"), format!("{LIST}: there is no flaw M09")]
        );
    }

    #[test]
    fn codes_are_told_from_other_words() {
        assert!(["M01", "M15b", "N3", "S2", "X1"].into_iter().all(is_code));
        assert!(!["M", "I1", "M123", "M1bc", "Mb", "X1 "].into_iter().any(is_code));
    }
}
