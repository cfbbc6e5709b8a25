//! How a source file looks: short, and with a header that says what problem it solves.

use super::tree::Tree;

const LINES_MAX: usize = 500;

/// A file of more lines has a second noun in it: find it, and give it a file.
pub(super) fn length(tree: &Tree) -> Vec<String> {
    let long =
        tree.of(".rs").map(|file| (file, file.lines().count())).filter(|(_, lines)| *lines > LINES_MAX);
    long.map(|(file, lines)| format!("{}: {lines} lines; split it, at most {LINES_MAX}", file.path)).collect()
}

/// A file begins by saying what it is for.
pub(super) fn header(tree: &Tree) -> Vec<String> {
    let bare = tree.of(".rs").filter(|file| !file.text.starts_with("//! "));
    bare.map(|file| format!("{}:1: begin with a `//!` header that says what it solves", file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_found() {
        let long = "x\n".repeat(LINES_MAX + 1);
        let tree = Tree::with(&[("a.rs", &long), ("b.rs", &long[2..]), ("c.md", &long)]);
        assert_eq!(length(&tree), ["a.rs: 501 lines; split it, at most 500"]);
    }

    #[test]
    fn a_file_without_a_header_is_found() {
        let tree = Tree::with(&[("a.rs", "//! Solves it.\n"), ("b.rs", "// Solves it.\n"), ("c.rs", "")]);
        let found = header(&tree);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("b.rs:1:"));
    }
}
