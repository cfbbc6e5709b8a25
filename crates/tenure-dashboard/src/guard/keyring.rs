//! The token file while it is in use: read again when it has changed, so that no restart is needed to let somebody in
//! or to lock somebody out.
//!
//! A file that can't be used grants nothing new and takes nothing back: the last one that could counts on, and the log says so.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use std::os::unix::fs::MetadataExt;
use tenure_core::moment::Moment;

use super::{TokenError, Tokens};

/// The file is looked at no more often than this.
const EVERY: Duration = Duration::from_secs(1);

/// What tells one state of a file from another.
type Stamp = (u64, u64, i64, i64, u64, u32);

#[derive(Debug)]
struct Known {
    tokens: Arc<Tokens>,
    stamp: Option<Stamp>,
    looked: Option<Moment>,
}

/// Tokens, and the file that they are from.
#[derive(Debug)]
pub struct Keyring {
    file: Option<PathBuf>,
    known: Mutex<Known>,
}

impl Default for Keyring {
    fn default() -> Self {
        Self::from(Tokens::default())
    }
}

/// Tokens that stay as they are.
impl From<Tokens> for Keyring {
    fn from(tokens: Tokens) -> Self {
        Self { file: None, known: Mutex::new(Known { tokens: Arc::new(tokens), stamp: None, looked: None }) }
    }
}

impl Keyring {
    /// The tokens of a file, whatever becomes of it.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn open(path: &Path) -> Result<Self, TokenError> {
        let stamp = stamp(path);
        let tokens = Arc::new(Tokens::read(path)?);
        Ok(Self { file: Some(path.to_owned()), known: Mutex::new(Known { tokens, stamp, looked: None }) })
    }

    /// The tokens as they are now.
    pub(super) fn tokens(&self, now: Moment) -> Arc<Tokens> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = &self.file
            && known.looked.is_none_or(|looked| now.since(looked) >= EVERY)
        {
            known.looked = Some(now);
            known.look_again(path);
        }
        Arc::clone(&known.tokens)
    }
}

impl Known {
    fn look_again(&mut self, path: &Path) {
        let stamp = stamp(path);
        if stamp == self.stamp {
            return;
        }
        self.stamp = stamp;
        match Tokens::read(path) {
            Ok(tokens) => {
                tracing::info!(?tokens, "the token file has changed, and counts from now on");
                self.tokens = Arc::new(tokens);
            }
            Err(error) => {
                tracing::error!(%error, "the token file has changed and can't be used: the former one still counts");
            }
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.dev(), about.ino(), about.mtime(), about.mtime_nsec(), about.len(), about.mode()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn write(path: &Path, text: &str, mode: u32) {
        let new = path.with_extension("new");
        std::fs::write(&new, text).unwrap();
        std::fs::set_permissions(&new, PermissionsExt::from_mode(mode)).unwrap();
        std::fs::rename(&new, path).unwrap();
    }

    #[test]
    fn a_file_that_has_changed_counts_without_a_restart_and_one_that_is_wrong_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        write(&path, "eve 0123456789abcdef\n", 0o600);
        let ring = Keyring::open(&path).unwrap();
        let at = |seconds| Moment::ZERO + Duration::from_secs(seconds);
        let known = |seconds, token| !ring.tokens(at(seconds)).by_token(token).is_empty();
        assert!(known(0, "0123456789abcdef"));
        write(&path, "bob fedcba9876543210\n", 0o600);
        assert!(known(0, "0123456789abcdef"), "it is not looked at all the time");
        assert!(!known(2, "0123456789abcdef") && known(2, "fedcba9876543210"));
        write(&path, "eve short\n", 0o600);
        assert!(known(4, "fedcba9876543210"));
        write(&path, "eve 0123456789abcdef\n", 0o644);
        assert!(!known(6, "0123456789abcdef") && known(6, "fedcba9876543210"), "it is open to others");
        std::fs::remove_file(&path).unwrap();
        assert!(known(8, "fedcba9876543210"));
        write(&path, "eve 0123456789abcdef\n", 0o600);
        assert!(known(10, "0123456789abcdef") && !known(10, "fedcba9876543210"));
    }
}
