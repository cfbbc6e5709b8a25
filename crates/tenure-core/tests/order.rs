//! The modules of the core stand in an order: each knows only those before it.

use std::fs;
use std::path::{Path, PathBuf};

/// From what knows nothing of the others to what composes them.
const ORDER: [&str; 20] = [
    "text", "ids", "moment", "schedule", "entropy", "flaw", "guard", "record", "plan", "config", "message",
    "ledger", "roster", "lease", "shard", "survey", "operator", "recovery", "warden", "member",
];

/// Only tests use it, and it may use all of them.
const FUZZ: &str = "fuzz";

fn place(module: &str) -> usize {
    ORDER
        .iter()
        .position(|name| *name == module)
        .unwrap_or_else(|| panic!("{module} has no place in the order"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The modules that a text names.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("crate::").skip(1);
    after.map(|rest| rest.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap_or_default())
}

fn module_of(file: &Path, root: &Path) -> String {
    let inside = file.strip_prefix(root).expect("a file of the crate");
    let first = inside.iter().next().and_then(|name| name.to_str()).expect("a name");
    first.trim_end_matches(".rs").trim_end_matches("_tests").to_owned()
}

#[test]
fn no_module_knows_one_that_stands_after_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut back = Vec::new();
    for file in files {
        let module = module_of(&file, &root);
        if module == "lib" || module == FUZZ {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let after = named(&text).filter(|other| *other != FUZZ && place(other) > place(&module));
        back.extend(
            after.map(|other| format!("{} names {other}", file.strip_prefix(&root).unwrap().display())),
        );
    }
    assert_eq!(back, [""; 0]);
}
