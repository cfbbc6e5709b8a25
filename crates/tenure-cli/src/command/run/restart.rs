//! Whether a command that ended is run again.

use std::time::Duration;

use tenure::BoxError;
use tenure_core::warden::Ending;

/// The pause before a command that ended well is run again. Failures have growing pauses, kept by the member.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// When a command is run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Restart {
    /// Whenever it ended
    Always,
    /// If it failed
    OnFailure,
    /// Not at all: the shard stays owned and idle
    Never,
}

/// What follows from an end.
#[derive(Debug)]
pub(super) enum Next {
    /// Run it again after the [`PAUSE`]: all is well.
    Again,
    /// The shard's work is done.
    Done,
    /// It failed: the member runs it again, or hands the shard on.
    Failed(BoxError),
}

impl Restart {
    /// What follows from `ending`.
    pub(super) fn after(self, ending: &Ending) -> Next {
        let by_itself = matches!(ending, Ending::Exited(_) | Ending::Signalled(_));
        match (self, ending) {
            (Self::Always, Ending::Exited(0)) => Next::Again,
            (Self::OnFailure, Ending::Exited(0)) => Next::Done,
            (Self::Never, _) if by_itself => Next::Done,
            (Self::Always | Self::OnFailure | Self::Never, _) => {
                Next::Failed(format!("the command {ending}").into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(next: Next) -> &'static str {
        match next {
            Next::Again => "again",
            Next::Done => "done",
            Next::Failed(_) => "failed",
        }
    }

    #[test]
    fn each_policy_says_what_follows_from_each_end() {
        let endings = [Ending::Exited(0), Ending::Exited(1), Ending::Signalled(11), Ending::Refused];
        let after = |restart: Restart| endings.clone().map(|ending| word(restart.after(&ending)));
        assert_eq!(after(Restart::Always), ["again", "failed", "failed", "failed"]);
        assert_eq!(after(Restart::OnFailure), ["done", "failed", "failed", "failed"]);
        assert_eq!(after(Restart::Never), ["done", "done", "done", "failed"]);
    }
}
