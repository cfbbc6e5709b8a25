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

/// All files of the tree, in the order of their paths.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    /// The paths of those that are no text, such as pictures: pages may lead to them.
    others: Vec<String>,
}

impl Tree {
    /// Reads every file under `root`.
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
        let mut paths = self.files.iter().map(|file| &file.path).chain(&self.others);
        path.is_empty() || paths.any(|there| there == path || there.starts_with(&folder))
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
            } else if kind.is_file() {
                self.add(path, fs::read(entry.path()).map_err(say)?);
            }
        }
        Ok(())
    }

    fn add(&mut self, path: String, content: Vec<u8>) {
        match String::from_utf8(content) {
            Ok(text) => self.files.push(File { path, text }),
            Err(_) => self.others.push(path),
        }
    }
}

#[cfg(test)]
impl Tree {
    /// A tree of these files.
    pub(super) fn with(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| File { path: path.into(), text: text.into() };
        Self { files: files.iter().map(file).collect(), others: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn a_picture_is_there_although_it_is_no_text() {
        let mut tree = Tree::default();
        tree.add("docs/images/map.png".into(), vec![0x89, b'P', b'N', b'G', 0xff]);
        assert!(tree.has("docs/images/map.png") && tree.has("docs/images"));
        assert!(!tree.has("docs/images/other.png") && tree.files.is_empty());
    }
}
