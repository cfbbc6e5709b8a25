//! `up` stands alone: it may use what other commands use, and nothing needs it.

use std::fs;
use std::path::{Path, PathBuf};

/// Where commands are listed, and where a process finds out that it was started as a member of `up`.
const LISTS: [&str; 2] = ["command/mod.rs", "program.rs"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_but_the_list_of_commands_names_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.retain(|file| !file.starts_with(root.join("command/up")));
    files.retain(|file| fs::read_to_string(file).unwrap().contains("up::"));
    let inside: Vec<_> = files.iter().map(|file| file.strip_prefix(&root).unwrap().to_owned()).collect();
    assert!(inside.iter().all(|file| LISTS.iter().any(|list| file == Path::new(list))), "{inside:?}");
}
