//! What would move if members came, went or weighed otherwise, before anything does: by the very function that the members
//! plan by, from a picture that anybody can have.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{MemberStatus, MemberView, Survey};
use crate::ids::{MemberId, ShardId};
use crate::plan::{Candidate, Picture, Placement, plan};
use crate::record::Meta;

/// A member that would come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newcomer {
    /// Its name.
    pub id: MemberId,
    /// Its share; 1 unless said.
    #[serde(default = "one")]
    pub weight: u32,
    /// Its failure domain.
    #[serde(default)]
    pub zone: Option<String>,
}

fn one() -> u32 {
    1
}

/// A member that would weigh otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighed {
    /// Who.
    pub id: MemberId,
    /// Its share then.
    pub weight: u32,
}

/// Members that would come, go or weigh otherwise. Without any: what would move now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WhatIf {
    /// Who would come.
    pub add: Vec<Newcomer>,
    /// Who would go.
    pub remove: Vec<MemberId>,
    /// Who would weigh otherwise.
    pub weigh: Vec<Weighed>,
}

/// Why a question makes no sense in the cluster as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// Only active members can go or be weighed.
    #[error("there is no active member {0}; the status of the cluster names them")]
    Absent(MemberId),
    /// It need not come.
    #[error("{0} is there already; change its weight instead")]
    There(MemberId),
    /// Nobody has a share of nothing.
    #[error("{0} can't weigh 0; use a number from 1")]
    Weightless(MemberId),
    /// This build can't plan for the cluster.
    #[error("the placement {0:?} is not known to this build; upgrade it")]
    Placement(String),
}

/// One shard that would move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Which.
    pub shard: ShardId,
    /// Who has it, or will have it once the moves under way are done.
    pub from: Option<MemberId>,
    /// Who would get it; nobody if there would be no member.
    pub to: Option<MemberId>,
}

/// What a member holds, before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many shards it holds now.
    pub now: usize,
    /// How many it would hold then.
    pub then: usize,
}

/// What would come of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The shards that would move, in order.
    pub moves: Vec<Move>,
    /// For each member, how many shards it holds now and how many it would.
    pub holds: BTreeMap<MemberId, Share>,
}

impl WhatIf {
    /// What would move in the cluster that `meta` describes and `survey` shows.
    ///
    /// # Errors
    /// Why the question makes no sense there.
    pub fn outcome(&self, meta: &Meta, survey: &Survey) -> Result<Outcome, Doubt> {
        let placement = Placement::parse(&meta.placement);
        let placement = placement.ok_or_else(|| Doubt::Placement(meta.placement.clone()))?;
        let candidates = self.candidates(survey)?;
        let at = homes(survey);
        let goes = planned(placement, meta.spread_zones, &at, &candidates);
        Ok(Outcome::between(&at, &goes, &candidates))
    }

    /// The members that would be given shards, ascending by id.
    fn candidates(&self, survey: &Survey) -> Result<Vec<Candidate>, Doubt> {
        let active = survey.members.iter().filter(|view| view.state == MemberStatus::Active);
        let mut all: BTreeMap<MemberId, Candidate> =
            active.map(|view| (view.id.clone(), candidate(view))).collect();
        for id in &self.remove {
            all.remove(id).ok_or_else(|| Doubt::Absent(id.clone()))?;
        }
        for one in &self.weigh {
            let known = all.get_mut(&one.id).ok_or_else(|| Doubt::Absent(one.id.clone()))?;
            known.weight = weight(&one.id, one.weight)?;
        }
        for one in &self.add {
            if all.insert(one.id.clone(), newcomer(one)?).is_some() {
                return Err(Doubt::There(one.id.clone()));
            }
        }
        Ok(all.into_values().collect())
    }
}

fn candidate(view: &MemberView) -> Candidate {
    Candidate { weight: view.weight, zone: view.zone.clone(), ..Candidate::new(view.id.clone()) }
}

fn newcomer(one: &Newcomer) -> Result<Candidate, Doubt> {
    let weight = weight(&one.id, one.weight)?;
    Ok(Candidate { weight, zone: one.zone.clone(), ..Candidate::new(one.id.clone()) })
}

fn weight(id: &MemberId, weight: u32) -> Result<u32, Doubt> {
    if weight == 0 { Err(Doubt::Weightless(id.clone())) } else { Ok(weight) }
}

