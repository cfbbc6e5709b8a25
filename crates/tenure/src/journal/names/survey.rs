//! What an operator asks: which journals are there, and how they are.

use tenure_core::ids::ShardId;

use super::shelf::Shelf;
use super::{Names, Objects};
use crate::journal::{Author, Damage, Fault, Head, JournalError, Look, Place, Seq};

/// How many names are listed at once.
const PAGE: usize = 1_000;

impl<O: Objects> Names<O> {
    /// Goes from journal to journal: a journal with many names is left behind after its first page.
    pub(super) async fn list_places(
        &self,
        after: Option<&Place>,
        limit: usize,
    ) -> Result<Vec<Place>, JournalError> {
        let mut places: Vec<Place> = Vec::new();
        let mut after = after.map_or(String::new(), |place| self.end_of(place));
        loop {
            let page = self.objects.list(&self.prefix, &after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(places) };
            for place in page.iter().filter_map(|name| self.place_of(name)) {
                if places.last() == Some(&place) {
                    continue;
                }
                if places.len() == limit {
                    return Ok(places);
                }
                places.push(place);
            }
            let end = self.place_of(last).map(|place| self.end_of(&place));
            after = end.unwrap_or_default().max(last.clone());
        }
    }

    /// The journal that a name belongs to.
    fn place_of(&self, name: &str) -> Option<Place> {
        let mut words = name.strip_prefix(&self.prefix)?.splitn(3, '/');
        let (shard, journal, _) = (words.next()?, words.next()?, words.next()?);
        Some(Place { shard: ShardId(shard.parse().ok()?), journal: journal.parse().ok()? })
    }

    /// A name that comes after all names of the journal at `place`.
    fn end_of(&self, place: &Place) -> String {
        format!("{}z", self.shelf(place).folder)
    }
}

impl<O: Objects> Shelf<O> {
    pub(super) async fn look(&self) -> Result<Option<Look>, JournalError> {
        loop {
            let Some(head) = self.head().await? else { return Ok(None) };
            let last = self.last(head.start).await?;
            let opened_by = self.opened_by(&head, last).await?;
            // What was truncated meanwhile may be litter of a late write.
            if self.start().await? == head.start {
                return Ok(Some(told(&head, last, opened_by)));
            }
        }
    }

    /// The number of the last entry. A listing may be old: what it does not show may be there.
    async fn last(&self, start: Seq) -> Result<Seq, JournalError> {
        let listed = self.list_entries(start).await?;
        let mut next = listed.map_or(start, Seq::next);
        while self.entry(next).await?.is_some() {
            next = next.next();
        }
        Ok(next.before())
    }

    /// Whoever wrote the last entry had opened the journal last. If a snapshot contains that, the last fence is still there.
    async fn opened_by(&self, head: &Head, last: Seq) -> Result<Author, JournalError> {
        let fence = head.facts.map(|facts| facts.fence);
        match if last >= head.start { Some(last) } else { fence } {
            Some(seq) => match self.entry(seq).await? {
                Some(entry) => Ok(entry.author),
                None => Err(Fault::Damaged(Damage::EntryGone(seq)).into()),
            },
            // A head is made before the first fence.
            None => Ok(Author::adopting(head.lineage)),
        }
    }
}

fn told(head: &Head, last: Seq, opened_by: Author) -> Look {
    let look = Look::new(head.lineage, head.start, last, opened_by);
    match (head.snapshot, head.facts) {
        (Some(name), Some(facts)) => look.with_snapshot(name, facts.at_ms, facts.bytes),
        (Some(_) | None, _) => look,
    }
}
