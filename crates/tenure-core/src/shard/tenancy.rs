//! One shard at one epoch, in this process.
//!
//! ```text
//!  warming ──► acting ◄──► draining ──► over        the work ends by itself
//!                │  ▲          │
//!       fails    ▼  │ pause    ▼ limit passed, or lapse
//!            restarting      ending ────► over      the seat is closed, the work is told to stop
//!                              │ abort limit
//!                              ▼
//!                            stuck
//! ```
//! A tenancy is over only when its work has ended. Then, and not before, its epoch may be released.

use std::time::Duration;

use serde::Serialize;

use crate::Rules;
use crate::config::{OnStuck, Restart};
use crate::guard::Seat;
use crate::message::{Action, Notice, Outcome};
use crate::moment::{Moment, Timing};
use crate::record::Heir;

/// What became of a tenancy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Stays,
    /// All work has ended: the epoch may be released.
    Over,
    /// All work has ended, and it would fail here again: release it and let another member try.
    HandOn,
}

/// How far a shard's work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum WorkState {
    /// It loads, while the former owner may still act.
    Warming,
    /// It acts.
    Acting,
    /// It was told to finish.
    Draining,
    /// It was interrupted.
    Ending,
    /// It failed, and is started again after a pause.
    Restarting,
    /// It ended by itself; the shard stays here.
    Finished,
    /// It was interrupted and does not end.
    Stuck,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum WorkPhase {
    Warming,
    /// `recalled`: the work was asked to finish, and then to go on; it may finish nevertheless.
    Acting {
        since: Moment,
        recalled: bool,
    },
    Restarting {
        at: Moment,
    },
    Finished,
    Draining {
        until: Moment,
    },
    Ending {
        seen: Moment,
        spent: Duration,
        told: bool,
    },
}

/// One shard at one epoch, in this process.
#[derive(Debug)]
pub struct Tenancy {
    seat: Seat,
    phase: WorkPhase,
    heir: Option<Heir>,
    failures: u32,
    error: Option<String>,
}

impl Tenancy {
    /// An heir prepares: it loads what the shard needs and answers nothing.
    pub fn warm(seat: Seat, out: &mut Vec<Action>) -> Self {
        out.push(Action::Warm(seat.clone()));
        Self { seat, phase: WorkPhase::Warming, heir: None, failures: 0, error: None }
    }

    /// The shard's guard.
    pub fn seat(&self) -> &Seat {
        &self.seat
    }

    /// Who takes the shard next.
    pub fn heir(&self) -> Option<&Heir> {
        self.heir.as_ref()
    }

    /// Whether the shard is only being prepared for.
    pub fn is_warming(&self) -> bool {
        self.phase == WorkPhase::Warming
    }

    /// Whether the work has been told to stop at once.
    pub fn is_ending(&self) -> bool {
        matches!(self.phase, WorkPhase::Ending { .. })
    }

    /// The owner's epoch has ended, or the ledger names us: act.
    pub fn act(&mut self, now: Moment, out: &mut Vec<Action>) {
        if self.is_warming() {
            self.start(now, out);
        }
    }

    fn start(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.seat.open();
        self.phase = WorkPhase::Acting { since: now, recalled: false };
        out.push(Action::Act(self.seat.clone()));
    }

    /// The shard is promised to `heir`, or its member leaves: let the work finish.
    pub fn drain(&mut self, heir: Option<Heir>, until: Moment, out: &mut Vec<Action>) -> Verdict {
        self.heir = heir;
        match self.phase {
            WorkPhase::Acting { .. } => {
                self.seat.drain();
                self.phase = WorkPhase::Draining { until };
                out.push(Action::Drain { seat: self.seat.clone(), until });
                Verdict::Stays
            }
            WorkPhase::Restarting { .. } | WorkPhase::Finished => self.over(),
            WorkPhase::Warming | WorkPhase::Draining { .. } | WorkPhase::Ending { .. } => Verdict::Stays,
        }
    }

    /// The heir ended before we released: go on serving.
    pub fn resume(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.heir = None;
        if matches!(self.phase, WorkPhase::Draining { .. }) {
            self.seat.open();
            self.phase = WorkPhase::Acting { since: now, recalled: true };
            out.push(Action::Resume(self.seat.clone()));
        }
    }

    /// Closes the guard for ever, first of all; the work is told afterwards.
    pub fn close(&self) {
        self.seat.close();
    }

    /// Ends the work at once.
    pub fn interrupt(&mut self, now: Moment, out: &mut Vec<Action>) -> Verdict {
        self.seat.close();
        match self.phase {
            WorkPhase::Acting { .. } | WorkPhase::Draining { .. } => {
                self.phase = WorkPhase::Ending { seen: now, spent: Duration::ZERO, told: false };
                out.push(Action::Interrupt(self.seat.clone()));
                Verdict::Stays
            }
            WorkPhase::Warming => {
                out.push(Action::Cool(self.seat.clone()));
                Verdict::Over
            }
            WorkPhase::Restarting { .. } | WorkPhase::Finished => Verdict::Over,
            WorkPhase::Ending { .. } => Verdict::Stays,
        }
    }

