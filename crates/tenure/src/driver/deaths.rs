//! Watching for proofs of death.
//!
//! Where the store comes with a witness, each process that has a living record is watched: the moment that its end is
//! proven, the machine is told, and the lease need not run out first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tenure_core::ids::{MemberId, Process};
use tenure_core::message::Versioned;
use tenure_core::record::{MemberRecord, Version};
use tokio::task::AbortHandle;

use super::{Inbox, Input};
use crate::store::Witness;

/// The processes that are watched.
#[derive(Debug)]
pub(crate) struct Deaths {
    witness: Option<Arc<dyn Witness>>,
    me: Process,
    inbox: Inbox,
    /// Which process each version of a record named, so that a record is read once.
    read: BTreeMap<MemberId, (Version, Option<Process>)>,
    watched: BTreeMap<Process, AbortHandle>,
}

impl Deaths {
    pub(crate) fn new(witness: Option<Arc<dyn Witness>>, me: Process, inbox: Inbox) -> Self {
        Self { witness, me, inbox, read: BTreeMap::new(), watched: BTreeMap::new() }
    }

    /// The processes that `members` show are watched from now on, and no others.
    pub(crate) fn watch(&mut self, members: &[(MemberId, Versioned)]) {
        if self.witness.is_none() {
            return;
        }
        let me = self.me;
        let alive: Vec<Process> = members
            .iter()
            .filter_map(|(id, record)| self.process_of(id, record))
            .filter(|p| *p != me)
            .collect();
        self.forget_all_but(&alive);
        alive.into_iter().for_each(|process| self.watch_one(process));
        self.read.retain(|id, _| members.iter().any(|(listed, _)| listed == id));
    }

    fn process_of(&mut self, id: &MemberId, record: &Versioned) -> Option<Process> {
        if let Some((version, process)) = self.read.get(id)
            && *version == record.version
        {
            return *process;
        }
        let process = living_process(id, record);
        self.read.insert(id.clone(), (record.version.clone(), process));
        process
    }

    fn forget_all_but(&mut self, alive: &[Process]) {
        self.watched.retain(|process, task| {
            let stays = alive.contains(process);
            if !stays {
                task.abort();
            }
            stays
        });
    }

    /// A death that was told is told again as long as the record says that the process lives: the machine may have been
    /// unable to act on it.
    fn watch_one(&mut self, process: Process) {
        let Some(witness) = self.witness.clone() else { return };
        if self.watched.get(&process).is_some_and(|task| !task.is_finished()) {
            return;
        }
        let inbox = self.inbox.clone();
        let task = tokio::spawn(async move {
            witness.death_of(process).await;
            let _ = inbox.send(Input::Died(process));
        });
        self.watched.insert(process, task.abort_handle());
    }
}

impl Drop for Deaths {
    fn drop(&mut self) {
        self.forget_all_but(&[]);
    }
}

/// Whether a lease is too long is for the machine to judge; here only the process is wanted.
fn living_process(id: &MemberId, record: &Versioned) -> Option<Process> {
    let record = MemberRecord::decode(id, &record.value, Duration::MAX).ok()?;
    record.state.is_open().then_some(record.process)
}

#[cfg(test)]
#[path = "deaths_tests.rs"]
mod tests;
