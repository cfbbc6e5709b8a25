//! Links between pages: what a page points to is there, down to the heading.

use super::tree::{File, Tree};

/// Every relative link of a page leads to a file of the tree, and every `#heading` to a heading.
pub(super) fn targets(tree: &Tree) -> Vec<String> {
    tree.of(".md").flat_map(|page| broken(tree, page)).collect()
}

fn broken(tree: &Tree, page: &File) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in prose(page) {
        for target in links(line).filter(|target| is_local(target)) {
            if let Some(problem) = problem(tree, page, target) {
                found.push(format!("{}:{number}: {problem}", page.path));
            }
        }
    }
    found
}

/// Lines outside of code blocks.
fn prose(page: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    page.lines().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The targets of `[text](target)` in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

fn is_local(target: &str) -> bool {
    !target.contains("://") && !target.starts_with("mailto:")
}

fn problem(tree: &Tree, page: &File, target: &str) -> Option<String> {
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let Some(path) = resolve(page, path) else { return Some(format!("{target} leads out of the tree")) };
    if !tree.has(&path) {
        return Some(format!("{target} is not there"));
    }
    let lost = !heading.is_empty() && tree.file(&path).is_some_and(|file| !has_heading(file, heading));
    lost.then(|| format!("{path} has no heading #{heading}"))
}

/// The path from the root that `path` means in `page`; `None` above the root.
fn resolve(page: &File, path: &str) -> Option<String> {
    if path.is_empty() {
        return Some(page.path.clone());
    }
    let mut parts: Vec<&str> = page.folder().split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            parts.pop()?;
        } else {
            parts.push(part);
        }
    }
    Some(parts.join("/"))
}

fn has_heading(file: &File, anchor: &str) -> bool {
    prose(file).filter(|(_, line)| line.starts_with('#')).any(|(_, line)| slug(line) == anchor)
}

/// A heading as web pages spell it: small letters, hyphens for spaces, no marks.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        targets(&Tree::with(&[("docs/a.md", text), ("docs/b.md", "# The way: of one\n"), ("README.md", "")]))
    }

    #[test]
    fn links_to_what_is_there_pass() {
        let text = "[b](b.md) [up](../README.md) [w](b.md#the-way-of-one) [net](https://example.org/x) [d](../docs)\n";
        assert_eq!(found(text), Vec::<String>::new());
    }

    #[test]
    fn a_link_to_nothing_is_found() {
        assert_eq!(found("\n[c](c.md)\n"), ["docs/a.md:2: c.md is not there"]);
        assert_eq!(found("[c](../../c.md)\n"), ["docs/a.md:1: ../../c.md leads out of the tree"]);
    }

    #[test]
    fn a_link_to_a_lost_heading_is_found() {
        assert_eq!(found("[c](b.md#elsewhere)\n"), ["docs/a.md:1: docs/b.md has no heading #elsewhere"]);
    }

    #[test]
    fn code_blocks_hold_no_links() {
        assert_eq!(found("```\na[0](c.md)\n```\n"), Vec::<String>::new());
    }
}
