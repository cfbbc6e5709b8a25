//! The modules of the core stand in an order: each knows only those before it.

use std::fs;
use std::path::{Path, PathBuf};

/// From what knows nothing of the others to what composes them.
const ORDER: [&str; 22] = [
    "text", "ids", "moment", "schedule", "entropy", "guard", "record", "journal", "plan", "message", "rules",
    "flawed", "config", "ledger", "roster", "lease", "shard", "survey", "operator", "recovery", "warden",
    "member",
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

/// The modules that a text names. What the crate itself names is [`tenure_core::Rules`], of `rules` or of `flawed`.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("crate::").skip(1);
    let module = |rest: &'_ str| rest.find(|c: char| !c.is_ascii_lowercase() && c != '_');
    after
        .map(move |rest| if rest.starts_with("Rules") { "rules" } else { &rest[..module(rest).unwrap_or(0)] })
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

fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let text = |file: PathBuf| {
        let name = file.strip_prefix(&root).expect("a file of the crate").display().to_string();
        (name, fs::read_to_string(file).expect("a text"))
    };
    files.into_iter().map(text).collect()
}

/// Where shipped and flawed rules are chosen from: the machines', and those of the journal.
const CHOICES: [&str; 2] = ["lib.rs", "journal/mod.rs"];

/// Outside of `flawed`, rules have no trace of how they can be broken.
#[test]
fn no_shipped_file_knows_of_flaws() {
    let knows = |text: &str| ["flaw", "seeded"].iter().any(|word| text.to_lowercase().contains(word));
    let is_flawed = |name: &str| name.split(['/', '.']).any(|part| part == "flawed");
    let shipped =
        texts().into_iter().filter(|(name, _)| !CHOICES.contains(&name.as_str()) && !is_flawed(name));
    let found: Vec<String> = shipped.filter(|(_, text)| knows(text)).map(|(name, _)| name).collect();
    assert_eq!(found, [""; 0]);
}

/// A flaw that breaks nothing would survive by design, whatever docs/mutants.md says of it.
#[test]
fn every_flaw_breaks_a_rule() {
    let (list, rules): (Vec<_>, Vec<_>) = texts()
        .into_iter()
        .filter(|(name, _)| name.starts_with("flawed/"))
        .partition(|(name, _)| name == "flawed/flaw.rs");
    let entries = list[0].1.lines().filter(|line| line.starts_with("    ") && line.ends_with("\","));
    let names: Vec<&str> = entries.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 70, "{names:?}");
    let broken: String = rules.into_iter().map(|(_, text)| text).collect();
    let is_idle = |name: &&str| !broken.split(|c: char| !c.is_alphanumeric()).any(|word| word == *name);
    let idle: Vec<&str> = names.into_iter().filter(is_idle).collect();
    assert_eq!(idle, [""; 0]);
}

/// Each rule stands in both trees, so that the one can take the other's place.
#[test]
fn each_rule_can_be_swapped() {
    let signatures = |folder: &str| {
        let files = texts().into_iter().filter(|(name, _)| name.starts_with(folder));
        let mut found: Vec<String> = files.flat_map(|(_, text)| rules_of(&text)).collect();
        found.sort();
        found
    };
    assert_eq!(signatures("rules/"), signatures("flawed/"));
}

fn rules_of(text: &str) -> Vec<String> {
    let after = text.split("    pub(crate) fn ").skip(1);
    after.map(|rest| rest.split('(').next().unwrap_or_default().to_owned()).collect()
}
