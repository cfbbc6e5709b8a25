//! The members as they would be.

use std::collections::BTreeMap;
use std::str::FromStr;

use tenure::MemberId;
use tenure::cluster::{MemberView, Survey};
use tenure_core::plan::Candidate;

use crate::exit::{Exit, Failure};

/// A member that would come: `ID`, `ID:WEIGHT` or `ID:WEIGHT:ZONE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Newcomer {
    id: MemberId,
    weight: u32,
    zone: Option<String>,
}

impl FromStr for Newcomer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.splitn(3, ':');
        let id = parts.next().unwrap_or_default().parse().map_err(|error| format!("{error}"))?;
        let weight = parts.next().map_or(Ok(1), weight)?;
        Ok(Self { id, weight, zone: parts.next().map(Into::into) })
    }
}

/// A member that would weigh otherwise: `ID=WEIGHT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weighed {
    id: MemberId,
    weight: u32,
}

impl FromStr for Weighed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (id, number) = text.split_once('=').ok_or("write it as ID=WEIGHT, such as a=2")?;
        Ok(Self { id: id.parse().map_err(|error| format!("{error}"))?, weight: weight(number)? })
    }
}

fn weight(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|weight| *weight > 0);
    number.ok_or_else(|| format!("{text:?} is no weight; use a number from 1"))
}

/// The members that would be given shards, ascending by id.
pub(super) fn candidates(
    survey: &Survey,
    add: &[Newcomer],
    remove: &[MemberId],
    weigh: &[Weighed],
) -> Result<Vec<Candidate>, Failure> {
    let active = survey.members.iter().filter(|view| view.state == "active");
    let mut all: BTreeMap<MemberId, Candidate> =
        active.map(|view| (view.id.clone(), candidate(view))).collect();
    for id in remove {
        all.remove(id).ok_or_else(|| absent(id))?;
    }
    for one in weigh {
        all.get_mut(&one.id).ok_or_else(|| absent(&one.id))?.weight = one.weight;
    }
    for one in add {
        let zone = one.zone.clone();
        let newcomer = Candidate { weight: one.weight, zone, ..Candidate::new(one.id.clone()) };
        if all.insert(one.id.clone(), newcomer).is_some() {
            let message = format!("{} is there already; change its weight with --weight", one.id);
            return Err(Failure::new(Exit::Refused, message));
        }
    }
    Ok(all.into_values().collect())
}

fn candidate(view: &MemberView) -> Candidate {
    Candidate { weight: view.weight, zone: view.zone.clone(), ..Candidate::new(view.id.clone()) }
}

fn absent(id: &MemberId) -> Failure {
    Failure::new(Exit::Refused, format!("there is no active member {id}; `tenure status` names them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newcomer_may_say_its_weight_and_zone() {
        let said = |text: &str| Newcomer::from_str(text).map(|one| (one.weight, one.zone));
        assert_eq!(said("d"), Ok((1, None)));
        assert_eq!(said("d:3"), Ok((3, None)));
        assert_eq!(said("d:3:eu:1"), Ok((3, Some("eu:1".into()))));
        assert!(said("d:0").is_err() && said("d:x").is_err() && said("").is_err() && said("ä").is_err());
    }

    #[test]
    fn a_weight_is_said_with_its_member() {
        assert_eq!(Weighed::from_str("a=2").map(|one| one.weight), Ok(2));
        assert!(Weighed::from_str("a").is_err() && Weighed::from_str("a=").is_err());
    }
}
