//! An installation is whole or not there: it is made in a folder of another name, which gets its own as the last step.
//!
//! Whoever wants the same one at the same time waits for the first, and then finds it done. A run that was killed in the middle
//! leaves a folder that the next one deletes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::progress::Progress;
use crate::error::{Doing, Error};
use crate::place::servers;

/// Answers the folder `name`, after `make` has made it if it was not there.
pub(super) fn once(
    name: &str,
    progress: &Progress,
    make: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    once_in(&servers(), name, progress, make)
}

fn once_in(
    folder: &Path,
    name: &str,
    progress: &Progress,
    make: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let whole = folder.join(name);
    if whole.is_dir() {
        return Ok(whole);
    }
    let _lock = lock(folder, name, progress)?;
    if !whole.is_dir() {
        let part = folder.join(format!("{name}.part"));
        anew(&part)?;
        make(&part)?;
        fs::rename(&part, &whole).doing(|| format!("name {}", whole.display()))?;
        progress.say("done");
    }
    Ok(whole)
}

fn anew(part: &Path) -> Result<(), Error> {
    if part.is_dir() {
        fs::remove_dir_all(part).doing(|| format!("delete {}", part.display()))?;
    }
    fs::create_dir_all(part).doing(|| format!("make {}", part.display()))
}

/// The lock goes with its holder, whatever that dies of.
fn lock(folder: &Path, name: &str, progress: &Progress) -> Result<File, Error> {
    fs::create_dir_all(folder).doing(|| format!("make {}", folder.display()))?;
    let path = folder.join(format!("{name}.lock"));
    let file = File::create(&path).doing(|| format!("write {}", path.display()))?;
    if file.try_lock().is_err() {
        progress.say("waiting for another process that installs it");
        file.lock().doing(|| format!("lock {}", path.display()))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn it_is_made_once_however_many_want_it() {
        let folder = tempfile::tempdir().unwrap();
        let made = AtomicUsize::new(0);
        let make = |part: &Path| {
            made.fetch_add(1, Ordering::SeqCst);
            fs::write(part.join("file"), "whole").doing(String::new)
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| once_in(folder.path(), "it", &Progress::of("it"), make).unwrap());
            }
        });
        assert_eq!(made.load(Ordering::SeqCst), 1);
        assert_eq!(fs::read_to_string(folder.path().join("it/file")).unwrap(), "whole");
    }

    #[test]
    fn what_failed_half_way_is_not_there_and_can_be_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let fail = |part: &Path| {
            fs::write(part.join("half"), "").doing(String::new)?;
            Err(Error::Refused("no".into()))
        };
        assert!(once_in(folder.path(), "it", &Progress::of("it"), fail).is_err());
        assert!(!folder.path().join("it").exists());
        let whole = once_in(folder.path(), "it", &Progress::of("it"), |_| Ok(())).unwrap();
        assert!(!whole.join("half").exists());
    }
}
