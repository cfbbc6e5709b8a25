//! Looks at a cluster without being a member: reads meta, all pages and then all members, and concludes nothing that it would
//! have to act on.
//!
//! Time is a difficulty: whoever has just come has seen no renewal yet. Until it sees one of its own, an onlooker takes the
//! wall-clock times in the records for true, which is good enough for people and for nobody else.

use std::time::Duration;

use super::{MemberStatus, Survey, Surveyor};
use crate::ids::{Epoch, Life, MemberId, ShardId};
use crate::ledger::Book;
use crate::message::{Reply, Versioned};
use crate::moment::{Moment, Timing};
use crate::record::{Meta, Version};
use crate::roster::{Roster, SeenRecord};

/// Looks at a cluster without being a member.
#[derive(Debug)]
pub struct Onlooker {
    book: Book,
    roster: Roster,
    timing: Timing,
    first_look: Option<Moment>,
    last_look: Option<Moment>,
}

impl Onlooker {
    /// Looks at the cluster that `meta` describes.
    pub fn new(meta: Meta) -> Self {
        // What is usual: a quarter of the longest lease. It matters to what people are told, never to what is done.
        let timing = Timing::for_ttl(meta.ttl_max() / 4);
        let roster = Roster::onlooking(timing.clone(), meta.ttl_max());
        Self { book: Book::new(meta), roster, timing, first_look: None, last_look: None }
    }

    /// What all members agree on.
    pub fn meta(&self) -> &Meta {
        self.book.meta()
    }

    /// The ledger, as last read.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The members, as last seen.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// The pages to read now, each with the version that need not be sent again.
    pub fn pages(&self) -> Vec<(u32, Option<Version>)> {
        self.book.leaves().iter().zip(0..).map(|(leaf, number)| (number, leaf.version.clone())).collect()
    }

    /// A page was read. What is wrong with it is told by the survey.
    pub fn page_read(&mut self, now: Moment, number: u32, reply: Reply) {
        let begun_at = self.book.leaves()[number as usize].generation;
        let _ = self.book.read(now, number, begun_at, reply);
    }

    /// The members were listed, after all pages: the look is over.
    pub fn listed(&mut self, now: Moment, asked_at: Moment, members: Vec<(MemberId, Versioned)>) {
        self.roster.listed(now, asked_at, members);
        self.first_look.get_or_insert(now);
        self.last_look = Some(now);
    }

    /// What was seen, at `now`, which is `wall_ms` by the wall clock.
    pub fn survey(&self, now: Moment, wall_ms: u64) -> Survey {
        let surveyor = Surveyor {
            book: Some(&self.book),
            roster: &self.roster,
            timing: &self.timing,
            ended: &|life, shard, epoch| self.has_ended(life, shard, epoch),
            age: &|entry| self.age(entry, now, wall_ms),
        };
        surveyor.survey()
    }

    /// Whether a life is known to have ended an epoch of a shard. An onlooker draws no conclusion from silence.
    pub(crate) fn has_ended(&self, life: &Life, shard: ShardId, epoch: Epoch) -> bool {
        self.roster.has_ended(Moment::ZERO, life, shard, epoch)
    }

    /// What a member is, as [`MemberView::state`](super::MemberView::state) says it.
    pub(crate) fn state_of(&self, id: &MemberId, wall_ms: u64) -> Option<MemberStatus> {
        let now = self.last_look?;
        let survey = self.survey(now, wall_ms);
        survey.members.iter().find(|view| view.id == *id).map(|view| view.state)
    }

    /// How long ago a member renewed: by our own clock if we saw it, else by its word.
    fn age(&self, entry: &SeenRecord, now: Moment, wall_ms: u64) -> Duration {
        let watched = now.since(entry.shown_since());
        let seen = self.first_look.is_some_and(|first| entry.shown_since() > first);
        match entry.readable().and_then(|record| record.at_ms) {
            Some(at_ms) if !seen => watched.max(Duration::from_millis(wall_ms.saturating_sub(at_ms))),
            _ => watched,
        }
    }
}
