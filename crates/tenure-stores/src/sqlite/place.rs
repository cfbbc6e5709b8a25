//! Where a SQLite file is, with the files that belong to it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tenure::store::{StoreError, StoreErrorKind};

use super::fault::store_error;
use super::filesystem;

/// A path that was found fit for a shared file; absolute, so that it stays the same if the process changes its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    file: PathBuf,
}

impl Place {
    /// Finds the place that `path` names.
    pub(super) fn find(path: &Path) -> Result<Self, StoreError> {
        let refuse =
            |kind, message: String| Err(store_error(kind, "open", path.display().to_string(), message));
        let Some(name) = path.file_name() else {
            return refuse(StoreErrorKind::Invalid, "no file is named; name one, such as tenure.db".into());
        };
        if path.is_dir() {
            return refuse(StoreErrorKind::Invalid, "it is a directory; name a file in it".into());
        }
        let directory = directory_of(path).map_err(|cause| missing(path, cause))?;
        match filesystem::remote_kind(&directory) {
            Ok(None) => Ok(Self { file: path.canonicalize().unwrap_or_else(|_| directory.join(name)) }),
            Ok(Some(kind)) => refuse(
                StoreErrorKind::Incompatible,
                format!(
                    "it is on a network file system ({kind}), where SQLite's locks do not hold; use a local disk"
                ),
            ),
            Err(cause) => Err(missing(path, cause)),
        }
    }

    /// Refuses a place where no file is yet.
    pub(super) fn must_exist(&self) -> Result<(), StoreError> {
        std::fs::metadata(&self.file).map(drop).map_err(|cause| {
            let message = "there is no such file; name one that is there, or start a member on it";
            store_error(StoreErrorKind::Invalid, "open", self.file.display().to_string(), message)
                .caused_by(cause)
        })
    }

    /// The database itself.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The write-ahead log.
    pub(super) fn log(&self) -> PathBuf {
        self.beside("-wal")
    }

    /// The log's index, which all processes share.
    pub(super) fn index(&self) -> PathBuf {
        self.beside("-shm")
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
    store_error(kind, "open", path.display().to_string(), message).caused_by(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_one_database_stand_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::find(&directory.path().join("a.db")).unwrap();
        let names = [place.file().to_owned(), place.log(), place.index(), place.locks()]
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
        assert_eq!(names, ["a.db", "a.db-wal", "a.db-shm", "a.db-locks"]);
    }

    #[test]
    fn a_place_without_a_file_is_refused_to_those_who_only_look() {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::find(&directory.path().join("a.db")).unwrap();
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
        let place = Place::find(&directory.path().join("link.db")).unwrap();
        assert_eq!(place.file(), file.canonicalize().unwrap());
    }
}
