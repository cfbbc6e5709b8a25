//! Records for tests: some written out by hand, and strategies that draw any that can exist.

use std::time::Duration;

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::Value;

use super::{
    Change, FORMAT, Failing, Formation, Heir, Holding, LedgerPage, MemberRecord, MemberState, Meta,
    NUMBER_MAX, Ranges, Released, StepTaken, Unknown, Why,
};
use crate::ids::{Epoch, Incarnation, Life, Line, Lineage, MemberId, Process, ShardId};

/// The longest lease in the clusters of these tests.
pub(super) const TTL_MAX: Duration = Duration::from_secs(60);

pub(super) const LINEAGE: Lineage = Lineage(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100);

pub(crate) fn id(name: &str) -> MemberId {
    name.parse().unwrap()
}

pub(crate) fn life(name: &str, line: u128, term: u64) -> Life {
    Life::new(id(name), Incarnation { line: Line(line), term })
}

pub(crate) fn meta(shards: u32, page_size: u32) -> Meta {
    Meta {
        v: FORMAT,
        lineage: LINEAGE,
        state: Formation::Ready,
        shards,
        page_size,
        ttl_max_ms: 60_000,
        placement: "rendezvous".into(),
        plan_version: 1,
        spread_zones: false,
        extra: Unknown::default(),
    }
}

pub(crate) fn member() -> MemberRecord {
    MemberRecord {
        v: FORMAT,
        line: Line(0x1111_2222_3333_4444_5555_6666_7777_8888),
        term: 1,
        process: Process(0x9999_aaaa_bbbb_cccc_dddd_eeee_ffff_0000),
        seq: 7,
        state: MemberState::Active,
        by: None,
        ttl_ms: 10_000,
        address: None,
        zone: None,
        weight: 1,
        version: String::new(),
        released: Released::default(),
        avoids: Vec::new(),
        wants: Vec::new(),
        stuck: Vec::new(),
        failing: Vec::new(),
        drained: false,
        give_back: Released::default(),
        at_ms: None,
        extra: Unknown::default(),
    }
}

pub(crate) fn owned(owner: &Life, epoch: u64) -> Holding {
    Holding { owner: Some(owner.clone()), epoch: Epoch(epoch), heir: None, top: Epoch(epoch) }
}

pub(crate) fn promised(owner: &Life, epoch: u64, heir: &Life, at: u64) -> Holding {
    let heir = Some(Heir { life: heir.clone(), epoch: Epoch(at) });
    Holding { heir, top: Epoch(at), ..owned(owner, epoch) }
}

pub(crate) fn page(holdings: Vec<Holding>) -> LedgerPage {
    LedgerPage {
        lineage: LINEAGE,
        generation: 3,
        holdings,
        why: None,
        recent: Vec::new(),
        extra: Unknown::default(),
    }
}

/// Any JSON value, a few levels deep.
pub(super) fn any_value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    let nested = leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("\\PC{0,6}", inner), 0..4).prop_map(|fields| fields.into_iter().collect::<Value>()),
        ]
    });
    nested.boxed()
}

/// Fields that this version does not know.
fn any_extra() -> impl Strategy<Value = Unknown> {
    vec(("later_[a-z]{1,6}", any_value()), 0..3).prop_map(|fields| fields.into_iter().collect())
}

fn any_number() -> impl Strategy<Value = u64> {
    prop_oneof![0..100u64, 0..=NUMBER_MAX, NUMBER_MAX - 2..=NUMBER_MAX]
}

fn any_id() -> impl Strategy<Value = MemberId> {
    "[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}".prop_map(|name| name.parse().unwrap())
}

fn any_life() -> impl Strategy<Value = Life> {
    let incarnation = (any::<u128>(), any_number());
    (any_id(), incarnation)
        .prop_map(|(id, (line, term))| Life::new(id, Incarnation { line: Line(line), term: term.max(1) }))
}

fn any_shards() -> impl Strategy<Value = Vec<ShardId>> {
    btree_set(any::<u32>().prop_map(ShardId), 0..4).prop_map(|shards| shards.into_iter().collect())
}

pub(super) fn any_meta() -> impl Strategy<Value = Meta> {
    let shards = prop_oneof![1..=super::PAGES_MAX, 1..=super::SHARDS_MAX];
    let shape = shards.prop_flat_map(|shards| {
        let least = shards.div_ceil(super::PAGES_MAX);
        (Just(shards), least..=super::PAGE_SIZE_MAX, 1..=super::TTL_MAX_MS)
    });
    let state = prop_oneof![Just(Formation::Forming), Just(Formation::Ready)];
    let plan = ("\\PC{0,12}", any::<u32>(), any::<bool>());
    (any::<u128>(), state, shape, plan, any_extra()).prop_map(|(lineage, state, shape, plan, extra)| Meta {
        lineage: Lineage(lineage),
        state,
        ttl_max_ms: shape.2,
        placement: plan.0,
        plan_version: plan.1,
        spread_zones: plan.2,
        extra,
        ..meta(shape.0, shape.1)
    })
}

