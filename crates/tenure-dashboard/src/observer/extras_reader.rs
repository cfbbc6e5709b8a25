//! What is read only now and then: notes about members, records under names that are no member's, and
//! what people did.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::cluster::{Cluster, Note};
use tenure::{Error, MemberId};
use tenure_core::moment::Moment;

use super::acts;
use crate::shared::Shared;
use crate::view;

/// The time from one reading to the next.
const READ_EVERY: Duration = Duration::from_secs(5);

/// What is read now and then: it changes when somebody types.
#[derive(Debug, Default)]
pub(super) struct ExtrasReader {
    pub(super) notes: BTreeMap<MemberId, view::Note>,
    /// What is wrong with the names of records, in words.
    pub(super) strays: Vec<String>,
    read_at: Option<Moment>,
}

impl ExtrasReader {
    /// Somebody wrote a note.
    pub(super) fn changed(&mut self) {
        self.read_at = None;
    }

    /// Reads it, if it is time.
    pub(super) async fn read(&mut self, shared: &Shared, cluster: &mut Cluster) -> Result<(), Error> {
        let now = shared.clock.now();
        if self.read_at.is_some_and(|read_at| now.since(read_at) < READ_EVERY) {
            return Ok(());
        }
        self.read_at = Some(now);
        let told = |note: Note| view::Note { text: note.text, by: note.by, at_ms: note.at_ms };
        self.notes = cluster.notes().await?.into_iter().map(|(id, note)| (id, told(note))).collect();
        self.strays = cluster.strays().await?;
        acts::tell(shared, cluster).await
    }
}
