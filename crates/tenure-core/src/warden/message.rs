//! What a member and its helpers say to each other. One message is one packet; the lease is none, see [`Term`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::{Epoch, ShardId};
use crate::moment::Moment;

/// One run of the command; never used twice by one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId(pub u64);

/// What a run of the command is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The shard.
    pub shard: ShardId,
    /// The epoch that the member owns it at.
    pub epoch: Epoch,
    /// The member's life.
    pub incarnation: String,
    /// The span that it belongs to, for the command's own traces.
    pub traceparent: Option<String>,
}

/// Up to when a member may act, and in which of its lives: what stands in the register that it shares with its helpers. A life
/// that has ended never comes back, so nobody who reads late takes a later lease for the one that he knew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// Which lease this is, counted from the first; renewals are the same one.
    pub life: u64,
    /// The moment up to which the member may act; [`Moment::ZERO`]: it may not.
    pub until: Moment,
}

/// From the member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// The first packet; descriptors come with it.
    Hello,
    /// Run the command, in this life. Its output goes to the descriptors that come with the packet, or where the warden's goes.
    Start(JobId, u64, Work),
    /// Ask it to end.
    Terminate(JobId),
    /// End it.
    Kill(JobId),
    /// Look at the register: a lease began or ended.
    Look,
}

/// To the member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// The run stands in the history: from now on whoever outlives the other writes its end.
    Begun(JobId),
    /// The run ended, and nothing that it started lives.
    Ended(JobId, Ending),
    /// Something went wrong that needs a person.
    Trouble(String),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// By us, because the lease was over.
    Lapsed,
    /// It was not started: there was no lease to run under, or it was not wanted any more.
    Refused,
    /// It could not be started.
    Unborn(String),
    /// Its helpers were killed, or did not answer.
    Bereft,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(status) => write!(f, "exited with status {status}"),
            Self::Signalled(signal) => write!(f, "was ended by signal {signal}"),
            Self::Lapsed => f.write_str("was ended, since the lease was over"),
            Self::Refused => f.write_str("was not started, since the lease had ended"),
            Self::Unborn(why) => write!(f, "could not be started: {why}"),
            Self::Bereft => f.write_str("was ended with its warden"),
        }
    }
}
