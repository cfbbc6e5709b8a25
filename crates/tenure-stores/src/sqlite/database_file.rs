//! Where a SQLite file is, with the files that belong to it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tenure::store::{StoreError, StoreErrorKind};

use super::error::KIND;
use crate::filesystem;

/// A path that was found fit for a shared file; absolute, so that it stays the same if the process changes its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DatabaseFile {
    file: PathBuf,
    folder: PathBuf,
}

impl DatabaseFile {
    /// Finds the place that `path` names.
    pub(super) fn find(path: &Path) -> Result<Self, StoreError> {
        Self::find_on(path, filesystem::remote_kind)
    }

    /// The same, where `remote_kind` tells which file system something is on.
    fn find_on(
        path: &Path,
        remote_kind: impl Fn(&Path) -> io::Result<Option<&'static str>>,
    ) -> Result<Self, StoreError> {
        let refuse = |kind, message: String| {
            Err(StoreError::new(kind, KIND, "open", path.display().to_string(), message))
        };
        let Some(name) = path.file_name() else {
            return refuse(StoreErrorKind::Invalid, "no file is named; name one, such as tenure.db".into());
        };
        if path.is_dir() {
            return refuse(StoreErrorKind::Invalid, "it is a directory; name a file in it".into());
        }
        let directory = directory_of(path).map_err(|cause| missing(path, cause))?;
        if path.is_symlink() && !path.exists() {
            return refuse(StoreErrorKind::Invalid, "it is a link to nothing; name the file itself".into());
        }
        // A link leads to its file, and the files beside it stand there: what counts is that place, not the link's.
        let file = path.canonicalize().unwrap_or_else(|_| directory.join(name));
        let place = Self { folder: file.parent().unwrap_or(&directory).to_owned(), file };
        match place.remote_kind(remote_kind) {
            Ok(None) => Ok(place),
            Ok(Some(kind)) => refuse(
                StoreErrorKind::Incompatible,
                format!(
                    "it is on a network file system ({kind}), where SQLite's locks do not hold; use a local disk"
                ),
            ),
            Err(cause) => Err(missing(path, cause)),
        }
    }

    /// The file may be on another file system than its folder: it can be mounted by itself.
    fn remote_kind(
        &self,
        remote_kind: impl Fn(&Path) -> io::Result<Option<&'static str>>,
    ) -> io::Result<Option<&'static str>> {
        let of_folder = remote_kind(&self.folder)?;
        if of_folder.is_some() || !self.file.exists() {
            return Ok(of_folder);
        }
        remote_kind(&self.file)
    }

    /// Refuses a place where no file is yet.
    pub(super) fn must_exist(&self) -> Result<(), StoreError> {
        std::fs::metadata(&self.file).map(drop).map_err(|cause| {
            let message = "there is no such file; name one that is there, or start a member on it";
            StoreError::new(StoreErrorKind::Invalid, KIND, "open", self.file.display().to_string(), message)
                .caused_by(cause)
        })
    }

    /// The database itself.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The folder that it is in.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The write-ahead log.
    pub(super) fn log(&self) -> PathBuf {
        self.beside("-wal")
    }

    /// The log's index, which all processes share.
    pub(super) fn index(&self) -> PathBuf {
        self.beside("-shm")
    }

    /// The journal that SQLite keeps until it uses a log.
    pub(super) fn journal(&self) -> PathBuf {
        self.beside("-journal")
    }

    /// The greatest version that was drawn.
    pub(super) fn drawn(&self) -> PathBuf {
        self.beside("-drawn")
    }

    /// The directory of the processes' lock files.
    pub(super) fn locks(&self) -> PathBuf {
        self.beside("-locks")
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut path: OsString = self.file.clone().into_os_string();
        path.push(suffix);
        path.into()
    }
}

fn directory_of(path: &Path) -> io::Result<PathBuf> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or_else(|| Path::new(".")).canonicalize()?;
    if !directory.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(directory)
}

fn missing(path: &Path, cause: io::Error) -> StoreError {
    let (kind, message) = match cause.kind() {
        io::ErrorKind::NotFound => (StoreErrorKind::Invalid, "its directory does not exist; create it first"),
        io::ErrorKind::NotADirectory => {
            (StoreErrorKind::Invalid, "a part of its path is a file; name a path through directories")
        }
        _ => (StoreErrorKind::Denied, "its directory can't be read; grant this user access to it"),
    };
    StoreError::new(kind, KIND, "open", path.display().to_string(), message).caused_by(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_one_database_stand_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let place = DatabaseFile::find(&directory.path().join("a.db")).unwrap();
        let names = [place.file().to_owned(), place.log(), place.index(), place.drawn(), place.locks()]
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        assert_eq!(names, ["a.db", "a.db-wal", "a.db-shm", "a.db-drawn", "a.db-locks"]);
    }

    #[test]
    fn a_place_without_a_file_is_refused_to_those_who_only_look() {
        let directory = tempfile::tempdir().unwrap();
        let place = DatabaseFile::find(&directory.path().join("a.db")).unwrap();
        assert!(place.must_exist().unwrap_err().to_string().contains("there is no such file"));
        std::fs::write(place.file(), b"").unwrap();
        assert!(place.must_exist().is_ok());
    }

    #[test]
    fn a_link_to_a_file_is_that_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("real.db");
        std::fs::write(&file, b"").unwrap();
        std::os::unix::fs::symlink(&file, directory.path().join("link.db")).unwrap();
        let place = DatabaseFile::find(&directory.path().join("link.db")).unwrap();
        assert_eq!(place.file(), file.canonicalize().unwrap());
    }

    #[test]
    fn a_link_onto_a_network_file_system_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let far = directory.path().canonicalize().unwrap().join("far");
        std::fs::create_dir(&far).unwrap();
        std::fs::write(far.join("real.db"), b"").unwrap();
        std::os::unix::fs::symlink(far.join("real.db"), directory.path().join("link.db")).unwrap();
        let kind = |path: &Path| Ok(path.starts_with(&far).then_some("NFS"));
        let error = DatabaseFile::find_on(&directory.path().join("link.db"), kind).unwrap_err();
        assert!(error.to_string().contains("it is on a network file system (NFS)"), "{error}");
    }

    #[test]
    fn a_file_that_is_mounted_by_itself_is_refused_as_well() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("mounted.db");
        std::fs::write(&file, b"").unwrap();
        let kind = |path: &Path| Ok(path.ends_with("mounted.db").then_some("SMB"));
        let error = DatabaseFile::find_on(&file, kind).unwrap_err();
        assert!(error.to_string().contains("it is on a network file system (SMB)"), "{error}");
    }

    #[test]
    fn a_link_to_nothing_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link.db");
        std::os::unix::fs::symlink("nowhere.db", &link).unwrap();
        let error = DatabaseFile::find(&link).unwrap_err();
        assert!(error.to_string().contains("it is a link to nothing; name the file itself"), "{error}");
    }
}
