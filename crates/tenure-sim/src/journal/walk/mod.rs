//! Seeds of the journal: a random walk far beyond what can be searched.
//!
//! A seed draws a mechanism, one to three journals, and for each up to a dozen starts of work that overlap as they like: restarts within
//! one epoch, heirs that read ahead, records committed together, writes that land late, twice or after a truncation, answers that are
//! lost, listings that are old. V1–V7 are judged at every step. In the end all is calm, and the owner of the highest epoch must come to act.
//! In some seeds somebody then deletes, spoils or restores what is stored: whoever opens must be told, where that can be noticed.
//!
//! `profile` is what a seed draws; `walked` is what a mechanism must offer; `journey` walks through one journal; `aftermath` is what
//! comes after damage.

mod aftermath;
mod desk;
mod journey;
mod profile;
mod walked;

use tenure_core::journal::Rules;

use self::journey::Journey;
use self::profile::Profile;
pub(super) use self::walked::{Kind, Listing, Start, Walked};
use super::{names, rows};
use crate::bug::Bug;
use crate::chance::Chance;
use crate::log::Log;
use crate::promises::{Promise, Violation};

/// Runs `seed`: the promise that it broke, if any.
pub fn run(seed: u64, bug: Option<Bug>, log: &mut Log) -> Option<Violation> {
    let flaw = match bug {
        Some(Bug::Journal(flaw)) => Some(flaw),
        Some(Bug::Core(_) | Bug::Outside(_) | Bug::Helpers(_)) | None => None,
    };
    let mut chance = Chance::new(seed);
    let profile = Profile::draw(&mut chance);
    let rules = flaw.map_or(Rules::ALL, Rules::without);
    match profile.on_rows {
        true => walk::<rows::State>(&profile, rules, &mut chance, log),
        false => walk::<names::State>(&profile, rules, &mut chance, log),
    }
}

/// Walks through all journals side by side, and calms them one after the other.
fn walk<W: Walked>(profile: &Profile, rules: Rules, chance: &mut Chance, log: &mut Log) -> Option<Violation> {
    let mut journeys: Vec<Journey<'_, W>> =
        (0..profile.journals).map(|number| Journey::new(number, profile, rules)).collect();
    for now in 0..profile.steps {
        let place = chance.place(journeys.len());
        if let Err(promise) = journeys[place].go_on(now, chance, log) {
            return Some(violation(promise, now, place, log));
        }
    }
    journeys.into_iter().enumerate().find_map(|(place, journey)| {
        let ended = journey.end(profile.steps, chance, log);
        ended.err().map(|promise| violation(promise, profile.steps, place, log))
    })
}

fn violation(promise: super::Promise, now: u64, journal: usize, log: &mut Log) -> Violation {
    let text = format!("journal {journal}, after {now} steps");
    let violation = Violation { promise: Promise::Journal(promise), at: now * 1_000_000, text };
    log.note(violation.at, || "judge".into(), || violation.to_string());
    violation
}
