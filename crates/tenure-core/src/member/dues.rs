//! When each shard's work is to be looked at: the earliest is found without asking all of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::ShardId;
use crate::moment::Moment;

/// When each shard's work is to be looked at.
#[derive(Debug, Default)]
pub(super) struct Dues {
    by_time: BTreeSet<(Moment, ShardId)>,
    by_shard: BTreeMap<ShardId, Moment>,
}

impl Dues {
    pub(super) fn set(&mut self, shard: ShardId, due: Option<Moment>) {
        if self.by_shard.get(&shard) == due.as_ref() {
            return;
        }
        if let Some(before) = self.by_shard.remove(&shard) {
            self.by_time.remove(&(before, shard));
        }
        if let Some(due) = due {
            self.by_shard.insert(shard, due);
            self.by_time.insert((due, shard));
        }
    }

    pub(super) fn earliest(&self) -> Option<Moment> {
        self.by_time.first().map(|(at, _)| *at)
    }

    /// The shards that are due, in order.
    pub(super) fn by(&self, now: Moment) -> BTreeSet<ShardId> {
        self.by_time.iter().take_while(|(at, _)| *at <= now).map(|(_, shard)| *shard).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Moment {
        Moment::from_nanos(nanos)
    }

    #[test]
    fn the_earliest_is_known_and_what_is_due_comes_in_the_order_of_shards() {
        let mut dues = Dues::default();
        dues.set(ShardId(7), Some(at(10)));
        dues.set(ShardId(2), Some(at(30)));
        dues.set(ShardId(1), Some(at(20)));
        assert_eq!((dues.earliest(), dues.by(at(5))), (Some(at(10)), BTreeSet::new()));
        assert_eq!(dues.by(at(20)), BTreeSet::from([ShardId(1), ShardId(7)]));
    }

    #[test]
    fn what_is_set_anew_or_no_more_due_leaves_nothing_behind() {
        let mut dues = Dues::default();
        dues.set(ShardId(7), Some(at(10)));
        dues.set(ShardId(7), Some(at(40)));
        assert_eq!(dues.earliest(), Some(at(40)));
        dues.set(ShardId(7), None);
        assert_eq!((dues.earliest(), dues.by(at(99))), (None, BTreeSet::new()));
    }
}
