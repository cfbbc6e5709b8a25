//! The files, one step at a time.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use tenure::store::{Version, Written};
use xxhash_rust::xxh3::xxh3_128;

use super::error::Trouble;
use super::lock::Lock;
use crate::filesystem::remote_kind;

/// What begins so is no journal's: what is being written, and locks.
const OURS: char = '.';

/// A folder, and what it was when it was opened.
#[derive(Debug)]
pub(super) struct Disk {
    root: PathBuf,
    identity: (u64, u64),
    /// As long as it is open, no other folder gets its identity.
    _open: File,
    /// Folders that are known to be on the disk.
    known: Mutex<BTreeSet<PathBuf>>,
}

impl Disk {
    /// Finds the folder, makes it if it is missing, and tries to write there.
    pub(super) fn open(path: &Path) -> Result<Self, Trouble> {
        make_folder(path)?;
        let root = path.canonicalize().map_err(|error| Trouble::at(path, error))?;
        let open = File::open(&root).map_err(|error| Trouble::at(&root, error))?;
        let identity = identity(&root).ok_or_else(|| Trouble::NotAFolder(root.clone()))?;
        if let Some(kind) = remote_kind(&root).map_err(|error| Trouble::at(&root, error))? {
            return Err(Trouble::Remote(kind));
        }
        let disk = Self { root, identity, _open: open, known: Mutex::default() };
        disk.try_out()?;
        Ok(disk)
    }

    /// A file that is written, linked and gone again.
    fn try_out(&self) -> Result<(), Trouble> {
        let draft = self.draft(&self.root, b"tenure")?;
        let path = draft.path.with_extension("link");
        let linked = fs::hard_link(&draft.path, &path);
        let _ = fs::remove_file(&path);
        linked.map_err(|error| match error.kind() {
            ErrorKind::Unsupported | ErrorKind::PermissionDenied => {
                Trouble::NoLinks(self.root.clone(), error)
            }
            _ => Trouble::at(&path, error),
        })
    }

    /// Has `work` done, and believes it only if the folder is still the one that was opened.
    pub(super) fn at_home<T>(&self, work: impl FnOnce(&Self) -> Result<T, Trouble>) -> Result<T, Trouble> {
        self.check()?;
        let done = work(self);
        self.check()?;
        done
    }

    fn check(&self) -> Result<(), Trouble> {
        let same = identity(&self.root) == Some(self.identity);
        if same { Ok(()) } else { Err(Trouble::Lost(self.root.clone())) }
    }

    pub(super) fn read(&self, name: &str) -> Result<Option<(Version, Bytes)>, Trouble> {
        let path = self.path(name)?;
        match fs::read(&path) {
            Ok(bytes) => Ok(Some((version(&bytes), bytes.into()))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Trouble::at(&path, error)),
        }
    }

