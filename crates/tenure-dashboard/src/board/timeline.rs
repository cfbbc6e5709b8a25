//! Who owned what over the last minutes, bounded in time and in number.

use std::collections::VecDeque;

use super::cell::Cell;
use super::tenancy::{Tenancy, Tenure, Vacancy};
use crate::view::{End, Reasons, Tenures};

/// So long a tenure that ended is remembered.
pub(crate) const REMEMBERED_MS: u64 = 15 * 60 * 1000;

/// So many that ended are remembered at most; the oldest go first.
const ENDED_MAX: usize = 50_000;

/// How an owner ended, and when it last gave a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parting {
    pub(super) end: End,
    pub(super) sign_ms: u64,
}

/// The tenures of all shards.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    shards: Vec<Tenancy>,
    ended: VecDeque<Tenure>,
}

impl Timeline {
    /// A timeline of so many shards.
    pub(super) fn new(shards: usize) -> Self {
        Self { shards: vec![Tenancy::Unknown; shards], ended: VecDeque::new() }
    }

    /// A look at `at_ms` showed the shard so; `parting` tells of its former owner. What changed: a tenure that ended, one
    /// that began.
    pub(super) fn saw(
        &mut self,
        at_ms: u64,
        shard: u32,
        cell: &Cell,
        parting: impl FnOnce(&Tenure) -> Parting,
    ) -> [Option<Tenure>; 2] {
        let Some(tenancy) = self.shards.get_mut(shard as usize) else { return [None, None] };
        let is = cell.tenure();
        let was = match tenancy {
            Tenancy::Held(tenure) => Some((tenure.owner, tenure.epoch)),
            Tenancy::Unknown | Tenancy::Vacant(_) => None,
        };
        if was == is {
            return [None, None];
        }
        let ended = end(tenancy, at_ms, parting);
        let began = is.map(|(owner, epoch)| begin(tenancy, at_ms, (shard, owner, epoch), cell));
        self.ended.extend(ended.clone());
        self.forget(at_ms);
        [ended, began]
    }

    fn forget(&mut self, at_ms: u64) {
        let old = |tenure: &Tenure| tenure.ended.is_some_and(|(to_ms, _)| to_ms + REMEMBERED_MS < at_ms);
        while self.ended.len() > ENDED_MAX || self.ended.front().is_some_and(old) {
            self.ended.pop_front();
        }
    }

    /// All tenures that overlap with the time from `from_ms` to `to_ms`, by shard and then by time.
    pub(super) fn between(&self, from_ms: u64, to_ms: u64) -> Vec<&Tenure> {
        let overlaps = |tenure: &&Tenure| {
            tenure.from_ms <= to_ms && tenure.ended.is_none_or(|(end_ms, _)| end_ms >= from_ms)
        };
        let mut found: Vec<&Tenure> = self.ended.iter().chain(self.held()).filter(overlaps).collect();
        found.sort_by_key(|tenure| (tenure.shard, tenure.epoch));
        found
    }

    fn held(&self) -> impl Iterator<Item = &Tenure> {
        self.shards.iter().filter_map(|tenancy| match tenancy {
            Tenancy::Held(tenure) => Some(tenure),
            Tenancy::Unknown | Tenancy::Vacant(_) => None,
        })
    }
}

/// Ends the tenure that lasts, if one does.
fn end(tenancy: &mut Tenancy, at_ms: u64, parting: impl FnOnce(&Tenure) -> Parting) -> Option<Tenure> {
    let Tenancy::Held(tenure) = tenancy else { return None };
    let Parting { end, sign_ms } = parting(tenure);
    let ended = Tenure { ended: Some((at_ms, end)), ..tenure.clone() };
    *tenancy = Tenancy::Vacant(Vacancy { since_ms: at_ms, sign_ms: sign_ms.min(at_ms), end });
    Some(ended)
}

/// Begins a tenure. One that was there before the first look began when the ledger says.
fn begin(tenancy: &mut Tenancy, at_ms: u64, (shard, owner, epoch): (u32, u32, u64), cell: &Cell) -> Tenure {
    let vacancy = tenancy.vacancy();
    let since =
        |sign: fn(&Vacancy) -> u64| vacancy.as_ref().map(|vacancy| at_ms.saturating_sub(sign(vacancy)));
    let (gap_ms, gap_max_ms) = (since(|vacancy| vacancy.since_ms), since(|vacancy| vacancy.sign_ms));
    let after = vacancy.map(|vacancy| vacancy.end);
    let from_ms = match tenancy {
        Tenancy::Unknown => cell.since_ms.map_or(at_ms, |since_ms| since_ms.min(at_ms)),
        Tenancy::Held(_) | Tenancy::Vacant(_) => at_ms,
    };
    let why = cell.why.clone();
    let tenure = Tenure { shard, epoch, owner, from_ms, ended: None, gap_ms, gap_max_ms, after, why };
    *tenancy = Tenancy::Held(tenure.clone());
    tenure
}

/// Tenures as parallel arrays.
pub(super) fn spelled<'a>(seq: u64, at_ms: u64, tenures: impl IntoIterator<Item = &'a Tenure>) -> Tenures {
    let mut spelled = Tenures { seq, at_ms, ..Tenures::default() };
    let mut reasons = Reasons::default();
    for tenure in tenures {
        spelled.shard.push(tenure.shard);
        spelled.epoch.push(tenure.epoch);
        spelled.owner.push(tenure.owner);
        spelled.from_ms.push(tenure.from_ms);
        spelled.to_ms.push(tenure.ended.map(|(to_ms, _)| to_ms));
        spelled.end.push(tenure.ended.map(|(_, end)| end));
        spelled.gap_ms.push(tenure.gap_ms);
        spelled.gap_max_ms.push(tenure.gap_max_ms);
        spelled.why.push(tenure.why.as_deref().map(|why| reasons.place(why)));
    }
    spelled.reasons = reasons.into_words();
    spelled
}
