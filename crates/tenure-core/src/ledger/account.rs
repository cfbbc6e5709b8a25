//! What steps do to a page, in words: since when a shard is where it is, and why.

use std::collections::BTreeMap;

use crate::ids::{MemberId, ShardId};
use crate::record::{Change, Holding, LedgerPage, Ranges, StepTaken};

use super::Step;

/// An account of the steps that somebody takes on a page.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    /// The page, before the steps.
    pub page: &'a LedgerPage,
    /// The first shard of the page.
    pub first: ShardId,
    /// Who takes them.
    pub author: &'a MemberId,
    /// What the author's wall clock shows.
    pub at_ms: Option<u64>,
}

impl Account<'_> {
    /// What `steps` change, the shards of one reason together. `cause` says why shards are promised whose owner stays.
    pub fn of(&self, steps: &[(usize, Step)], cause: &str) -> Vec<Change> {
        let mut told: Vec<(StepTaken, String, Vec<ShardId>)> = Vec::new();
        let mut places: BTreeMap<(StepTaken, String), usize> = BTreeMap::new();
        for (index, step) in steps {
            let shard = ShardId(self.first.0 + *index as u32);
            let (taken, reason) = self.tell(shard, &self.page.holdings[*index], step, cause);
            let place = *places.entry((taken, reason.clone())).or_insert(told.len());
            match told.get_mut(place) {
                Some((_, _, shards)) => shards.push(shard),
                None => told.push((taken, reason, vec![shard])),
            }
        }
        told.into_iter().map(|(taken, reason, shards)| self.change(taken, reason, shards)).collect()
    }

    fn change(&self, step: StepTaken, reason: String, shards: Vec<ShardId>) -> Change {
        Change { at_ms: self.at_ms, author: self.author.clone(), step, reason, shards: Ranges::of(shards) }
    }

    fn tell(&self, shard: ShardId, holding: &Holding, step: &Step, cause: &str) -> (StepTaken, String) {
        let owner = holding.owner.as_ref().map(|life| life.id());
        match (step, owner) {
            (Step::Appoint(_), None) => (StepTaken::Appointed, "first owner".into()),
            (Step::Appoint(_), Some(owner)) => (StepTaken::Appointed, format!("{owner} ended")),
            (Step::Succeed, owner) => (StepTaken::Succeeded, self.succeeded(shard, owner)),
            (Step::Promise(_), _) => (StepTaken::Promised, promised(holding, cause)),
            (Step::CallOff, _) => (StepTaken::CalledOff, heir_ended(holding)),
        }
    }

    /// An heir succeeds for the reason that the shard was promised for.
    fn succeeded(&self, shard: ShardId, owner: Option<&MemberId>) -> String {
        let from = owner.map_or_else(|| "nobody".into(), ToString::to_string);
        match self.page.last_change(shard, |step| step == StepTaken::Promised) {
            Some(promise) => format!("from {from}: {}", promise.reason),
            None => format!("from {from}"),
        }
    }
}

fn promised(holding: &Holding, cause: &str) -> String {
    match &holding.heir {
        Some(_) => heir_ended(holding),
        None => cause.to_owned(),
    }
}

fn heir_ended(holding: &Holding) -> String {
    let heir = holding.heir.as_ref().map(|heir| heir.life.id().to_string());
    format!("heir {} ended", heir.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{Epoch, Incarnation, Life, Line, Lineage};
    use crate::record::Heir;

    fn life(name: &str) -> Life {
        Life::new(name.parse().unwrap(), Incarnation { line: Line(1), term: 1 })
    }

    fn owned(owner: &str, heir: Option<&str>) -> Holding {
        let heir = heir.map(|heir| Heir { life: life(heir), epoch: Epoch(2) });
        let top = if heir.is_some() { Epoch(2) } else { Epoch(1) };
        Holding { owner: Some(life(owner)), epoch: Epoch(1), heir, top }
    }

    fn told(page: &LedgerPage, steps: &[(usize, Step)], cause: &str) -> Vec<(StepTaken, String, String)> {
        let author = "z".parse().unwrap();
        let account = Account { page, first: ShardId(100), author: &author, at_ms: Some(5) };
        let changes = account.of(steps, cause).into_iter();
        changes.map(|change| (change.step, change.reason, change.shards.to_string())).collect()
    }

    #[test]
    fn shards_that_change_for_one_reason_are_told_together() {
        let mut page = LedgerPage::blank(Lineage(1), 4);
        page.holdings[2] = owned("a", None);
        let steps = [0, 1, 2, 3].map(|index| (index, Step::Appoint(life("b"))));
        let expected = [
            (StepTaken::Appointed, "first owner".into(), "100-101,103".into()),
            (StepTaken::Appointed, "a ended".into(), "102".into()),
        ];
        assert_eq!(told(&page, &steps, "forced"), expected);
    }

    #[test]
    fn an_heir_succeeds_for_the_reason_of_the_promise() {
        let mut page = LedgerPage::blank(Lineage(1), 1);
        page.holdings[0] = owned("a", None);
        let promise = [(0, Step::Promise(life("b")))];
        let author = "z".parse().unwrap();
        let account = Account { page: &page, first: ShardId(100), author: &author, at_ms: None };
        let changes = account.of(&promise, "balance");
        page.remember(changes);
        page.holdings[0] = owned("a", Some("b"));
        let expected = [(StepTaken::Succeeded, "from a: balance".into(), "100".into())];
        assert_eq!(told(&page, &[(0, Step::Succeed)], "forced"), expected);
    }

    #[test]
    fn a_promise_whose_heir_ended_says_so() {
        let mut page = LedgerPage::blank(Lineage(1), 1);
        page.holdings[0] = owned("a", Some("b"));
        let elsewhere = told(&page, &[(0, Step::Promise(life("c")))], "forced");
        assert_eq!(elsewhere, [(StepTaken::Promised, "heir b ended".into(), "100".into())]);
        let called_off = told(&page, &[(0, Step::CallOff)], "forced");
        assert_eq!(called_off, [(StepTaken::CalledOff, "heir b ended".into(), "100".into())]);
    }
}
