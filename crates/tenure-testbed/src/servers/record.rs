//! The files that say what was started, and by them the address that a test opens its store by: that of a server which somebody gave
//! us, or else of the one that we started.

use std::fs::{self, File};
use std::path::PathBuf;

use crate::Kind;
use crate::error::{Doing, Error};
use crate::place::run;
use crate::process::alive;
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

/// What a store is opened by that is to use the shared server of this kind.
///
/// # Panics
///
/// When none is given and ours is not up; the message says what to do.
pub fn url(kind: Kind) -> String {
    let ours = || read(kind).filter(|left| left.processes.iter().copied().all(alive));
    given(kind).or_else(|| ours().map(|left| left.url)).unwrap_or_else(|| {
        panic!("{kind} is not up: run `cargo xtask servers up`, or give one by {}", kind.variable())
    })
}

/// The address of a server that is not ours. It is neither installed nor started nor ended.
pub fn given(kind: Kind) -> Option<String> {
    std::env::var(kind.variable()).ok().filter(|url| !url.is_empty())
}