    /// Writes a file that is not there yet.
    pub(super) fn create(&self, name: &str, bytes: &[u8]) -> Result<Written, Trouble> {
        let path = self.path(name)?;
        let folder = self.folder_of(&path)?;
        let draft = self.draft(folder, bytes)?;
        let linked = match fs::hard_link(&draft.path, &path) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
            Err(error) => return Err(Trouble::at(&path, error)),
        };
        drop(draft);
        // One that is there already may be our own, of which we had no answer: it is told only when it stays.
        sync(folder).map_err(|error| Trouble::Unsure(path, error))?;
        Ok(if linked { Written::Stored(version(bytes)) } else { Written::Conflict })
    }

    /// Writes a file in the place of `known`, if that is still there.
    pub(super) fn replace(&self, name: &str, bytes: &[u8], known: &Version) -> Result<Written, Trouble> {
        let path = self.path(name)?;
        let folder = self.folder_of(&path)?;
        let _lock = Lock::take(&folder.join(".lock"))?;
        if self.read(name)?.is_none_or(|(present, _)| present != *known) {
            sync(folder).map_err(|error| Trouble::Unsure(path, error))?;
            return Ok(Written::Conflict);
        }
        let draft = self.draft(folder, bytes)?;
        fs::rename(&draft.path, &path).map_err(|error| Trouble::at(&path, error))?;
        sync(folder).map_err(|error| Trouble::Unsure(path, error))?;
        Ok(Written::Stored(version(bytes)))
    }

    /// Removes a file. It may come back after a power cut: whoever removes knows that nobody needs it.
    pub(super) fn remove(&self, name: &str) -> Result<(), Trouble> {
        let path = self.path(name)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(Trouble::at(&path, error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// At most `limit` names under `prefix` after `after`, in order.
    pub(super) fn list(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, Trouble> {
        let folder = prefix.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut names = Vec::new();
        self.walk(folder, &mut names)?;
        names.retain(|name| name.starts_with(prefix) && name.as_str() > after);
        names.sort_unstable();
        names.truncate(limit);
        Ok(names)
    }

    fn walk(&self, folder: &str, names: &mut Vec<String>) -> Result<(), Trouble> {
        let path = if folder.is_empty() { self.root.clone() } else { self.path(folder)? };
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Trouble::at(&path, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| Trouble::at(&path, error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with(OURS) {
                continue;
            }
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.walk(&name, names)?,
                Ok(_) => names.push(name),
                Err(error) => return Err(Trouble::at(&entry.path(), error)),
            }
        }
        Ok(())
    }

    fn path(&self, name: &str) -> Result<PathBuf, Trouble> {
        let plain =
            |segment: &str| !segment.is_empty() && !segment.starts_with(OURS) && !segment.contains('\0');
        match name.split('/').all(plain) {
            true => Ok(self.root.join(name)),
            false => Err(Trouble::BadName(name.into())),
        }
    }

    /// The folder that a file is in; made, if it is missing, and known to be on the disk.
    fn folder_of<'a>(&self, path: &'a Path) -> Result<&'a Path, Trouble> {
        let folder = path.parent().ok_or_else(|| Trouble::BadName(path.display().to_string()))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains(folder) {
            // Those above it first. Whoever made one of them may not have come to the end of it.
            let above: Vec<&Path> = folder.ancestors().take_while(|above| *above != self.root).collect();
            above.into_iter().rev().try_for_each(make_folder)?;
            known.insert(folder.to_owned());
        }
        Ok(folder)
    }

    /// A file with these bytes, on the disk, under a name that nobody else has.
    fn draft(&self, folder: &Path, bytes: &[u8]) -> Result<Draft, Trouble> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|_| Trouble::NoChance)?;
        let draft = Draft { path: folder.join(format!("{OURS}new-{:032x}", u128::from_le_bytes(bits))) };
        draft.write(bytes).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Trouble::Lost(folder.to_owned()),
            _ => Trouble::at(&draft.path, error),
        })?;
        Ok(draft)
    }
}

/// A file that is not a journal's yet; gone when it is dropped.
#[derive(Debug)]
struct Draft {
    path: PathBuf,
}

impl Draft {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&self.path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Where it has got its name by now, that is another link to it, or it was moved.
        let _ = fs::remove_file(&self.path);
    }
}

/// Contents of a head differ, for it only ever moves on; so what it says is its version.
fn version(bytes: &[u8]) -> Version {
    Version::new(format!("{:032x}", xxh3_128(bytes)))
}

fn identity(folder: &Path) -> Option<(u64, u64)> {
    let status = fs::metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    Some((status.dev(), status.ino()))
}

/// What is named in a folder is on the disk.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Makes a folder, if it is missing, in one that is there; it is on the disk then.
fn make_folder(folder: &Path) -> Result<(), Trouble> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(Trouble::at(folder, error)),
        Ok(()) | Err(_) => {}
    }
    if !folder.is_dir() {
        return Err(Trouble::NotAFolder(folder.to_owned()));
    }
    let above =
        folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    sync(above).map_err(|error| Trouble::at(above, error))
}
