//! An installation is whole or not there: it is made in a folder of another name, which gets its own as the last step.
//!
//! It goes into the cache that all clones share. Whoever wants the same one at the same time, in this clone or in another, waits for
//! the first, and then finds it done. A run that was killed in the middle leaves a folder that the next one deletes. Where the cache
//! can't be written, the clone keeps its own under `target`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::progress::Progress;
use crate::error::{Doing, Error};
use crate::place;

/// The installation `name`, where the cache or this clone has it.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    Shelves::here().find(name)
}

/// Answers the folder `name`, after `make` has made it if it was not there.
pub(super) fn once(
    name: &str,
    progress: &Progress,
    make: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    Shelves::here().once(name, progress, make)
}

/// The same for tools that are no servers; `name` says their version too.
///
/// # Errors
///
/// When it can't be made, with what `make` said.
pub fn cached(name: &str, make: impl FnOnce(&Path) -> Result<(), String>) -> Result<PathBuf, Error> {
    let make = |folder: &Path| make(folder).map_err(Error::Refused);
    once(name, &Progress::of(name.split('-').next().unwrap_or(name)), make)
}

/// Where installations may lie.
#[derive(Debug)]
struct Shelves {
    /// Of all clones.
    shared: Option<PathBuf>,
    /// Of this clone.
    own: PathBuf,
}

impl Shelves {
    fn here() -> Self {
        Self { shared: place::cache(), own: place::servers() }
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        let shelves = self.shared.iter().chain([&self.own]);
        shelves.map(|shelf| shelf.join(name)).find(|folder| folder.is_dir())
    }

    fn once(
        &self,
        name: &str,
        progress: &Progress,
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        match self.find(name) {
            Some(whole) => Ok(whole),
            None => once_in(self.writable(progress), name, progress, make),
        }
    }

    /// The shelf to add to.
    fn writable(&self, progress: &Progress) -> &Path {
        let problem = match &self.shared {
            None => "there is no HOME to keep a cache in".to_owned(),
            Some(shared) => match can_write(shared) {
                Ok(()) => return shared,
                Err(error) => error.to_string(),
            },
        };
        progress.say(&format!("{problem}; so this clone keeps its own in {}", self.own.display()));
        &self.own
    }
}

fn can_write(folder: &Path) -> Result<(), Error> {
    let tried = fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
    tried.map(drop).doing(|| format!("write into the cache {}", folder.display()))
}

fn once_in(
    folder: &Path,
    name: &str,
    progress: &Progress,
    make: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let whole = folder.join(name);
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

    /// A clone with this cache, and its own folder in `clone`.
    fn clone(cache: &Path, clone: &Path) -> Shelves {
        Shelves { shared: Some(cache.to_owned()), own: clone.to_owned() }
    }

    fn install(clone: &Shelves, made: &AtomicUsize) -> PathBuf {
        let make = |part: &Path| {
            made.fetch_add(1, Ordering::SeqCst);
            fs::write(part.join("file"), "whole").doing(String::new)
        };
        clone.once("it", &Progress::of("it"), make).unwrap()
    }

    #[test]
    fn it_is_made_once_however_many_clones_want_it() {
        let [cache, one, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let clones = [&one, &other].map(|folder| clone(cache.path(), folder.path()));
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for clone in clones.iter().cycle().take(4) {
                scope.spawn(|| install(clone, &made));
            }
        });
        assert_eq!(made.load(Ordering::SeqCst), 1);
        assert_eq!(fs::read_to_string(cache.path().join("it/file")).unwrap(), "whole");
        assert!([&one, &other].iter().all(|folder| fs::read_dir(folder).unwrap().next().is_none()));
    }

    #[test]
    fn what_another_clone_made_is_there() {
        let [cache, one, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let whole = install(&clone(cache.path(), one.path()), &AtomicUsize::new(0));
        assert_eq!(clone(cache.path(), other.path()).find("it"), Some(whole));
    }

    #[test]
    fn a_clone_keeps_its_own_where_the_cache_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("no-folder");
        fs::write(&file, "").unwrap();
        let own = folder.path().join("own");
        let made = AtomicUsize::new(0);
        for shared in [Some(file.join("cache")), None] {
            let clone = Shelves { shared, own: own.clone() };
            assert_eq!(install(&clone, &made), own.join("it"));
        }
        assert_eq!(made.load(Ordering::SeqCst), 1, "the second finds it");
    }

    #[test]
    fn what_failed_half_way_is_not_there_and_can_be_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let clone = clone(folder.path(), folder.path());
        let fail = |part: &Path| {
            fs::write(part.join("half"), "").doing(String::new)?;
            Err(Error::Refused("no".into()))
        };
        assert!(clone.once("it", &Progress::of("it"), fail).is_err());
        assert_eq!(clone.find("it"), None);
        let whole = clone.once("it", &Progress::of("it"), |_| Ok(())).unwrap();
        assert!(!whole.join("half").exists());
    }
}
