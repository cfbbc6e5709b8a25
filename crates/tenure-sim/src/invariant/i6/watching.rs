//! Only unbroken watching counts (O1): after an outage of the store nobody declares everybody dead.

use std::time::Duration;

use crate::machine_sim::ProcessNo;
use crate::oracle::{Invariant, Scene, Verdict};

/// Watches process `no`, which sends `deposed` over a record that it must have watched for `silence`.
pub(crate) fn deposes(scene: Scene<'_>, no: ProcessNo, whom: &str, silence: Duration) -> Verdict {
    let proc = &scene.procs[no];
    let watched = proc.clock.read(scene.now).since(proc.conduct.watches_since);
    if watched >= silence {
        return Ok(());
    }
    let text = format!("{} deposes {whom}, and has watched for {watched:?}, not {silence:?}", proc.name);
    Err((Invariant::I6, text))
}
