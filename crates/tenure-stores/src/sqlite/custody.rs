//! Whose files these are, and that nobody else can write them.
//!
//! Whoever can write the database or put a file of his own into its folder can make two owners: by records, by an older copy, by a
//! lock that nobody holds. So all of it belongs to one user, the one who owns the database file:
//!
//! - the folder belongs to that user or to root, and no others can write in it, unless it is sticky, as `/tmp` is;
//! - the database and the files beside it belong to that user, others can't write them, and none is a link;
//! - members run as that user. Root may look and steer.
//!
//! What is made here is made so that nobody else can even read it: a lock can be held by everybody who can open its file, and one
//! that is held by a stranger delays those who wait for it.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};
use rustix::process::geteuid;

use super::database_file::DatabaseFile;

/// The rights of others to write.
const OTHERS_WRITE: u32 = 0o022;

/// Only the owner of a file may rename or remove it.
const STICKY: u32 = 0o1000;

/// The rights of others to anything.
const OTHERS: u32 = 0o077;

const ROOT: u32 = 0;

/// How somebody else could meddle.
#[derive(Debug, thiserror::Error)]
pub(super) enum Exposure {
    #[error(
        "its folder {} belongs to user {owner}, who could put another file in its place; name a file in a folder of your own",
        .folder.display()
    )]
    FolderOfAnother { folder: PathBuf, owner: u32 },
    #[error(
        "others can write in its folder {folder} (mode {mode:o}), and could put another file in its place; chmod go-w {folder}, or \
         name a file in a folder of your own",
        folder = .folder.display()
    )]
    FolderOpen { folder: PathBuf, mode: u32 },
    #[error(
        "{} belongs to user {owner}, and this process is user {us}; all who share the file run as one user: run as that user, or \
         name a file of your own",
        .file.display()
    )]
    FileOfAnother { file: PathBuf, owner: u32, us: u32 },
    #[error("others can write {file} (mode {mode:o}), and could forge anything in it; chmod go-w {file}", file = .file.display())]
    FileOpen { file: PathBuf, mode: u32 },
    #[error("{} is a link, a pipe or the like, where a plain file or folder must be; remove it", .0.display())]
    Disguised(PathBuf),
    #[error("{} can't be looked at; grant this user access to it", .0.display())]
    Hidden(PathBuf, #[source] io::Error),
}

/// The user to whom a database belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Custodian(u32);

impl Custodian {
    /// Finds whose the database at `place` is, or will be, and checks that nobody else can write it or in its folder.
    pub(super) fn of(place: &DatabaseFile) -> Result<Self, Exposure> {
        let owner = status(place.file())?.map_or_else(us, |status| status.uid());
        let custodian = Self(owner);
        custodian.check_us(place.file())?;
        custodian.check_files(place)?;
        Ok(custodian)
    }

    /// The same for those who only look: the right to read is enough, whoever they are.
    pub(super) fn seen_at(place: &DatabaseFile) -> Result<Self, Exposure> {
        let owner = status(place.file())?.map_or_else(us, |status| status.uid());
        Self(owner).check_files(place)?;
        Ok(Self(owner))
    }

    /// The user of this process.
    #[cfg(test)]
    pub(super) fn us() -> Self {
        Self(us())
    }

    /// Whether this process is that user.
    pub(super) fn is_us(self) -> bool {
        self.0 == us()
    }

    /// Makes an empty file that is that user's alone, unless one is there. It is not opened: closing it would let go of SQLite's
    /// locks.
    pub(super) fn make_file(self, path: &Path) -> io::Result<()> {
        match mknodat(CWD, path, FileType::RegularFile, Mode::RUSR | Mode::WUSR, 0) {
            Ok(()) if self.is_us() => Ok(()),
            Ok(()) => lchown(path, Some(self.0), None),
            Err(rustix::io::Errno::EXIST) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Opens such a file, making it if it is not there. Follows no link.
    pub(super) fn open_file(self, path: &Path) -> io::Result<File> {
        self.make_file(path)?;
        open(path, OpenOptions::new().read(true).write(true), OFlags::empty())
    }

    fn check_files(self, place: &DatabaseFile) -> Result<(), Exposure> {
        self.check_folder(place.folder())?;
        let files = [place.file().to_owned(), place.log(), place.index(), place.journal(), place.drawn()];
        files.iter().try_for_each(|file| self.check_file(file))
    }

    fn check_us(self, file: &Path) -> Result<(), Exposure> {
        match us() {
            us if us == self.0 || us == ROOT => Ok(()),
            us => Err(Exposure::FileOfAnother { file: file.into(), owner: self.0, us }),
        }
    }

    fn check_folder(self, folder: &Path) -> Result<(), Exposure> {
        let hidden = |cause| Exposure::Hidden(folder.into(), cause);
        let status = fs::metadata(folder).map_err(hidden)?;
        let (owner, mode) = (status.uid(), status.mode() & 0o7777);
        if owner != self.0 && owner != ROOT {
            return Err(Exposure::FolderOfAnother { folder: folder.into(), owner });
        }
        if mode & OTHERS_WRITE != 0 && mode & STICKY == 0 {
            return Err(Exposure::FolderOpen { folder: folder.into(), mode });
        }
        Ok(())
    }

    /// A file that is not there is no danger yet.
    fn check_file(self, file: &Path) -> Result<(), Exposure> {
        let Some(status) = status(file)? else { return Ok(()) };
        let (owner, mode) = (status.uid(), status.mode() & 0o7777);
        if !status.is_file() {
            return Err(Exposure::Disguised(file.into()));
        }
        // What root makes beside a database, SQLite gives to the database's owner; an instant later.
        if owner != self.0 && owner != ROOT {
            return Err(Exposure::FileOfAnother { file: file.into(), owner, us: us() });
        }
        if mode & OTHERS_WRITE != 0 {
            return Err(Exposure::FileOpen { file: file.into(), mode });
        }
        Ok(())
    }
}

fn us() -> u32 {
    geteuid().as_raw()
}

/// What is at a path, itself and not what it leads to; `None` if nothing is.
fn status(path: &Path) -> Result<Option<Metadata>, Exposure> {
    match fs::symlink_metadata(path) {
        Ok(status) => Ok(Some(status)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Exposure::Hidden(path.into(), error)),
    }
}

/// Makes a folder that is ours alone, unless one is there; one that is not ours is refused, one that others can enter is shut.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let folder = open(path, OpenOptions::new().read(true), OFlags::DIRECTORY)?;
    let status = folder.metadata()?;
    if status.uid() != us() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, strange(&status)));
    }
    if status.mode() & OTHERS != 0 {
        folder.set_permissions(fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Opens a plain file that is ours, and that nobody else can write; follows no link, and waits for nobody.
pub(super) fn open_ours(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = open(path, options, OFlags::NONBLOCK)?;
    let status = file.metadata()?;
    if status.is_file() && status.uid() == us() && status.mode() & OTHERS_WRITE == 0 {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, strange(&status)))
}

/// Opens a file to read it; follows no link, and waits for nobody.
pub(super) fn open_to_look(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true), OFlags::NONBLOCK)
}

fn open(path: &Path, options: &mut OpenOptions, flags: OFlags) -> io::Result<File> {
    options.custom_flags((flags | OFlags::NOFOLLOW | OFlags::CLOEXEC).bits().cast_signed()).open(path)
}

fn strange(status: &Metadata) -> String {
    format!(
        "it belongs to user {} with mode {:o}, and this process is user {}",
        status.uid(),
        status.mode() & 0o7777,
        us()
    )
}

#[cfg(test)]
#[path = "custody_tests.rs"]
mod tests;
