//! How often each kind of request was made, and what Amazon takes for it.

use std::collections::BTreeMap;
use std::fmt;

use super::TTL;
use super::tally::Counts;

/// Amazon's list price in us-east-1, in dollars per request: a PUT and a LIST cost the same, a DELETE nothing.
const WRITE: f64 = 0.005 / 1000.0;
const READ: f64 = 0.0004 / 1000.0;
const MINUTES_A_MONTH: f64 = 30.0 * 24.0 * 60.0;

/// Requests by kind.
#[derive(Debug, Default)]
pub(crate) struct Bill {
    requests: BTreeMap<String, f64>,
}

impl Bill {
    /// What was counted between two readings.
    pub(crate) fn between(before: &Counts, after: &Counts) -> Self {
        let more =
            |(kind, count): (&String, &u64)| (kind.clone(), (count - before.get(kind).unwrap_or(&0)) as f64);
        Self { requests: after.iter().map(more).filter(|(_, count)| *count > 0.0).collect() }
    }

    fn of(requests: &[(&str, f64)]) -> Self {
        Self { requests: requests.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect() }
    }

    /// The same for each of so many.
    pub(crate) fn by(mut self, many: f64) -> Self {
        self.requests.values_mut().for_each(|count| *count /= many);
        self
    }

    /// What is left when the other is taken away.
    pub(crate) fn without(mut self, other: &Self) -> Self {
        self.requests.iter_mut().for_each(|(kind, count)| *count -= other.at(kind));
        self
    }

    /// If these are requests per minute.
    pub(crate) fn dollars_a_month(&self) -> f64 {
        MINUTES_A_MONTH * ((self.at("PUT") + self.at("LIST")) * WRITE + self.at("GET") * READ)
    }

    fn at(&self, kind: &str) -> f64 {
        self.requests.get(kind).copied().unwrap_or_default()
    }
}

impl fmt::Display for Bill {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> =
            self.requests.iter().map(|(kind, count)| format!("{count:.1} {kind}")).collect();
        write!(out, "{:.1} in all ({})", self.requests.values().sum::<f64>(), kinds.join(", "))
    }
}

/// Designs that keep a lease for every shard.
pub(crate) fn rivals(shards: f64) -> [(&'static str, Bill); 2] {
    let each = |seconds: f64| shards * 60.0 / seconds;
    let by_shard = Bill::of(&[("PUT", each(TTL.as_secs_f64() / 3.0))]);
    let buquet = Bill::of(&[("PUT", each(10.0)), ("GET", each(10.0))]);
    [
        ("a lease per shard, ttl 10 s, every ttl/3", by_shard),
        ("buquet: a GET and a PUT per shard per 10 s", buquet),
    ]
}
