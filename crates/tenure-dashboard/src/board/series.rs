//! Figures in steps of a few seconds, over the last minutes.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tenure::metric::HANDOFF_CLASSES_S;
use tenure::store::Operation;
use tenure::store::layer::metered::{Figures, Outcome};

use super::gaps::{GapLog, share};
use super::renewals::Renewal;
use super::tenancy::Tenure;
use crate::view::{Handovers, Kind, Points};

/// The length of a step.
pub(crate) const STEP_MS: u64 = 5_000;

/// So many steps are remembered.
const STEPS: usize = 180;

/// All outcomes of calls to the store, with their names.
const OUTCOMES: [(Outcome, &str); 8] = [
    (Outcome::Answered, "answered"),
    (Outcome::Conflict, "conflict"),
    (Outcome::Unavailable, "unavailable"),
    (Outcome::Indeterminate, "indeterminate"),
    (Outcome::Denied, "denied"),
    (Outcome::Invalid, "invalid"),
    (Outcome::Incompatible, "incompatible"),
    (Outcome::Dropped, "dropped"),
];

const OPERATIONS: [Operation; 4] = [Operation::Get, Operation::Put, Operation::Delete, Operation::List];

/// Counters outside of the board, as they stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    /// The dashboard's own calls to the store.
    pub(crate) calls: Option<Figures>,
    /// Failed renewals of the members in this process.
    pub(crate) keepalive_failures: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct Step {
    at_ms: u64,
    left_ms: Vec<u64>,
    renewals: u64,
    late: u64,
    moves: u64,
    losses: u64,
    unowned_max: u32,
    /// The longest time without an owner, at most, by kind.
    gaps_ms: [Option<u64>; Kind::ALL.len()],
    calls: [u64; OUTCOMES.len()],
    called: Duration,
    keepalive_failures: Option<u64>,
}

/// What was counted since the dashboard began.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) renewals: u64,
    pub(super) late: u64,
    pub(super) moves: u64,
    pub(super) losses: u64,
    /// By class of [`HANDOFF_CLASSES_S`], and one more for all others.
    pub(super) gaps: [u64; HANDOFF_CLASSES_S.len() + 1],
    pub(super) gaps_ms: u64,
}

/// The figures of the last minutes.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    pub(super) totals: Totals,
    steps: VecDeque<Step>,
    before: Outside,
    gaps: GapLog,
}

impl Series {
    fn step(&mut self, at_ms: u64) -> &mut Step {
        let begin_ms = at_ms - at_ms % STEP_MS;
        if self.steps.back().is_none_or(|step| step.at_ms < begin_ms) {
            self.steps.push_back(Step { at_ms: begin_ms, ..Step::default() });
            let beyond = self.steps.len().saturating_sub(STEPS);
            self.steps.drain(..beyond);
        }
        self.steps.back_mut().expect("a step was there or was added")
    }

    pub(super) fn renewed(&mut self, at_ms: u64, renewal: Renewal) {
        self.totals.renewals += 1;
        self.totals.late += u64::from(renewal.late);
        let step = self.step(at_ms);
        step.renewals += 1;
        step.late += u64::from(renewal.late);
        step.left_ms.extend(renewal.left_ms);
    }

    pub(super) fn ended(&mut self, at_ms: u64, tenure: &Tenure) {
        let planned = tenure.ended.is_some_and(|(_, end)| end.kind() == Kind::Moves);
        *(if planned { &mut self.totals.moves } else { &mut self.totals.losses }) += 1;
        let step = self.step(at_ms);
        *(if planned { &mut step.moves } else { &mut step.losses }) += 1;
    }

    pub(super) fn began(&mut self, at_ms: u64, tenure: &Tenure) {
        let (Some(after), Some(gap_max_ms)) = (tenure.after, tenure.gap_max_ms) else { return };
        let longest = &mut self.step(at_ms).gaps_ms[after.kind() as usize];
        *longest = (*longest).max(Some(gap_max_ms));
        self.totals.add_gap(gap_max_ms);
        self.gaps.add(after.kind(), tenure.gap_ms, gap_max_ms);
    }

