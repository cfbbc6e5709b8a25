//! What a member knows at one moment: which epochs have ended, and what the ledger says.
//!
//! The parts of a member do not reach into each other. Each is given this, and what it owns itself.

use crate::config::Config;
use crate::ids::{Epoch, Life, MemberId, ShardId};
use crate::ledger::Book;
use crate::moment::Moment;
use crate::record::Holding;
use crate::roster::{Roster, Trust};

use super::releases::Releases;

/// How much was known when something was concluded: nothing is concluded twice from the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pages: u64,
    members: u64,
    releases: u64,
}

/// What is known of the ends of lives and epochs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends<'a> {
    pub now: Moment,
    pub config: &'a Config,
    /// Our own life.
    pub life: Option<&'a Life>,
    pub roster: &'a Roster,
    pub releases: &'a Releases,
}

impl<'a> Ends<'a> {
    pub(super) fn new(
        now: Moment,
        config: &'a Config,
        life: Option<&'a Life>,
        roster: &'a Roster,
        releases: &'a Releases,
    ) -> Self {
        Self { now, config, life, roster, releases }
    }

    /// Whether an epoch of a shard is known to have ended.
    pub(super) fn has_ended(&self, life: &Life, shard: ShardId, epoch: Epoch) -> bool {
        if self.life == Some(life) {
            return self.config.rules.own_epoch_ended(self.releases.has(shard, epoch));
        }
        self.roster.has_ended(self.now, life, shard, epoch)
    }

    pub(super) fn owner_ended(&self, shard: ShardId, holding: &Holding) -> bool {
        holding.owner.as_ref().is_none_or(|owner| self.has_ended(owner, shard, holding.epoch))
    }
}

/// What a member that has found its cluster knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge<'a> {
    pub ends: Ends<'a>,
    pub book: &'a Book,
}

impl Knowledge<'_> {
    /// How much is known of all pages.
    pub(super) fn known(&self) -> Known {
        self.known_with(self.book.revision())
    }

    /// How much is known of one page.
    pub(super) fn known_of(&self, number: u32) -> Known {
        self.known_with(self.book.leaves()[number as usize].revision)
    }

    fn known_with(&self, pages: u64) -> Known {
        Known { pages, members: self.ends.roster.revision(), releases: self.ends.releases.count() }
    }

    /// Whether a member was seen renewed of late, so that it may be given shards (C6).
    pub(super) fn is_fresh(&self, id: &MemberId) -> bool {
        let Ends { now, config, roster, .. } = self.ends;
        let renewed = || roster.entry(id).is_some_and(|entry| entry.trust(now) == Trust::Renewed);
        *id == config.id || config.rules.is_fresh(renewed())
    }
}
