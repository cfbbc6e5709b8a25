//! The operator: drains, moves, fences and deletes, as the program `tenure` lets people do.

use tenure::ShardId;
use tenure::store::Entry;
use tenure_core::ids::{MemberId, Process};
use tenure_core::message::{Reply, Request, Versioned};
use tenure_core::moment::Moment;
use tenure_core::operator::{self, Mover};
use tenure_core::record::{Key, MemberRecord, Meta};
use tenure_core::survey::Onlooker;

use super::depot::{Answer, Ask};
use super::run::{Happening, LibrarySim};
use crate::promises::{Promise, Verdict};

impl LibrarySim<'_> {
    /// Asks a member to hand its shards on, or no longer.
    pub(super) fn drain_some(&mut self) {
        if let Some((seen, id)) = self.some_member() {
            let drained = self.is_drained(&id);
            self.order(operator::drain(&seen, &id, !drained).ok().flatten());
        }
    }

    /// Moves a shard.
    pub(super) fn move_some(&mut self) {
        let Some((seen, to)) = self.some_member() else { return };
        let shard = ShardId(self.chance.below(u64::from(self.faults.shards)) as u32);
        let author = "operator".parse().expect("a plain name");
        let mover = Mover { author, at_ms: self.now / 1_000_000 };
        self.order(operator::promise(&seen, shard, &to, &mover).ok());
    }

    /// Takes a member's record away from it.
    pub(super) fn fence_some(&mut self) {
        let Some((seen, id)) = self.some_member() else { return };
        let nobody = Process(self.chance.bits());
        let keep_out = self.chance.in_10k(3_000);
        self.order(operator::fence(&seen, &id, nobody, keep_out).ok());
    }

    /// Deletes a member's record.
    pub(super) fn delete_some(&mut self) {
        let records = self.members();
        if records.is_empty() {
            return;
        }
        let Entry { key, record } = records[self.chance.place(records.len())].clone();
        self.deleted = true;
        self.carry(Ask::Delete { key, version: record.version });
    }

    /// One member may stay drained once faults have stopped: that must have its effect, and last.
    pub(super) fn keep_one_drained(&mut self) {
        if self.faults.members < 2 || !self.chance.in_10k(3_000) {
            return;
        }
        if let Some((seen, id)) = self.some_member() {
            self.order(operator::drain(&seen, &id, true).ok().flatten());
            self.drained = Some(id);
        }
    }

    /// Nobody is drained but the one that is to stay so.
    pub(super) fn drain_as_wanted(&mut self) {
        let Some(seen) = self.sight() else { return };
        let ids = seen.roster().entries().map(|(id, _)| id.clone());
        let ids: Vec<MemberId> = ids.filter(|id| self.drained.as_ref() != Some(id)).collect();
        for id in ids {
            self.order(operator::drain(&seen, &id, false).ok().flatten());
        }
    }

    /// A member that was deleted while drained may come back drained: the operator sees it and mends it.
    pub(super) fn mend_drained(&mut self, key: &str) {
        let id = key.strip_prefix("sim/members/").and_then(|id| id.parse::<MemberId>().ok());
        let wrong = |id: &MemberId| self.drained.as_ref() != Some(id) && self.is_drained(id);
        if self.healed_at.is_some() && id.as_ref().is_some_and(wrong) {
            self.later(self.faults.ttl / 100, Happening::Undrain);
        }
    }

    /// The drained member has had time to hand everything on: it may act for nothing, and is drained still.
    pub(super) fn stayed_drained(&self) -> Verdict {
        let Some(id) = &self.drained else { return Ok(()) };
        let known = self.record(id).is_some();
        if known && !self.is_drained(id) {
            return Err((
                Promise::Settles,
                format!("{id} was drained, and its record does not say so any more"),
            ));
        }
        let acts = |process: usize| self.name_of(process) == *id;
        match self.with.book.acting().find(|(_, process)| acts(*process)) {
            Some((shard, _)) => Err((Promise::Settles, format!("{id} is drained, and acts for s{shard}"))),
            None => Ok(()),
        }
    }

    fn is_drained(&self, id: &MemberId) -> bool {
        self.record(id).is_some_and(|record| record.drained)
    }

    fn record(&self, id: &MemberId) -> Option<MemberRecord> {
        let found = self.depot.record(&path(&Key::Member(id.clone())))?;
        serde_json::from_slice(&found.value).ok()
    }

    fn some_member(&mut self) -> Option<(Onlooker, MemberId)> {
        let seen = self.sight()?;
        let ids: Vec<MemberId> = seen.roster().entries().map(|(id, _)| id.clone()).collect();
        (!ids.is_empty()).then(|| (seen, ids[self.chance.place(ids.len())].clone()))
    }

    /// Everything, as it is in the store now.
    fn sight(&self) -> Option<Onlooker> {
        let meta = Meta::decode(&self.depot.record(&path(&Key::Meta))?.value).ok()?;
        let now = Moment::from_nanos(self.now + 1);
        let mut seen = Onlooker::new(meta);
        for (number, _) in seen.pages() {
            let found = self.depot.record(&path(&Key::Page(number))).cloned();
            seen.page_read(now, number, found.map_or(Reply::Absent, Reply::Found));
        }
        seen.listed(now, now, self.members().into_iter().filter_map(named).collect());
        Some(seen)
    }

    fn members(&self) -> Vec<Entry> {
        self.depot.list(self.now, &path_of_members())
    }

    fn order(&mut self, request: Option<Request>) {
        if let Some(Request::Put { key, value, when }) = request {
            self.carry(Ask::Put { key: path(&key), value, when });
        }
    }

    fn carry(&mut self, ask: Ask) {
        let answer = self.depot.land(self.now, self.now, &ask);
        self.note("operator", || ask.told());
        if !matches!(answer, Answer::Read(_)) {
            self.hint_all(ask.key());
        }
    }
}

fn path(key: &Key) -> String {
    format!("sim/{key}")
}

fn path_of_members() -> String {
    format!("sim/{}", Key::MEMBERS)
}

fn named(entry: Entry) -> Option<(MemberId, Versioned)> {
    let id = entry.key.strip_prefix(&path_of_members())?.parse().ok()?;
    Some((id, entry.record))
}
