//! How many are served at once, and of which kind.
//!
//! Descriptors belong to the work of this process first: a server takes an eighth of them at most. What it takes is divided, so
//! that no kind of visitor can keep out another: streams last for hours, a probe must be answered while everything else is taken.

use rustix::process::{Resource, getrlimit};

/// As many connections as any dashboard needs.
const CONNECTIONS_MAX: usize = 256;

/// With fewer than these no page could be served beside a stream and a probe.
const CONNECTIONS_MIN: usize = 16;

/// How many are served at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Connections, whatever they are for.
    pub connections: usize,
    /// Questions that are being answered, streams among them; probes and figures are not counted.
    pub requests: usize,
    /// Streams of events.
    pub streams: usize,
    /// Pages of figures that are being read.
    pub figures: usize,
}

impl Limits {
    /// What this process can spare, by its limit of descriptors.
    pub fn of_this_process() -> Self {
        let descriptors = getrlimit(Resource::Nofile).current;
        Self::beside(descriptors.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX))
    }

    /// What can be spared of so many descriptors. A quarter of the connections is left to those who have asked for nothing yet,
    /// and to probes.
    fn beside(descriptors: usize) -> Self {
        let connections = (descriptors / 8).clamp(CONNECTIONS_MIN, CONNECTIONS_MAX);
        let eighth = connections / 8;
        Self { connections, requests: 5 * eighth, streams: 4 * eighth, figures: eighth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_fits_beside_the_others_and_a_quarter_is_left() {
        for descriptors in [0, 64, 200, 1024, 1 << 20, usize::MAX] {
            let limits = Limits::beside(descriptors);
            assert!(limits.streams < limits.requests && limits.figures > 0, "{limits:?}");
            assert!(limits.requests + limits.figures <= limits.connections * 3 / 4, "{limits:?}");
        }
    }

    #[test]
    fn most_descriptors_are_left_to_the_work() {
        assert_eq!(Limits::beside(1024).connections, 128);
        assert_eq!(Limits::beside(200).connections, 25);
        assert_eq!(Limits::beside(1 << 20).connections, CONNECTIONS_MAX);
    }
}
