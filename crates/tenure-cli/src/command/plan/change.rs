//! Changes to the members, as they are typed.

use tenure::cluster::{Newcomer, Weighed};

/// A member that would come: `ID`, `ID:WEIGHT` or `ID:WEIGHT:ZONE`.
pub(super) fn newcomer(text: &str) -> Result<Newcomer, String> {
    let mut parts = text.splitn(3, ':');
    let id = parts.next().unwrap_or_default().parse().map_err(|error| format!("{error}"))?;
    let weight = parts.next().map_or(Ok(1), weight)?;
    Ok(Newcomer { id, weight, zone: parts.next().map(Into::into) })
}

/// A member that would weigh otherwise: `ID=WEIGHT`.
pub(super) fn weighed(text: &str) -> Result<Weighed, String> {
    let (id, number) = text.split_once('=').ok_or("write it as ID=WEIGHT, such as a=2")?;
    Ok(Weighed { id: id.parse().map_err(|error| format!("{error}"))?, weight: weight(number)? })
}

fn weight(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|weight| *weight > 0);
    number.ok_or_else(|| format!("{text:?} is no weight; use a number from 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newcomer_may_say_its_weight_and_zone() {
        let said = |text: &str| newcomer(text).map(|one| (one.weight, one.zone));
        assert_eq!(said("d"), Ok((1, None)));
        assert_eq!(said("d:3"), Ok((3, None)));
        assert_eq!(said("d:3:eu:1"), Ok((3, Some("eu:1".into()))));
        assert!(said("d:0").is_err() && said("d:x").is_err() && said("").is_err() && said("ä").is_err());
    }

    #[test]
    fn a_weight_is_said_with_its_member() {
        assert_eq!(weighed("a=2").map(|one| one.weight), Ok(2));
        assert!(weighed("a").is_err() && weighed("a=").is_err());
    }
}
