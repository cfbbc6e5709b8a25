//! How planners take turns (C2, C3, C5). Safety rests on none of it; that the ledger comes to rest, and soon, does.
//!
//! Judged when a page is sent, by what its author could know: it saw everything later than it was true, so a wait that is
//! too short when counted from the truth is too short by the author's own count.

use std::time::Duration;

use tenure_core::ids::{Life, MemberId, ShardId};
use tenure_core::moment::{Moment, Timing};
use tenure_core::plan::rank;
use tenure_core::record::{Holding, LedgerPage, Version};

use crate::promises::{Promise, Scene, Verdict};
use crate::surroundings::ProcessNo;

/// A page that a member sends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent<'a> {
    pub(crate) by: ProcessNo,
    pub(crate) id: &'a MemberId,
    pub(crate) timing: &'a Timing,
    pub(crate) number: u32,
    /// The first shard of the page.
    pub(crate) first: u32,
    /// The page that is to be replaced, and its version.
    pub(crate) old: &'a LedgerPage,
    pub(crate) version: &'a Version,
    pub(crate) new: &'a LedgerPage,
}

/// Watches a page that a member sends.
pub(crate) fn sent(scene: Scene<'_>, sent: &Sent<'_>) -> Verdict {
    let Some(why) = &sent.new.why else { return Ok(()) };
    let judge = Judge { scene, sent, local: scene.procs[sent.by].clock.read(scene.now) };
    let place = |thing: &str| rank(thing, sent.id, &why.view);
    if !why.reason.starts_with("balance") {
        judge.waited_for_turn(place(&format!("page/{}", sent.number)))?;
        return judge.each(|judge, shard, before, after| judge.first(shard, before, after));
    }
    judge.waited_to_balance(place("plan"))?;
    judge.read_in_order()?;
    judge.keeps_to_the_budget()?;
    judge.each(|judge, shard, _, after| judge.moved(shard, after))
}

struct Judge<'a> {
    scene: Scene<'a>,
    sent: &'a Sent<'a>,
    local: Moment,
}

impl Judge<'_> {
    fn each(&self, watch: impl Fn(&Self, ShardId, &Holding, &Holding) -> Verdict) -> Verdict {
        let both = self.sent.old.holdings.iter().zip(&self.sent.new.holdings);
        for (shard, (before, after)) in (self.sent.first..).zip(both) {
            if before != after {
                watch(self, ShardId(shard), before, after)?;
            }
        }
        Ok(())
    }

    /// C2: whoever comes later in rank waits, counted from its last try at this page.
    fn waited_for_turn(&self, rank: u32) -> Verdict {
        let since = self.scene.procs[self.sent.by].conduct.quiet_since(self.sent.number);
        self.waited(since, self.sent.timing.stagger * rank, || format!("takes a forced step in turn {rank}"))
    }

    /// C2: moves for balance are for the first in rank, and for the next only after a lease, and so on.
    fn waited_to_balance(&self, rank: u32) -> Verdict {
        let since = self.scene.procs[self.sent.by].conduct.joined_at;
        self.waited(since, self.sent.timing.ttl * rank, || format!("moves for balance in turn {rank}"))
    }

    /// C3: the members were read after the page that is replaced.
    fn read_in_order(&self) -> Verdict {
        let conduct = &self.scene.procs[self.sent.by].conduct;
        match conduct.had_at(self.sent.number, self.sent.version) {
            Some(had) if conduct.listing_asked < had => {
                self.wrong("moves by members that it asked for before it had the page".into())
            }
            _ => Ok(()),
        }
    }

    /// C5: only so many shards are on the move at once.
    fn keeps_to_the_budget(&self) -> Verdict {
        let both = self.sent.old.holdings.iter().zip(&self.sent.new.holdings);
        let promised = both.filter(|(before, after)| before.heir.is_none() && after.heir.is_some()).count();
        let budget = (self.scene.truth.given.len() / 4).max(16);
        match promised <= budget {
            true => Ok(()),
            false => self.wrong(format!("moves {promised} shards at once, of which {budget} may")),
        }
    }

    /// C3: the first owner of a shard is one that had time to settle.
    fn first(&self, shard: ShardId, before: &Holding, after: &Holding) -> Verdict {
        match &after.owner {
            Some(owner) if before.top.0 == 0 => self.settled(shard, owner),
            _ => Ok(()),
        }
    }

    /// C3 and C5: the heir had time to settle, and so had the shard.
    fn moved(&self, shard: ShardId, after: &Holding) -> Verdict {
        if let Some(heir) = &after.heir {
            self.settled(shard, &heir.life)?;
        }
        let changed = self.scene.truth.changed[shard.0 as usize];
        self.waited(self.shown(changed), self.sent.timing.debounce * 2, || {
            format!("moves {shard:?}, which has just changed")
        })
    }

    fn settled(&self, shard: ShardId, life: &Life) -> Verdict {
        let Some(number) = self.scene.truth.find(life) else { return Ok(()) };
        let born = self.scene.truth.lives[number].born;
        self.waited(self.shown(born), self.sent.timing.debounce, || {
            format!("gives {shard:?} to {life}, which has just joined")
        })
    }

    /// What the author's clock showed at a true time.
    fn shown(&self, at: crate::clock::Nanos) -> Moment {
        self.scene.procs[self.sent.by].clock.read(at)
    }

    fn waited(&self, since: Moment, wait: Duration, what: impl FnOnce() -> String) -> Verdict {
        let waited = self.local.since(since);
        if waited >= wait {
            return Ok(());
        }
        self.wrong(format!("{} after {waited:?}, and should have waited {wait:?}", what()))
    }

    fn wrong(&self, text: String) -> Verdict {
        let name = &self.scene.procs[self.sent.by].name;
        Err((Promise::Settles, format!("{name} {text}")))
    }
}
