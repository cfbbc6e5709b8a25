//! The hunt for seeded bugs: each must break a promise within a budget of seeds, or be known to survive, with the reason.

use tenure_core::flawed::Flaw;

use crate::bug::{Bug, OutsideFlaw};
use crate::fleet::{Failure, Fleet, Trial};
use crate::log::Log;

/// How many seeds a bug gets that is known to survive: enough to notice that it no longer does.
const SECOND_LOCK_BUDGET: u64 = 2_000;

/// How a hunt for one bug ended.
#[derive(Clone, Debug)]
pub enum Fate {
    /// A seed broke a promise, and keeps every promise without the bug.
    Killed(Failure),
    /// A seed broke a promise, and breaks one without the bug too: that proves nothing about the bug.
    BrokenAnyway(Failure),
    /// No seed did, and none is expected to.
    SurvivesByDesign(&'static str),
    /// No seed did within the budget, though one should have.
    Survives,
}

/// The hunt for one bug.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The bug.
    pub bug: Bug,
    /// How it ended.
    pub fate: Fate,
}

impl Hunt {
    /// Runs seeds with `bug` until one breaks a promise, or `budget` have not.
    pub fn new(bug: Bug, budget: u64, jobs: usize) -> Self {
        let lock = second_lock(bug);
        let seeds = if lock.is_some() { budget.min(SECOND_LOCK_BUDGET) } else { budget };
        let trial = Trial::of(bug);
        let fleet = Fleet { start: 0, seeds, jobs, trial, bug: Some(bug), stop_at_first: true };
        let fate = match (fleet.run(|_| ()).into_iter().next(), lock) {
            (Some(failure), _) if trial.run(failure.seed, None, &mut Log::off()).is_some() => {
                Fate::BrokenAnyway(failure)
            }
            (Some(failure), _) => Fate::Killed(failure),
            (None, Some(reason)) => Fate::SurvivesByDesign(reason),
            (None, None) => Fate::Survives,
        };
        Self { bug, fate }
    }

    /// Whether the hunt went as it should.
    pub fn is_good(&self) -> bool {
        match self.fate {
            Fate::Killed(_) | Fate::SurvivesByDesign(_) => true,
            Fate::BrokenAnyway(_) | Fate::Survives => false,
        }
    }
}

/// Why a bug harms nobody, if so: another rule holds where this one is broken.
pub fn second_lock(bug: Bug) -> Option<&'static str> {
    match bug {
        Bug::Outside(OutsideFlaw::TimeoutIsFailure) => {
            Some("a machine reads after every write that brought no answer, whatever the answer was called")
        }
        Bug::Core(Flaw::PlanByPlanner) => Some(
            "a move must improve the balance (C4), so planners of different taste undo nothing of each other",
        ),
        Bug::Core(Flaw::WorthNotAsked) => Some("a plan moves no shard that need not move"),
        Bug::Core(Flaw::OverruledGoesOn) => {
            Some("nobody forges a page here, and no entry changes unasked (W2); a unit test forges one")
        }
        Bug::Core(Flaw::SpentGoesOn) => {
            Some("no seed lasts for so many epochs; a unit test begins at the last one")
        }
        Bug::Core(Flaw::FormerForgotten) => Some("a preference: no promise says who gets a shard"),
        Bug::Core(_) | Bug::Outside(_) | Bug::Helpers(_) | Bug::Journal(_) => None,
    }
}
