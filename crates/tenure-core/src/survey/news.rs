//! What changed between two pictures of a cluster.

mod ails;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::{HoldingView, MemberStatus, MemberView, Survey};
use crate::ids::{Epoch, Incarnation, MemberId, ShardId};
use crate::record::StepTaken;

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// A member has a new life, or its record was seen for the first time.
    Joined {
        /// Who.
        member: MemberId,
        /// In which life.
        incarnation: Option<Incarnation>,
    },
    /// A member is in another state than before.
    Became {
        /// Who.
        member: MemberId,
        /// As in [`MemberView::state`].
        state: MemberStatus,
    },
    /// A member's record was removed.
    Forgotten {
        /// Whose.
        member: MemberId,
    },
    /// A shard has a new owner, to whom it was not promised (P1).
    Appointed {
        /// Which.
        shard: ShardId,
        /// Who owned it before.
        from: Option<MemberId>,
        /// Who owns it now.
        owner: MemberId,
        /// At which epoch.
        epoch: Epoch,
        /// Why, if that is known.
        why: Option<Arc<str>>,
    },
    /// A shard's heir has become its owner (P2).
    Succeeded {
        /// Which.
        shard: ShardId,
        /// Who owned it before.
        from: Option<MemberId>,
        /// Who owns it now.
        owner: MemberId,
        /// At which epoch.
        epoch: Epoch,
        /// Why, if that is known.
        why: Option<Arc<str>>,
    },
    /// A shard has a new heir (P3, P4).
    Promised {
        /// Which.
        shard: ShardId,
        /// To whom.
        heir: MemberId,
    },
    /// A promise was called off (P5).
    CalledOff {
        /// Which shard.
        shard: ShardId,
    },
    /// A shard has no owner any more.
    Unowned {
        /// Which.
        shard: ShardId,
        /// Why.
        why: Option<Arc<str>>,
    },
    /// A shard's work has failed, and is tried again.
    Failing {
        /// Whose.
        member: MemberId,
        /// Which.
        shard: ShardId,
        /// Failures in a row.
        failures: u32,
        /// What the last one said.
        error: String,
    },
    /// A shard's work does not end although it was interrupted.
    Stuck {
        /// Whose.
        member: MemberId,
        /// Which.
        shard: ShardId,
    },
    /// A shard's work that failed or was stuck is so no more, and the member still owns it.
    Recovered {
        /// Whose.
        member: MemberId,
        /// Which.
        shard: ShardId,
    },
    /// Something is wrong.
    Problem {
        /// What.
        what: String,
    },
}

/// What changed from `before` to `after`: members first, then shards, then problems.
pub fn news(before: &Survey, after: &Survey) -> Vec<News> {
    let mut found = Vec::new();
    members(&before.members, &after.members, &mut found);
    ails::news(&before.members, &after.members, &mut found);
    let old: BTreeMap<ShardId, &HoldingView> =
        before.holdings.iter().map(|view| (view.shard, view)).collect();
    for view in &after.holdings {
        holding(old.get(&view.shard).copied(), view, &mut found);
    }
    let known: BTreeSet<&String> = before.problems.iter().collect();
    let fresh = after.problems.iter().filter(|problem| !known.contains(problem));
    found.extend(fresh.map(|what| News::Problem { what: what.clone() }));
    found
}

fn members(before: &[MemberView], after: &[MemberView], found: &mut Vec<News>) {
    let old: BTreeMap<&MemberId, &MemberView> = before.iter().map(|view| (&view.id, view)).collect();
    for view in after {
        let known = old.get(&view.id);
        let renewed = known.is_none_or(|known| known.incarnation != view.incarnation);
        let member = view.id.clone();
        match known {
            _ if renewed && matches!(view.state, MemberStatus::Active | MemberStatus::Drained) => {
                found.push(News::Joined { member, incarnation: view.incarnation });
            }
            Some(known) if !renewed && known.state == view.state => {}
            _ => found.push(News::Became { member, state: view.state }),
        }
    }
    let there: BTreeSet<&MemberId> = after.iter().map(|view| &view.id).collect();
    let gone = before.iter().filter(|view| !there.contains(&view.id));
    found.extend(gone.map(|view| News::Forgotten { member: view.id.clone() }));
}

fn holding(before: Option<&HoldingView>, after: &HoldingView, found: &mut Vec<News>) {
    let shard = after.shard;
    let owned = |view: &HoldingView| view.owner.clone().map(|owner| (owner, view.epoch));
    let (was, is) = (before.and_then(owned), owned(after));
    match (was, is) {
        (was, Some((owner, epoch))) if was != Some((owner.clone(), epoch)) => {
            let (from, why) = (was.map(|(owner, _)| owner), after.why.clone());
            found.push(match has_succeeded(before, after) {
                true => News::Succeeded { shard, from, owner, epoch, why },
                false => News::Appointed { shard, from, owner, epoch, why },
            });
        }
        (Some(_), None) => found.push(News::Unowned { shard, why: after.why.clone() }),
        (_, None | Some(_)) => {}
    }
    let heir_before = before.and_then(|view| view.heir.as_ref());
    match &after.heir {
        Some(heir) if heir_before != Some(heir) => found.push(News::Promised { shard, heir: heir.clone() }),
        None if heir_before.is_some() && before.is_some_and(|view| view.epoch == after.epoch) => {
            found.push(News::CalledOff { shard });
        }
        Some(_) | None => {}
    }
}

/// Whether the new owner was the heir: by the page's word, or else because it was seen as such.
fn has_succeeded(before: Option<&HoldingView>, after: &HoldingView) -> bool {
    let was_heir = || before.is_some_and(|view| view.heir.is_some() && view.heir == after.owner);
    after.step.map_or_else(was_heir, |step| step == StepTaken::Succeeded)
}