    /// All work for the shard has ended.
    pub fn ended(
        &mut self,
        now: Moment,
        outcome: Outcome,
        restart: &Restart,
        rules: Rules,
        out: &mut Vec<Action>,
    ) -> Verdict {
        match (self.phase, outcome) {
            (WorkPhase::Draining { .. } | WorkPhase::Ending { .. }, _) => self.over(),
            // It finished for a move that was called off meanwhile: the shard is ours still, and nobody else works for it.
            (WorkPhase::Acting { recalled, .. }, Outcome::Done) if rules.starts_again(recalled) => {
                self.start(now, out);
                Verdict::Stays
            }
            (WorkPhase::Acting { .. }, Outcome::Done) => {
                self.phase = WorkPhase::Finished;
                Verdict::Stays
            }
            (WorkPhase::Acting { .. }, Outcome::Failed(error)) => {
                if self.recovers_at(restart).is_some_and(|at| now >= at) {
                    self.failures = 0;
                }
                self.failed(now, error, restart, out)
            }
            (WorkPhase::Warming | WorkPhase::Restarting { .. } | WorkPhase::Finished, _) => Verdict::Stays,
        }
    }

    fn over(&self) -> Verdict {
        self.seat.close();
        Verdict::Over
    }

    fn failed(&mut self, now: Moment, error: String, restart: &Restart, out: &mut Vec<Action>) -> Verdict {
        self.failures += 1;
        self.error = Some(error.clone());
        if restart.hand_on_after > 0 && self.failures >= restart.hand_on_after {
            self.seat.close();
            return Verdict::HandOn;
        }
        let doubled = restart.first * 2u32.saturating_pow(self.failures.min(20) - 1);
        let at = now + doubled.min(restart.longest);
        self.phase = WorkPhase::Restarting { at };
        let (shard, failures) = (self.seat.shard(), self.failures);
        out.push(Action::Notice(Notice::Restarting { shard, failures, at, error }));
        Verdict::Stays
    }

    /// Time passed: restarts what is due, interrupts what drains too long, gives up on what does not end.
    pub fn advance(
        &mut self,
        now: Moment,
        timing: &Timing,
        on_stuck: OnStuck,
        restart: &Restart,
        out: &mut Vec<Action>,
    ) -> Verdict {
        if self.recovers_at(restart).is_some_and(|at| now >= at) {
            (self.failures, self.error) = (0, None);
        }
        match self.phase {
            WorkPhase::Restarting { at } if now >= at => self.start(now, out),
            WorkPhase::Draining { until } if now >= until => return self.interrupt(now, out),
            WorkPhase::Ending { seen, spent, told: false } => {
                let spent = spent + now.since(seen).min(timing.abort_limit / 4);
                self.wait_on(now, spent, timing, on_stuck, out);
            }
            WorkPhase::Warming | WorkPhase::Acting { .. } | WorkPhase::Finished => {}
            WorkPhase::Restarting { .. } | WorkPhase::Draining { .. } | WorkPhase::Ending { .. } => {}
        }
        Verdict::Stays
    }

    /// Interrupted work has not ended yet. It has the abort limit, counted in time during which this process ran: we look eight
    /// times in that limit, and a look that comes far too late shows that the process stood still, and the work with it.
    fn wait_on(
        &mut self,
        now: Moment,
        spent: Duration,
        timing: &Timing,
        on_stuck: OnStuck,
        out: &mut Vec<Action>,
    ) {
        let told = spent >= timing.abort_limit;
        self.phase = WorkPhase::Ending { seen: now, spent, told };
        if told {
            out.push(Action::Notice(Notice::Stuck(self.seat.shard())));
        }
        if told && on_stuck == OnStuck::Abort {
            out.push(Action::Abort(self.seat.shard()));
        }
    }

    /// When to call [`Tenancy::advance`] next.
    pub fn deadline(&self, timing: &Timing, restart: &Restart) -> Option<Moment> {
        match self.phase {
            WorkPhase::Acting { .. } => self.recovers_at(restart),
            WorkPhase::Restarting { at } => Some(at),
            WorkPhase::Draining { until } => Some(until),
            WorkPhase::Ending { seen, spent, told: false } => {
                Some(seen + timing.abort_limit.saturating_sub(spent).min(timing.abort_limit / 8))
            }
            WorkPhase::Warming | WorkPhase::Finished | WorkPhase::Ending { told: true, .. } => None,
        }
    }

    /// When work that failed before has run for so long that its failures are forgotten.
    fn recovers_at(&self, restart: &Restart) -> Option<Moment> {
        match self.phase {
            WorkPhase::Acting { since, .. } if self.failures > 0 => Some(since + restart.forgiven_after),
            _ => None,
        }
    }

    /// Whether its interrupted work does not end.
    pub fn is_stuck(&self) -> bool {
        matches!(self.phase, WorkPhase::Ending { told: true, .. })
    }

    /// How far the work is.
    pub fn state(&self) -> WorkState {
        match self.phase {
            WorkPhase::Warming => WorkState::Warming,
            WorkPhase::Acting { .. } => WorkState::Acting,
            WorkPhase::Restarting { .. } => WorkState::Restarting,
            WorkPhase::Finished => WorkState::Finished,
            WorkPhase::Draining { .. } => WorkState::Draining,
            WorkPhase::Ending { told: false, .. } => WorkState::Ending,
            WorkPhase::Ending { told: true, .. } => WorkState::Stuck,
        }
    }

    /// Failures in a row, and what the last one said.
    pub fn failures(&self) -> (u32, Option<&str>) {
        (self.failures, self.error.as_deref())
    }

    /// When work that failed is tried again.
    pub fn retry_at(&self) -> Option<Moment> {
        if let WorkPhase::Restarting { at } = self.phase { Some(at) } else { None }
    }
}
