//! Whether the store answers: a picture that is old must not look like one that is true.

use serde::Serialize;

/// Whether the store answers, and since when; also the event `sight`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Sight {
    /// How it is.
    pub state: SightState,
    /// Since when it is so.
    pub since_ms: u64,
    /// When the store last answered; null if it never did.
    pub seen_ms: Option<u64>,
    /// Why, in words, unless it is `seen`.
    pub reason: Option<String>,
    /// What is wrong and needs a person, in words; as in the picture.
    pub problems: Vec<String>,
}

/// How well the cluster is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SightState {
    /// Nothing was seen yet.
    Starting,
    /// The store answers, and has no such cluster yet.
    Absent,
    /// What is shown is what is there.
    Seen,
    /// The store does not answer: what is shown is what was seen last.
    Away,
    /// The dashboard itself failed: nothing is shown, and it looks again in a moment.
    Broken,
}

/// The event `beat`: nothing happened, and the dashboard is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Beat {
    /// The state that still holds.
    pub seq: u64,
    /// What the dashboard's clock shows.
    pub at_ms: u64,
    /// When the store last answered; null if it never did. Old while a call hangs.
    pub seen_ms: Option<u64>,
}
