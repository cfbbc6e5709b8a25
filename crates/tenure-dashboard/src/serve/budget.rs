//! What each kind of question may take of a server, so that none keeps out another.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Limits;

/// What a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestKind {
    /// Whether the process lives and is ready: a few bytes, always.
    Probe,
    /// The page of figures.
    Figures,
    /// Anything else.
    Other,
}

impl RequestKind {
    /// By where it is asked; a router may be mounted below another path.
    pub(super) fn to(path: &str) -> Self {
        match path.rsplit('/').next() {
            Some("livez" | "readyz") => Self::Probe,
            Some("metrics") => Self::Figures,
            Some(_) | None => Self::Other,
        }
    }
}

/// What a question takes, given back when this is dropped.
#[derive(Debug)]
pub(super) struct Share(#[allow(dead_code, reason = "held, never looked at")] Option<OwnedSemaphorePermit>);

/// What is left to take.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    requests: Arc<Semaphore>,
    figures: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        let of = |count| Arc::new(Semaphore::new(count));
        Self { requests: of(limits.requests), figures: of(limits.figures), streams: of(limits.streams) }
    }

    /// The share of a question; `None` if too many are being answered.
    pub(super) fn share(&self, kind: RequestKind) -> Option<Share> {
        match kind {
            RequestKind::Probe => Some(Share(None)),
            RequestKind::Figures => take(&self.figures),
            RequestKind::Other => take(&self.requests),
        }
    }

    /// The share of a stream, besides that of its question.
    pub(super) fn stream(&self) -> Option<Share> {
        take(&self.streams)
    }
}

fn take(of: &Arc<Semaphore>) -> Option<Share> {
    Arc::clone(of).try_acquire_owned().ok().map(|permit| Share(Some(permit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errand_is_known_by_its_path_wherever_it_is_mounted() {
        for (path, kind) in [
            ("/livez", RequestKind::Probe),
            ("/tenure/readyz", RequestKind::Probe),
            ("/metrics", RequestKind::Figures),
            ("/", RequestKind::Other),
            ("/livez/more", RequestKind::Other),
        ] {
            assert_eq!(RequestKind::to(path), kind, "{path}");
        }
    }

    #[test]
    fn what_one_kind_has_used_up_is_left_to_the_others() {
        let budget = Budget::new(Limits { connections: 8, requests: 2, streams: 1, figures: 1 });
        let questions =
            [budget.share(RequestKind::Other).unwrap(), budget.share(RequestKind::Other).unwrap()];
        assert!(budget.share(RequestKind::Other).is_none());
        let figures = budget.share(RequestKind::Figures);
        assert!(figures.is_some() && budget.share(RequestKind::Figures).is_none());
        assert!(budget.share(RequestKind::Probe).is_some());
        let stream = budget.stream();
        assert!(stream.is_some() && budget.stream().is_none());
        drop(questions);
        assert!(budget.share(RequestKind::Other).is_some());
    }
}