fn any_state() -> impl Strategy<Value = MemberState> {
    use MemberState::{Active, Deposed, Gone, Leaving};
    prop_oneof![Just(Active), Just(Leaving), Just(Gone), Just(Deposed)]
}

fn failing(shards: Vec<ShardId>) -> Vec<Failing> {
    let of = |shard: ShardId| {
        let retry_at_ms = shard.0.is_multiple_of(2).then_some(u64::from(shard.0));
        Failing { shard, failures: shard.0, error: format!("{shard} fails"), retry_at_ms }
    };
    shards.into_iter().map(of).collect()
}

pub(super) fn any_member() -> impl Strategy<Value = MemberRecord> {
    let text = || option::of("\\PC{0,20}");
    let epochs = || btree_set((any::<u32>().prop_map(ShardId), any_number().prop_map(Epoch)), 0..5);
    let lease =
        (any::<u128>(), any_number(), any::<u128>(), any_number(), 1..=60_000u64, option::of(any_number()));
    let about = (any_state(), option::of(any_id()), text(), text(), any::<u32>(), "\\PC{0,9}", any::<bool>());
    let shards = (epochs(), any_shards(), any_shards(), any_shards(), any_shards(), epochs());
    (lease, about, shards, any_extra()).prop_map(|(lease, about, shards, extra)| MemberRecord {
        v: FORMAT,
        line: Line(lease.0),
        term: lease.1.max(1),
        process: Process(lease.2),
        seq: lease.3,
        ttl_ms: lease.4,
        state: about.0,
        by: about.1,
        address: about.2,
        zone: about.3,
        weight: about.4,
        version: about.5,
        released: shards.0.into_iter().collect(),
        avoids: shards.1,
        wants: shards.2,
        stuck: shards.3,
        failing: failing(shards.4),
        drained: about.6,
        give_back: shards.5.into_iter().collect(),
        at_ms: lease.5,
        extra,
    })
}

/// A holding of lives that are chosen from `lives`, as the steps of the ledger leave it.
fn any_holding(lives: Vec<Life>) -> impl Strategy<Value = Holding> {
    let one = proptest::sample::select(lives);
    let epochs = [any_number(), any_number(), any_number()];
    (one.clone(), one, 0..4u8, epochs).prop_map(|(owner, heir, kind, mut epochs)| {
        epochs.sort_unstable();
        let [first, second, top] = epochs.map(|number| number.clamp(2, NUMBER_MAX));
        match kind {
            0 => Holding { top: Epoch(top), ..Holding::default() },
            1 => owned(&owner, top),
            2 => Holding { top: Epoch(top), ..owned(&owner, first) },
            _ => {
                let at = second.max(first.min(second - 1) + 1);
                Holding { top: Epoch(top), ..promised(&owner, first.min(at - 1), &heir, at) }
            }
        }
    })
}

fn any_change() -> impl Strategy<Value = Change> {
    let step = prop_oneof![
        Just(StepTaken::Appointed),
        Just(StepTaken::Succeeded),
        Just(StepTaken::Promised),
        Just(StepTaken::CalledOff)
    ];
    let shards = btree_set(any::<u32>().prop_map(ShardId), 0..6).prop_map(Ranges::of);
    (option::of(any_number()), any_id(), step, "\\PC{0,20}", shards)
        .prop_map(|(at_ms, author, step, reason, shards)| Change { at_ms, author, step, reason, shards })
}

/// A page, and the meta of a cluster that has just this page.
pub(super) fn any_page() -> impl Strategy<Value = (Meta, LedgerPage)> {
    let holdings = vec(any_life(), 1..6).prop_flat_map(|lives| vec(any_holding(lives), 1..40)).boxed();
    let why = option::of(("\\PC{0,20}", any_id(), vec(any_id(), 0..4)));
    let about = (why, vec(any_change(), 0..3));
    (holdings, any_number(), about, any_extra()).prop_map(|(holdings, generation, (why, recent), extra)| {
        let why = why.map(|(reason, author, view)| Why { reason, author, view });
        let len = u32::try_from(holdings.len()).unwrap();
        (meta(len, 64), LedgerPage { generation, why, recent, extra, ..page(holdings) })
    })
}
