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
    /// It ended with the lease, which is no failure of its own: run it again when there is one.
    Lapsed,
    /// It failed: the member runs it again, or hands the shard on.
    Failed(BoxError),
}

impl Restart {
    /// What follows from `ending`.
    pub(super) fn after(self, ending: &Ending) -> Next {
        match (ending, self) {
            (Ending::Lapsed | Ending::Refused, _) => Next::Lapsed,
            (Ending::Exited(0), Self::Always) => Next::Again,
            (Ending::Exited(0), Self::OnFailure) => Next::Done,
            (Ending::Exited(_) | Ending::Signalled(_), Self::Never) => Next::Done,
            (Ending::Exited(_) | Ending::Signalled(_) | Ending::Unborn(_) | Ending::Bereft, _) => {
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
            Next::Lapsed => "lapsed",
            Next::Failed(_) => "failed",
        }
    }

    #[test]
    fn each_policy_says_what_follows_from_each_end() {
        let endings = [
            Ending::Exited(0),
            Ending::Exited(1),
            Ending::Signalled(11),
            Ending::Bereft,
            Ending::Refused,
            Ending::Lapsed,
        ];
        let after = |restart: Restart| endings.clone().map(|ending| word(restart.after(&ending)));
        assert_eq!(after(Restart::Always), ["again", "failed", "failed", "failed", "lapsed", "lapsed"]);
        assert_eq!(after(Restart::OnFailure), ["done", "failed", "failed", "failed", "lapsed", "lapsed"]);
        assert_eq!(after(Restart::Never), ["done", "done", "done", "failed", "lapsed", "lapsed"]);
    }
}
