//! The operator who means well: moves shards and takes that back, drains and fences members, as the program `tenure` lets people do.

use tenure_core::ids::{MemberId, Process, ShardId};
use tenure_core::message::{Reply, Request};
use tenure_core::moment::Moment;
use tenure_core::operator::{self, Mover};
use tenure_core::record::Key;
use tenure_core::survey::Onlooker;

use crate::store::{Expect, Write};
use crate::surroundings::{Harness, Surroundings};

/// What an operator may ask for.
pub(crate) trait Orders<'a>: Harness<'a> {
    /// Moves a shard.
    fn move_some(&mut self) {
        let around = self.around();
        let Some((seen, to)) = around.some_member() else { return };
        let shard = ShardId(around.chance.below(u64::from(seen.meta().shards)) as u32);
        let author = "operator".parse().expect("a plain name");
        let mover = Mover { author, at_ms: around.now / 1_000_000 };
        if self.order(operator::promise(&seen, shard, &to, &mover).ok()) {
            let around = self.around();
            let heir = around.truth.holding(shard).and_then(|holding| holding.heir.clone());
            around.moves.extend(heir.map(|heir| (shard, heir)));
        }
    }

    /// Asks a member to hand its shards on, or no longer.
    fn drain_some(&mut self) {
        let Some((seen, id)) = self.around().some_member() else { return };
        let drained = self.around().record(&id).is_some_and(|record| record.drained);
        self.order(operator::drain(&seen, &id, !drained).ok().flatten());
    }

    /// Asks an heir to give back what is promised to it.
    fn take_back_some(&mut self) {
        let Some(seen) = self.around().look() else { return };
        let Some(shard) = self.around().some_promised(&seen) else { return };
        for request in operator::call_off(&seen, &[shard]).unwrap_or_default() {
            if self.order(Some(request)) {
                self.around().moves.retain(|(moved, _)| *moved != shard);
            }
        }
    }

    /// Fences a member.
    fn fence_some(&mut self) {
        let around = self.around();
        let Some((seen, id)) = around.some_member() else { return };
        let nobody = Process(u128::from(around.chance.below(u64::MAX)) << 64);
        let keep_out = around.chance.in_10k(3_000);
        self.order(operator::fence(&seen, &id, nobody, keep_out).ok());
    }

    /// Whether it landed.
    fn order(&mut self, request: Option<Request>) -> bool {
        let Some(Request::Put { key, value, when }) = request else { return false };
        let write = Write { key: &key, value: Some(value), when: Expect::from(&when) };
        self.write(None, write).is_some()
    }
}

impl<'a, H: Harness<'a>> Orders<'a> for H {}

impl Surroundings<'_> {
    fn some_member(&mut self) -> Option<(Onlooker, MemberId)> {
        let seen = self.look()?;
        let ids: Vec<MemberId> = seen.roster().entries().map(|(id, _)| id.clone()).collect();
        (!ids.is_empty()).then(|| (seen, ids[self.chance.place(ids.len())].clone()))
    }

    /// A shard that has an heir.
    fn some_promised(&mut self, seen: &Onlooker) -> Option<ShardId> {
        let shards = (0..seen.meta().shards).map(ShardId);
        let promised =
            |shard: &ShardId| self.truth.holding(*shard).is_some_and(|holding| holding.heir.is_some());
        let shards: Vec<ShardId> = shards.filter(promised).collect();
        (!shards.is_empty()).then(|| shards[self.chance.place(shards.len())])
    }

    /// Everything, as it is in the store now.
    fn look(&self) -> Option<Onlooker> {
        let meta = self.truth.meta.clone().filter(|_| self.is_ready())?;
        let now = Moment::from_nanos(self.now + 1);
        let mut seen = Onlooker::new(meta);
        for (number, _) in seen.pages() {
            let found = self.store.get(&Key::Page(number)).cloned();
            seen.page_read(now, number, found.map_or(Reply::Absent, Reply::Found));
        }
        seen.listed(now, now, self.store.members(|| self.now));
        Some(seen)
    }
}
