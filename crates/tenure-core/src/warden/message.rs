//! What a member and its warden say to each other. One message is one packet.

use std::fmt;

use serde::{Deserialize, Serialize};
use tenure::{Epoch, ShardId};

/// One run of the command; never used twice by one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct JobId(pub(crate) u64);

/// What a run of the command is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Work {
    /// The shard.
    pub(crate) shard: ShardId,
    /// The epoch that the member owns it at.
    pub(crate) epoch: Epoch,
    /// The member's life.
    pub(crate) incarnation: String,
    /// The span that it belongs to, for the command's own traces.
    pub(crate) traceparent: Option<String>,
}

/// From the member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Order {
    /// The first packet; the shared lock comes with it, if there is one.
    Hello,
    /// Run the command. Its output goes to the descriptors that come with the packet, or where the warden's goes.
    Start(JobId, Work),
    /// Ask it to end.
    Terminate(JobId),
    /// End it.
    Kill(JobId),
    /// The member may act up to this boot time, in nanoseconds; zero: no more.
    Lease(u64),
}

/// To the member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The run stands in the history: from now on whoever outlives the other writes its end.
    Begun(JobId),
    /// The run ended, and nothing that it started lives.
    Ended(JobId, Ending),
    /// Something went wrong that needs a person.
    Trouble(String),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It was not started: there was no lease to run under.
    Refused,
    /// It could not be started.
    Unborn(String),
    /// Its warden was killed.
    Bereft,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(status) => write!(f, "exited with status {status}"),
            Self::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            Self::Refused => f.write_str("was not started, since the lease had ended"),
            Self::Unborn(why) => write!(f, "could not be started: {why}"),
            Self::Bereft => f.write_str("was ended, since its warden was killed"),
        }
    }
}
