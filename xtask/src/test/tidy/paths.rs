//! Names of files: a file is named after what it holds, never after the author's not knowing.

use super::tree::Tree;

const EMPTY_NAMES: [&str; 9] =
    ["util", "utils", "helper", "helpers", "manager", "misc", "common", "types", "stuff"];

/// No file or folder of code has a name that says nothing, alone or as an ending (`lease_manager`).
pub(super) fn names(tree: &Tree) -> Vec<String> {
    let vague = tree.of(".rs").filter_map(|file| vague_part(&file.path).map(|part| (file, part)));
    vague.map(|(file, part)| format!("{}: {part:?} says nothing; name what it holds", file.path)).collect()
}

fn vague_part(path: &str) -> Option<&str> {
    path.trim_end_matches(".rs").split('/').find(|part| {
        let last = part.rsplit(['_', '-']).next().unwrap_or(part);
        EMPTY_NAMES.contains(&last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vague_names_are_found_anywhere_in_a_path() {
        assert_eq!(vague_part("src/lease_manager.rs"), Some("lease_manager"));
        assert_eq!(vague_part("src/utils/clock.rs"), Some("utils"));
        assert_eq!(vague_part("src/common.rs"), Some("common"));
    }

    #[test]
    fn plain_words_pass() {
        assert_eq!(vague_part("src/lease/keeper.rs"), None);
        assert_eq!(vague_part("src/commonplace.rs"), None);
    }
}
