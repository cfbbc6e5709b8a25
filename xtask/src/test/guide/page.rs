//! The pages: README and every page of the guide.

use std::fs;
use std::path::Path;

use super::item::{Item, items};

const README: &str = "README.md";
const GUIDE: &str = "docs/guide";

#[derive(Debug)]
pub(super) struct Page {
    /// From the root of the tree.
    pub(super) path: String,
    pub(super) text: String,
    pub(super) items: Vec<Item>,
}

impl Page {
    pub(super) fn all(root: &Path) -> Result<Vec<Self>, String> {
        let folder = root.join(GUIDE);
        let say = |error| format!("can't list {}: {error}", folder.display());
        let mut paths = vec![README.to_owned()];
        for entry in fs::read_dir(&folder).map_err(say)? {
            let name = entry.map_err(say)?.file_name().to_string_lossy().into_owned();
            paths.extend(name.ends_with(".md").then(|| format!("{GUIDE}/{name}")));
        }
        paths.sort();
        paths.into_iter().map(|path| Self::read(root, path)).collect()
    }

    fn read(root: &Path, path: String) -> Result<Self, String> {
        let text =
            fs::read_to_string(root.join(&path)).map_err(|error| format!("can't read {path}: {error}"))?;
        let items = items(&text).map_err(|error| format!("{path}:{error}"))?;
        Ok(Self { path, text, items })
    }
}