    pub(super) fn unowned(&mut self, at_ms: u64, count: u32) {
        let step = self.step(at_ms);
        step.unowned_max = step.unowned_max.max(count);
    }

    /// Adds what was counted elsewhere since the last time.
    pub(super) fn count(&mut self, at_ms: u64, now: Outside) {
        let before = std::mem::replace(&mut self.before, now.clone());
        let step = self.step(at_ms);
        if let Some(calls) = &now.calls {
            let (counts, spent) = sums(calls);
            let (old_counts, old_spent) = before.calls.as_ref().map(sums).unwrap_or_default();
            for (sum, (count, old)) in step.calls.iter_mut().zip(counts.iter().zip(old_counts)) {
                *sum += count.saturating_sub(old);
            }
            step.called += spent.saturating_sub(old_spent);
        }
        if let Some(failures) = now.keepalive_failures {
            let more = failures.saturating_sub(before.keepalive_failures.unwrap_or(0));
            *step.keepalive_failures.get_or_insert(0) += more;
        }
    }

    /// The steps that began at or after `from_ms`, as parallel arrays.
    pub(super) fn points(&self, from_ms: u64) -> Points {
        let steps: Vec<&Step> = self.steps.iter().filter(|step| step.at_ms >= from_ms).collect();
        let longest = |kind| steps.iter().map(|step| step.gaps_ms[kind as usize]).collect::<Vec<_>>();
        let of = |count: fn(&Step) -> u64| steps.iter().map(|step| count(step)).collect::<Vec<u64>>();
        Points {
            at_ms: of(|step| step.at_ms),
            renewals: of(|step| step.renewals),
            left_ms_min: steps.iter().map(|step| step.left_ms.iter().min().copied()).collect(),
            left_ms_p50: steps.iter().map(|step| share(&step.left_ms, 0.5)).collect(),
            late: of(|step| step.late),
            keepalive_failures: steps.iter().map(|step| step.keepalive_failures).collect(),
            moves: of(|step| step.moves),
            losses: of(|step| step.losses),
            unowned_max: steps.iter().map(|step| step.unowned_max).collect(),
            gap_ms_moves: longest(Kind::Moves),
            gap_ms_proof: longest(Kind::Proof),
            gap_ms_silence: longest(Kind::Silence),
            store_calls: calls(&steps),
            store_ms_mean: steps.iter().map(|step| mean_ms(step)).collect(),
        }
    }

    /// Times without an owner.
    pub(super) fn gaps(&self) -> Handovers {
        self.gaps.handovers()
    }
}

impl Totals {
    fn add_gap(&mut self, gap_ms: u64) {
        let seconds = gap_ms as f64 / 1e3;
        let class = HANDOFF_CLASSES_S.iter().position(|end| seconds <= *end);
        self.gaps[class.unwrap_or(HANDOFF_CLASSES_S.len())] += 1;
        self.gaps_ms += gap_ms;
    }
}

fn sums(calls: &Figures) -> ([u64; OUTCOMES.len()], Duration) {
    let count = |outcome| OPERATIONS.iter().map(|operation| calls.of(*operation).ended(outcome)).sum();
    let spent = OPERATIONS.iter().map(|operation| calls.of(*operation).latency.total).sum();
    (OUTCOMES.map(|(outcome, _)| count(outcome)), spent)
}

fn calls(steps: &[&Step]) -> BTreeMap<&'static str, Vec<u64>> {
    let of = |place: usize| steps.iter().map(|step| step.calls[place]).collect::<Vec<u64>>();
    let all = OUTCOMES.iter().enumerate().map(|(place, (_, name))| (*name, of(place)));
    all.filter(|(name, counts)| *name == "answered" || counts.iter().any(|count| *count > 0)).collect()
}

fn mean_ms(step: &Step) -> Option<f64> {
    let calls: u64 = step.calls.iter().sum();
    (calls > 0).then(|| (step.called.as_secs_f64() * 1e6 / calls as f64).round() / 1e3)
}
