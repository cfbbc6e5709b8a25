//! The greatest version number that was ever drawn, in a small file beside the database.
//!
//! It serves two ends. A database that knows fewer versions than were drawn is an older copy that somebody put in its place, be it
//! into the same file: it would give versions a second time, and is refused. And the file is the bell of all who wait for news:
//! it is written when a commit can be seen, and says what is new to whoever has four words to read.
//!
//! Everybody who writes it has committed that number before, so it is never ahead of the database. It may be behind, if a writer dies
//! in between: then a little less is noticed. It is not synchronised to the disk: after a power cut the same holds.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::custody::{self, Custodian};

/// The number, and its complement: a reader who comes in the midst of a write sees that they do not fit.
const WORDS: usize = 16;

/// The file that tells the greatest number drawn.
#[derive(Debug)]
pub(super) struct Drawn {
    file: File,
}

impl Drawn {
    /// Opens the file at `path`, and makes it if it is not there.
    pub(super) fn open(path: &Path, custodian: Custodian) -> io::Result<Self> {
        Ok(Self { file: custodian.open_file(path)? })
    }

    /// Opens the file at `path` to look, if there is one that this user can read.
    pub(super) fn look(path: &Path) -> Option<Self> {
        custody::open_to_look(path).ok().map(|file| Self { file })
    }

    /// The greatest number; zero if none is known, or while it is written.
    pub(super) fn greatest(&self) -> i64 {
        let mut words = [0; WORDS];
        match self.file.read_exact_at(&mut words, 0) {
            Ok(()) => parse(u128::from_le_bytes(words)),
            Err(_) => 0,
        }
    }

    /// Notes a number that was drawn and committed, and so rings the bell.
    pub(super) fn raise(&self, number: i64) {
        // Of two who come at once, the later may note the smaller number: the next one makes up for it.
        if number > self.greatest() {
            self.write(number);
        }
    }

    /// A new database has drawn nothing.
    pub(super) fn reset(&self) {
        self.write(0);
    }

    fn write(&self, number: i64) {
        let number = u128::from(number.cast_unsigned());
        let words = number | (!number << 64);
        if let Err(error) = self.file.write_all_at(&words.to_le_bytes(), 0) {
            tracing::debug!(%error, "the greatest version could not be noted");
        }
    }
}

fn parse(words: u128) -> i64 {
    let (number, complement) = (words as u64, (words >> 64) as u64);
    if number == !complement { number.cast_signed() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn() -> (tempfile::TempDir, Drawn) {
        let folder = tempfile::tempdir().unwrap();
        let drawn = again(&folder);
        (folder, drawn)
    }

    fn again(folder: &tempfile::TempDir) -> Drawn {
        Drawn::open(&folder.path().join("tenure.db-drawn"), Custodian::us()).unwrap()
    }

    #[test]
    fn a_new_file_knows_nothing() {
        assert_eq!(drawn().1.greatest(), 0);
    }

    #[test]
    fn the_greatest_number_stays() {
        let (folder, drawn) = drawn();
        [7, 300, 299].into_iter().for_each(|number| drawn.raise(number));
        assert_eq!(drawn.greatest(), 300);
        assert_eq!(again(&folder).greatest(), 300);
    }

    #[test]
    fn a_new_database_begins_anew() {
        let (_folder, drawn) = drawn();
        drawn.raise(7);
        drawn.reset();
        assert_eq!(drawn.greatest(), 0);
    }

    #[test]
    fn half_a_number_is_none() {
        let (_folder, drawn) = drawn();
        drawn.raise(255);
        drawn.file.write_all_at(&[0, 1], 0).unwrap();
        assert_eq!(drawn.greatest(), 0);
    }
}
