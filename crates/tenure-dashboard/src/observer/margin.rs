//! Notes about members, read now and then.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::cluster::{Cluster, Note};
use tenure::{Error, MemberId};
use tenure_core::moment::Moment;

use crate::desk::Desk;
use crate::view;

/// The time from one reading of the notes to the next.
const NOTES_EVERY: Duration = Duration::from_secs(10);

/// The notes, read now and then: they change when somebody types.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) known: BTreeMap<MemberId, view::Note>,
    read_at: Option<Moment>,
}

impl Notes {
    /// Somebody wrote one.
    pub(super) fn changed(&mut self) {
        self.read_at = None;
    }

    /// Reads them, if it is time.
    pub(super) async fn read(&mut self, desk: &Desk, cluster: &mut Cluster) -> Result<(), Error> {
        let now = desk.clock.now();
        if self.read_at.is_some_and(|read_at| now.since(read_at) < NOTES_EVERY) {
            return Ok(());
        }
        self.read_at = Some(now);
        let told = |note: Note| view::Note { text: note.text, by: note.by, at_ms: note.at_ms };
        self.known = cluster.notes().await?.into_iter().map(|(id, note)| (id, told(note))).collect();
        Ok(())
    }
}