fn planned(
    placement: Placement,
    spread_zones: bool,
    at: &[Option<MemberId>],
    candidates: &[Candidate],
) -> Vec<Option<MemberId>> {
    let places: BTreeMap<&MemberId, u32> = candidates.iter().map(|one| &one.id).zip(0..).collect();
    let homes: Vec<Option<u32>> =
        at.iter().map(|id| id.as_ref().and_then(|id| places.get(id).copied())).collect();
    let planned = plan(placement, &Picture { candidates, homes: &homes, spread_zones });
    planned.iter().map(|home| home.map(|home| candidates[home as usize].id.clone())).collect()
}

/// Where each shard is, or will be once the moves under way are done.
fn homes(survey: &Survey) -> Vec<Option<MemberId>> {
    let mut homes = vec![None; survey.shards as usize];
    for view in &survey.holdings {
        if let Some(home) = homes.get_mut(view.shard.0 as usize) {
            *home = view.heir.clone().or_else(|| view.owner.clone());
        }
    }
    homes
}

impl Outcome {
    fn between(at: &[Option<MemberId>], goes: &[Option<MemberId>], candidates: &[Candidate]) -> Self {
        let mut holds: BTreeMap<MemberId, Share> =
            candidates.iter().map(|one| (one.id.clone(), Share::default())).collect();
        at.iter().flatten().for_each(|id| holds.entry(id.clone()).or_default().now += 1);
        goes.iter().flatten().for_each(|id| holds.entry(id.clone()).or_default().then += 1);
        let pairs = (0..).zip(at.iter().zip(goes)).filter(|(_, (from, to))| from != to);
        let one = |(shard, (from, to)): (u32, (&Option<MemberId>, &Option<MemberId>))| Move {
            shard: ShardId(shard),
            from: from.clone(),
            to: to.clone(),
        };
        Self { moves: pairs.map(one).collect(), holds }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Scene, id, member, owned, promised};
    use super::*;

    fn scene() -> Scene {
        let holdings = vec![owned("a"), owned("a"), owned("b"), promised("a", "b")];
        Scene::new(holdings).with("a", member()).with("b", member())
    }

    fn outcome(question: &WhatIf) -> Result<Outcome, Doubt> {
        let scene = scene();
        question.outcome(scene.seen().meta(), &scene.survey(0))
    }

    #[test]
    fn without_a_change_the_moves_under_way_count_as_done() {
        let outcome = outcome(&WhatIf::default()).unwrap();
        assert_eq!((outcome.moves, outcome.holds[&id("a")]), (vec![], Share { now: 2, then: 2 }));
    }

    #[test]
    fn whoever_goes_leaves_everything_to_the_others() {
        let outcome = outcome(&WhatIf { remove: vec![id("a")], ..WhatIf::default() }).unwrap();
        assert_eq!(outcome.holds[&id("b")], Share { now: 2, then: 4 });
        assert!(outcome.moves.iter().all(|one| one.from == Some(id("a")) && one.to == Some(id("b"))));
    }

    #[test]
    fn if_all_go_nobody_has_anything() {
        let outcome = outcome(&WhatIf { remove: vec![id("a"), id("b")], ..WhatIf::default() }).unwrap();
        assert_eq!((outcome.moves.len(), outcome.moves[0].to.clone()), (4, None));
    }

    #[test]
    fn whoever_comes_gets_a_share_by_weight() {
        let add = vec![Newcomer { id: id("c"), weight: 2, zone: None }];
        let outcome = outcome(&WhatIf { add, ..WhatIf::default() }).unwrap();
        assert_eq!(outcome.holds[&id("c")], Share { now: 0, then: 2 });
    }

    #[test]
    fn what_makes_no_sense_is_doubted() {
        let remove = WhatIf { remove: vec![id("z")], ..WhatIf::default() };
        assert_eq!(outcome(&remove), Err(Doubt::Absent(id("z"))));
        let add = WhatIf { add: vec![Newcomer { id: id("a"), weight: 1, zone: None }], ..WhatIf::default() };
        assert_eq!(outcome(&add), Err(Doubt::There(id("a"))));
        let weigh = WhatIf { weigh: vec![Weighed { id: id("a"), weight: 0 }], ..WhatIf::default() };
        assert_eq!(outcome(&weigh), Err(Doubt::Weightless(id("a"))));
    }
}
