//! One target: something that reads bytes, and the whole inputs to begin with.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::budget::{Budget, seed};
use super::finding::{Finding, said};
use super::spoil::spoilt;

/// How often a target is run in an ordinary test.
const RUNS: u64 = 400;

/// After so many findings a target has said enough.
const FINDINGS_MAX: usize = 10;

/// So many inputs that were understood are kept, to be spoilt further.
const POOL_MAX: usize = 256;

/// Something that reads bytes.
#[derive(Debug)]
pub struct Target {
    name: &'static str,
    whole: Vec<Vec<u8>>,
    runs: u64,
}

/// What became of a run of many.
#[derive(Debug, Default)]
struct Tally {
    runs: u64,
    understood: u64,
    slowest: Duration,
    findings: Vec<Finding>,
}

impl Target {
    /// A target that understands the inputs `whole`.
    pub fn new<B: AsRef<[u8]>>(name: &'static str, whole: impl IntoIterator<Item = B>) -> Self {
        let whole: Vec<Vec<u8>> = whole.into_iter().map(|bytes| bytes.as_ref().to_vec()).collect();
        assert!(!whole.is_empty(), "{name} needs an input to begin with");
        Self { name, whole, runs: RUNS }
    }

    /// Runs so often in an ordinary test, where a run costs more or less than usual.
    #[must_use]
    pub fn runs(self, runs: u64) -> Self {
        Self { runs, ..self }
    }

    /// Lets `read` read spoilt inputs; it answers whether it understood them.
    ///
    /// # Panics
    /// With everything that was found, if anything was.
    pub fn run(self, read: impl Fn(&[u8]) -> bool) {
        for bytes in &self.whole {
            assert!(read(bytes), "{}: a whole input is not understood: {}", self.name, bytes.escape_ascii());
        }
        let seed = seed();
        let tally = self.spoil(&mut Rng::with_seed(seed), &read);
        println!(
            "fuzz {}: {} executions, {} understood, slowest {:?}, {} findings, seed {seed}",
            self.name,
            tally.runs,
            tally.understood,
            tally.slowest,
            tally.findings.len()
        );
        self.tell(&tally.findings, seed);
    }

    fn spoil(&self, rng: &mut Rng, read: &impl Fn(&[u8]) -> bool) -> Tally {
        let (mut tally, mut pool) = (Tally::default(), self.whole.clone());
        let mut budget = Budget::of_environment(self.runs);
        while budget.spend() && tally.findings.len() < FINDINGS_MAX {
            let bytes = spoilt(&pool[rng.usize(0..pool.len())], &pool[rng.usize(0..pool.len())], rng);
            let begun = Instant::now();
            let ended = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
            tally.runs += 1;
            tally.slowest = tally.slowest.max(begun.elapsed());
            match ended {
                Ok(true) => {
                    tally.understood += 1;
                    self.pool(&mut pool, bytes, rng);
                }
                Ok(false) => {}
                Err(panic) => {
                    tally.findings.push(Finding { run: tally.runs, what: said(&*panic), bytes });
                }
            }
        }
        tally
    }

    /// What was understood is a new beginning. Whole inputs stay: much spoilt ones lead away from what readers expect.
    fn pool(&self, pool: &mut Vec<Vec<u8>>, bytes: Vec<u8>, rng: &mut Rng) {
        if pool.len() < POOL_MAX {
            pool.push(bytes);
        } else if self.whole.len() < POOL_MAX {
            pool[rng.usize(self.whole.len()..POOL_MAX)] = bytes;
        }
    }

    fn tell(&self, findings: &[Finding], seed: u64) {
        for finding in findings {
            let (kept, shown) = (finding.keep(self.name), finding.shown());
            eprintln!("fuzz {}, run {}: {}\n  kept: {kept}\n  {shown}", self.name, finding.run, finding.what);
        }
        assert!(findings.is_empty(), "{}: {} findings from seed {seed}", self.name, findings.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: [&[u8]; 1] = [br#"{"shards":"0-3","list":[1,2,3]}"#];

    fn shards(bytes: &[u8]) -> Option<String> {
        let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
        Some(value.get("shards")?.as_str()?.to_owned())
    }

    #[test]
    fn a_reader_that_never_breaks_passes() {
        Target::new("sound", WHOLE).run(|bytes| shards(bytes).is_some());
    }

    #[test]
    #[should_panic(expected = "findings from seed")]
    fn a_reader_that_trusts_a_range_is_found_out() {
        Target::new("trusting", WHOLE).run(|bytes| {
            let shards = shards(bytes);
            let ends = shards.as_deref().and_then(|text| text.split_once('-'));
            if let Some((Ok(first), Ok(last))) = ends.map(|(a, b)| (a.parse::<u64>(), b.parse::<u64>())) {
                assert!(first <= last, "a range runs backwards");
            }
            shards.is_some()
        });
    }

    #[test]
    #[should_panic(expected = "a whole input is not understood")]
    fn a_target_that_understands_nothing_tests_nothing() {
        Target::new("deaf", WHOLE).run(|_| false);
    }
}
