//! Where a shard is: the answer to whoever wants to send something to its owner, in whatever language.
//!
//! It is what the ledger said, never a permission to act. So it says how much it is worth: how long ago the store was looked at, and
//! whether the owner's lease may be over by now.

use serde::Serialize;
use std::sync::Arc;

use super::{HoldingView, MemberStatus, MemberView, Survey};
use crate::ids::{Epoch, MemberId, ShardId};

/// How sure it is that somebody serves a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It has an owner, whose lease is good as far as is known.
    Owned,
    /// It has an owner, whose lease may be over: it was not seen to renew, or nobody has looked for long.
    Doubt,
    /// Its owner has ended, and its heir takes over; it may do so already.
    Between,
    /// Nobody owns it.
    Unowned,
    /// The page of the ledger that tells can't be read.
    Unreadable,
}

/// Where a shard is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Whereabouts {
    /// The shard.
    pub shard: ShardId,
    /// How sure it is that somebody serves it.
    pub state: Standing,
    /// Its owner; `None` if it has none.
    pub owner: Option<MemberId>,
    /// The owner's epoch; that of the last one, if there is none.
    pub epoch: Epoch,
    /// Where the owner is reached, by its own word.
    pub address: Option<Arc<str>>,
    /// Who takes it next.
    pub heir: Option<MemberId>,
    /// Where the heir is reached, by its own word.
    pub heir_address: Option<Arc<str>>,
    /// Since when the owner owns it, by the wall clock of whoever wrote that; if the page remembers.
    pub since_ms: Option<u64>,
    /// Why the owner owns it, if the page remembers; why nobody does, if so.
    pub why: Option<Arc<str>>,
}

impl Whereabouts {
    /// Where `shard` is, by a survey that was drawn `drawn_ago_ms` ago; `None` if there is no such shard.
    pub fn of(survey: &Survey, shard: ShardId, drawn_ago_ms: u64) -> Option<Self> {
        if shard.0 >= survey.shards {
            return None;
        }
        let place = survey.holdings.binary_search_by_key(&shard, |view| view.shard);
        Some(match place {
            Ok(place) => Self::held(survey, &survey.holdings[place], drawn_ago_ms),
            Err(_) => Self::unreadable(shard),
        })
    }

    /// The same for every shard, in order.
    pub fn all(survey: &Survey, drawn_ago_ms: u64) -> Vec<Self> {
        (0..survey.shards).filter_map(|shard| Self::of(survey, ShardId(shard), drawn_ago_ms)).collect()
    }

    fn held(survey: &Survey, view: &HoldingView, drawn_ago_ms: u64) -> Self {
        let (owner, heir) = (member(survey, view.owner.as_ref()), member(survey, view.heir.as_ref()));
        let address = |member: Option<&MemberView>| member.and_then(|member| member.address.clone());
        let is_good = owner.is_some_and(|owner| is_good(owner, drawn_ago_ms));
        let state = match (&view.owner, &view.heir) {
            (Some(_), _) if is_good => Standing::Owned,
            (Some(_), _) => Standing::Doubt,
            (None, Some(_)) => Standing::Between,
            (None, None) => Standing::Unowned,
        };
        Self {
            shard: view.shard,
            state,
            owner: view.owner.clone(),
            epoch: view.epoch,
            address: address(owner),
            heir: view.heir.clone(),
            heir_address: address(heir),
            since_ms: view.since_ms,
            why: view.why.clone(),
        }
    }

    fn unreadable(shard: ShardId) -> Self {
        Self {
            shard,
            state: Standing::Unreadable,
            owner: None,
            epoch: Epoch(0),
            address: None,
            heir: None,
            heir_address: None,
            since_ms: None,
            why: None,
        }
    }
}

fn member<'a>(survey: &'a Survey, id: Option<&MemberId>) -> Option<&'a MemberView> {
    let place = survey.members.binary_search_by_key(&id?, |view| &view.id).ok()?;
    survey.members.get(place)
}

/// Whether the lease of `owner` was renewed within its length, counted up to now.
fn is_good(owner: &MemberView, drawn_ago_ms: u64) -> bool {
    let open = matches!(owner.state, MemberStatus::Active | MemberStatus::Drained | MemberStatus::Leaving);
    open && owner.renewed_ago_ms.saturating_add(drawn_ago_ms) < owner.ttl_ms
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Scene, member, owned, promised};
    use super::*;
    use crate::record::{Holding, MemberRecord};

    fn survey() -> Survey {
        let reached = MemberRecord { address: Some("10.1.2.3:80".into()), ..member() };
        let holdings = vec![owned("a"), promised("a", "b"), Holding::default()];
        Scene::new(holdings).with("a", reached).with("b", member()).survey(0)
    }

    fn of(survey: &Survey, shard: u32, drawn_ago_ms: u64) -> Whereabouts {
        Whereabouts::of(survey, ShardId(shard), drawn_ago_ms).unwrap()
    }

    #[test]
    fn an_owner_is_told_with_its_epoch_and_address() {
        let found = of(&survey(), 0, 0);
        assert_eq!((found.state, found.owner.unwrap().as_str()), (Standing::Owned, "a"));
        assert_eq!((found.address.as_deref(), found.heir), (Some("10.1.2.3:80"), None));
    }

    #[test]
    fn an_address_that_nobody_could_set_is_left_out() {
        for odd in ["x".repeat(1 << 20), "a\n".into(), String::new()] {
            let record = MemberRecord { address: Some(odd), ..member() };
            let survey = Scene::new(vec![owned("a")]).with("a", record).survey(0);
            assert_eq!(of(&survey, 0, 0).address, None);
        }
    }

    #[test]
    fn an_heir_is_told_beside_the_owner_and_need_not_have_an_address() {
        let found = of(&survey(), 1, 0);
        assert_eq!((found.state, found.heir.unwrap().as_str()), (Standing::Owned, "b"));
        assert_eq!(found.heir_address, None);
    }

    #[test]
    fn once_a_lease_may_be_over_its_owner_is_in_doubt() {
        let survey = survey();
        let ttl_ms = survey.members[0].ttl_ms;
        assert_eq!(of(&survey, 0, ttl_ms - 1).state, Standing::Owned);
        assert_eq!(of(&survey, 0, ttl_ms).state, Standing::Doubt);
        assert_eq!(of(&survey, 0, u64::MAX).state, Standing::Doubt);
    }

    #[test]
    fn a_shard_that_nobody_owns_says_why() {
        let found = of(&survey(), 2, 0);
        assert_eq!((found.state, found.owner), (Standing::Unowned, None));
        assert!(found.why.unwrap().starts_with("never owned"));
    }

    #[test]
    fn a_page_that_is_not_read_is_no_shard_without_an_owner() {
        let mut survey = survey();
        survey.holdings.remove(1);
        assert_eq!(of(&survey, 1, 0).state, Standing::Unreadable);
        assert_eq!(of(&survey, 2, 0).state, Standing::Unowned);
    }

    #[test]
    fn a_shard_that_the_cluster_does_not_have_is_nowhere() {
        assert_eq!(Whereabouts::of(&survey(), ShardId(3), 0), None);
        assert_eq!(Whereabouts::all(&survey(), 0).len(), 3);
    }
}
