//! The files that say what was started.

use std::fs::{self, File};
use std::path::PathBuf;

use crate::Kind;
use crate::error::{Doing, Error};
use crate::place::run;
use crate::server::Left;

fn path(kind: Kind) -> PathBuf {
    run().join(format!("{kind}.json"))
}

/// What is known of a server; nothing when it was never started, or when nobody can read the file.
pub(super) fn read(kind: Kind) -> Option<Left> {
    serde_json::from_str(&fs::read_to_string(path(kind)).ok()?).ok()
}

/// Written under another name first, so that no reader sees half of it.
pub(super) fn write(kind: Kind, left: &Left) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(left).expect("it is made of texts and numbers");
    let (whole, part) = (path(kind), path(kind).with_extension("part"));
    fs::write(&part, text).doing(|| format!("write {}", part.display()))?;
    fs::rename(&part, &whole).doing(|| format!("name {}", whole.display()))
}

pub(super) fn delete(kind: Kind) {
    // It may never have been there.
    let _ = fs::remove_file(path(kind));
}

/// Held while servers are started or ended, so that two calls don't do both.
pub(super) fn lock() -> Result<File, Error> {
    let folder = run();
    fs::create_dir_all(&folder).doing(|| format!("make {}", folder.display()))?;
    let file = File::create(folder.join("lock")).doing(|| format!("write a lock in {}", folder.display()))?;
    file.lock().doing(|| format!("lock {}", folder.display()))?;
    Ok(file)
}
