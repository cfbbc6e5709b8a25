//! Ends the shared servers, and nothing else: a number that meanwhile means another process is left alone.

use rustix::process::Signal;

use super::record;
use crate::Kind;
use crate::error::Error;
use crate::process::{alive, signal_family};
use crate::server::Left;

/// Ends those of these servers that were started; answers which.
pub fn down(kinds: &[Kind]) -> Result<Vec<Kind>, Error> {
    let _lock = record::lock()?;
    Ok(kinds.iter().copied().filter(|kind| end(*kind)).collect())
}

/// Ends one, and forgets it together with its data; answers whether it was known.
pub(super) fn end(kind: Kind) -> bool {
    let Some(left) = record::read(kind) else { return false };
    kill(&left);
    let _ = std::fs::remove_dir_all(&left.folder);
    record::delete(kind);
    true
}

fn kill(left: &Left) {
    for process in left.processes.iter().copied().filter(|process| alive(*process)) {
        signal_family(process.pid, Signal::KILL);
    }
    while left.processes.iter().copied().any(alive) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
