//! Licences: both texts are there, and every package says that it is under them and under the workspace's lints.

use super::tree::Tree;

const TEXTS: [(&str, &str); 2] = [
    ("LICENSE-APACHE", "Apache License\n                           Version 2.0, January 2004"),
    ("LICENSE-MIT", "Permission is hereby granted, free of charge"),
];

/// Both licence texts are in the root.
pub(super) fn texts(tree: &Tree) -> Vec<String> {
    let holds = |path: &str, phrase: &str| tree.file(path).is_some_and(|file| file.text.contains(phrase));
    let absent = TEXTS.iter().filter(|(path, phrase)| !holds(path, phrase));
    absent.map(|(path, _)| format!("{path}: the text of the licence is not there")).collect()
}

/// Every package is under the workspace's licence and lints.
pub(super) fn manifests(tree: &Tree) -> Vec<String> {
    let packages = tree.of("Cargo.toml").filter(|file| file.text.contains("[package]"));
    let mut found = Vec::new();
    for package in packages {
        for (line, say) in [("license.workspace = true", "licence"), ("[lints]\nworkspace = true", "lints")] {
            if !package.text.contains(line) {
                found.push(format!("{}: is not under the workspace's {say}", package.path));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_licence_is_found() {
        let tree = Tree::with(&[("LICENSE-MIT", "Permission is hereby granted, free of charge, to\n")]);
        assert_eq!(texts(&tree), ["LICENSE-APACHE: the text of the licence is not there"]);
    }

    #[test]
    fn a_package_outside_of_the_workspaces_rules_is_found() {
        let bare = ("x/Cargo.toml", "[package]\nlicense.workspace = true\n");
        let tree = Tree::with(&[bare, ("Cargo.toml", "[workspace]\n")]);
        assert_eq!(manifests(&tree), ["x/Cargo.toml: is not under the workspace's lints"]);
    }
}
