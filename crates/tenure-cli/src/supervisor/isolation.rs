//! Whether commands run in a namespace of their own: what people may say, and what the system gives.

use super::namespace;
use crate::exit::{Exit, Failure};
use crate::talk;

/// Whether commands get a PID namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Isolate {
    /// If the system gives one
    Auto,
    /// Refuse to start without one
    Always,
    /// No: commands see the processes of the whole system
    Never,
}

impl Isolate {
    /// Whether commands will run in a namespace. To be asked before joining.
    pub(crate) fn decide(self) -> Result<bool, Failure> {
        let (tried, must) = match self {
            Self::Never => return Ok(false),
            Self::Auto => (namespace::try_out(), false),
            Self::Always => (namespace::try_out(), true),
        };
        let Err(why) = tried else { return Ok(true) };
        if must {
            return Err(Failure::new(Exit::Usage, refusal(&why)));
        }
        talk::say(&warning(&why));
        Ok(false)
    }
}

fn refusal(why: &str) -> String {
    format!(
        "the system gives no PID namespace for commands ({why}); allow it (CAP_SYS_ADMIN, or user namespaces), or use \
         --isolate auto"
    )
}

fn warning(why: &str) -> String {
    format!(
        "commands run without a PID namespace ({why}): should all processes of this member be killed at one instant, what \
         commands started in sessions of their own goes on; --isolate never accepts this silently"
    )
}
