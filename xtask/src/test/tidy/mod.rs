//! Style as a test: every rule that a reviewer would repeat, checked over all files of the tree.
//!
//! A rule is a function from the tree to its findings. A finding names the file, the line and what to do.

mod code;
mod licences;
mod links;
mod pages;
mod paths;
mod tree;
mod words;

use std::path::Path;

use tree::Tree;

/// Checks every rule; prints each finding.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let tree = Tree::read(root)?;
    let rules = [
        code::length,
        code::header,
        paths::names,
        words::unfinished,
        words::machine_paths,
        words::line_ends,
        links::targets,
        pages::commands,
        pages::guide,
        pages::flaws,
        pages::sources,
        licences::texts,
        licences::manifests,
    ];
    let findings: Vec<String> = rules.iter().flat_map(|rule| rule(&tree)).collect();
    findings.iter().for_each(|finding| println!("{finding}"));
    println!("{} rules over {} files", rules.len(), tree.files.len());
    if findings.is_empty() { Ok(()) } else { Err(format!("{} findings", findings.len())) }
}
