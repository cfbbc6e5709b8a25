//! The files of the tree, as text.

use std::fs;
use std::path::Path;

/// What holds nothing that a person wrote.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

/// One text file; its path is relative to the root, with `/` between the parts.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn is(&self, ending: &str) -> bool {
        self.path.ends_with(ending)
    }

    /// The folder that the file lies in; empty for the root.
    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Lines with their numbers, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// All text files of the tree, in the order of their paths.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

impl Tree {
    /// Reads every file under `root`; those that are not text are left out.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut tree = Self::default();
        tree.walk(root, "")?;
        tree.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    pub(super) fn of(&self, ending: &'static str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| file.is(ending))
    }

    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether `path` is a file of the tree, or a folder with files in it.
    pub(super) fn has(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        path.is_empty() || self.files.iter().any(|file| file.path == path || file.path.starts_with(&folder))
    }

    fn walk(&mut self, root: &Path, under: &str) -> Result<(), String> {
        let say = |error| format!("can't read {}: {error}", root.join(under).display());
        for entry in fs::read_dir(root.join(under)).map_err(say)? {
            let entry = entry.map_err(say)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if under.is_empty() { name.clone() } else { format!("{under}/{name}") };
            let kind = entry.file_type().map_err(say)?;
            if LEFT_OUT.contains(&name.as_str()) {
                continue;
            }
            if kind.is_dir() {
                self.walk(root, &path)?;
            } else if kind.is_file()
                && let Ok(text) = fs::read_to_string(entry.path())
            {
                self.files.push(File { path, text });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl Tree {
    /// A tree of these files.
    pub(super) fn with(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| File { path: path.into(), text: text.into() };
        Self { files: files.iter().map(file).collect() }
    }
}
