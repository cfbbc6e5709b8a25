//! Opens a file for those who only look: nothing is written, nothing is created, and the right to read is enough.
//!
//! ```text
//!  a log is there    somebody has the database open, or was killed: it is read with its log and its index
//!  no log is there   nobody has it open: all there is is in the file, which can't change before a log appears
//! ```
//! In the first case SQLite maps the index to write if this user may, and to read if not. It must not be told to only read: all
//! connections of a process share one mapping, and a member in the same process could not write any more. A log without an index is
//! what a process leaves that is killed while it closes the file: the index is then made, the only thing that looking ever makes.
//!
//! In the second case SQLite would make a log and an index, and leave them. So it is told that the file does not change, and what
//! was read is believed only if that was so: still no log, and the same file, neither touched nor resized ([`Still`]). Once it
//! is not so any more, the file is opened anew.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tenure::clock::Clock;

use super::database_file::DatabaseFile;
use super::drawn::Drawn;
use super::error::Trouble;
use super::premises::Premises;

/// How often one asks whether somebody who comes or goes is done with it.
const PAUSE: Duration = Duration::from_millis(5);

/// A database that is open for reading.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) connection: Connection,
    pub(super) premises: Premises,
    /// The mark of the greatest version, if there is one that this user can read.
    pub(super) drawn: Option<Drawn>,
    /// What must stay so for the connection to be of use; `None` if SQLite itself sees to it.
    pub(super) still: Option<Still>,
}

/// Opens what is at `place`.
pub(super) fn look(place: &DatabaseFile, patience: Duration) -> Result<Looked, Trouble> {
    let drawn = Drawn::look(&place.drawn());
    let mark = drawn.is_some().then(|| place.drawn());
    // Between two journals: it is being made, or its last writer was killed then.
    if place.journal().exists() {
        return Err(Trouble::Busy(patience));
    }
    let there = journals(place);
    if there[0] {
        let connection = connect_to_log(place, patience);
        let connection = connection.map_err(|trouble| match trouble {
            // Whoever had it open last has just removed both: it is looked at anew, as a file without a log.
            Trouble::CannotLook(_) if journals(place) != there => Trouble::Busy(patience),
            trouble => trouble,
        })?;
        let files = [place.file().to_owned(), place.log(), place.index()];
        let premises = Premises::of(files.into_iter().chain(mark))?;
        return Ok(Looked { connection, premises, drawn, still: None });
    }
    let still = Still::at(place);
    let connection = connect(place, "immutable=1", patience)?;
    let premises = Premises::of([place.file().to_owned()].into_iter().chain(mark))?;
    Ok(Looked { connection, premises, drawn, still: Some(still) })
}

/// Who comes makes the log before its index, and who goes removes the index before its log: one waits for either to be done.
///
/// If neither is done in time, somebody was killed in between, or the file was copied without its index. The log may hold what the
/// file does not, and can't be read without an index: SQLite makes one, if this user may.
fn connect_to_log(place: &DatabaseFile, patience: Duration) -> Result<Connection, Trouble> {
    let clock = Clock::boot();
    let done_by = clock.now() + patience;
    while journals(place) == [true, false] && clock.now() < done_by {
        std::thread::sleep(PAUSE);
    }
    if !place.log().exists() {
        return Err(Trouble::Busy(patience));
    }
    connect(place, "cache=private", patience)
}

/// Whether there is a log, and its index.
fn journals(place: &DatabaseFile) -> [bool; 2] {
    [place.log().exists(), place.index().exists()]
}

fn connect(place: &DatabaseFile, option: &str, patience: Duration) -> Result<Connection, Trouble> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let refused = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
            Trouble::CannotLook(error)
        }
        _ => Trouble::in_step(error, patience),
    };
    let connection = Connection::open_with_flags(uri(place.file(), option), flags).map_err(refused)?;
    connection.busy_timeout(patience).map_err(refused)?;
    // The files are opened by the first question, and kept from then on.
    connection.query_row("PRAGMA user_version", [], |_| Ok(())).map_err(refused)?;
    Ok(connection)
}

/// The path as SQLite wants it where options follow.
fn uri(path: &Path, option: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let spelled = |byte: &u8| if plain(byte) { char::from(*byte).into() } else { format!("%{byte:02X}") };
    let path: String = path.as_os_str().as_bytes().iter().map(spelled).collect();
    format!("file:{path}?mode=ro&{option}")
}

/// A file that nobody has open to write, as it was when it was looked at.
#[derive(Debug)]
pub(super) struct Still {
    file: PathBuf,
    log: PathBuf,
    stamp: Option<Stamp>,
}

/// What differs once a file was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    length: u64,
    changed: (i64, i64),
}

impl Still {
    fn at(place: &DatabaseFile) -> Self {
        Self { file: place.file().into(), log: place.log(), stamp: stamp(place.file()) }
    }

    /// Whether it is so still. Whoever writes makes a log before, and removes it only after the file was written.
    pub(super) fn holds(&self) -> bool {
        !self.log.exists() && self.stamp.is_some() && stamp(&self.file) == self.stamp
    }
}

fn stamp(file: &Path) -> Option<Stamp> {
    let status = fs::metadata(file).ok()?;
    let changed = (status.ctime(), status.ctime_nsec());
    Some(Stamp { inode: status.ino(), length: status.len(), changed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_spelled_so_that_nothing_in_it_is_an_option() {
        assert_eq!(uri(Path::new("/a/b c?d#e%.db"), "x=1"), "file:/a/b%20c%3Fd%23e%25.db?mode=ro&x=1");
    }

    #[test]
    fn a_file_is_still_until_it_is_written_or_a_log_appears() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tenure.db");
        fs::write(&path, b"a").unwrap();
        let place = DatabaseFile::find(&path).unwrap();
        let still = Still::at(&place);
        assert!(still.holds());
        fs::write(place.log(), b"").unwrap();
        assert!(!still.holds());
        fs::remove_file(place.log()).unwrap();
        fs::write(&path, b"ab").unwrap();
        assert!(!still.holds());
    }
}
