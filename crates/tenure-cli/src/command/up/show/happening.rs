//! What can happen to a show, and what it can ask for.

use std::time::Duration;

use tenure::MemberId;
use tenure_dashboard::view::Kind;

use super::super::cluster_view::ClusterView;
use super::super::tally::Tally;

/// What can be done to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blow {
    /// SIGKILL: it is gone at once.
    Kill,
    /// SIGSTOP: it does nothing, and does not know.
    Freeze,
    /// SIGCONT: it goes on.
    Thaw,
    /// SIGTERM: it leaves.
    Stop,
    /// It reaches the store no more.
    Cut,
    /// It reaches the store again.
    Mend,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It left, as it was asked to.
    Left,
    /// It was killed.
    Killed,
    /// It failed, with these last words.
    Failed(String),
}

/// A life that did not end as planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Closing {
    /// Whose.
    pub(crate) member: MemberId,
    /// When that was noticed, since the show began.
    pub(crate) at: Duration,
    /// What the others had to wait for.
    pub(crate) how: Kind,
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) enum Happening {
    /// A member's process was started.
    Started(MemberId),
    /// Something was done to a member.
    Struck(MemberId, Blow),
    /// A member's process ended.
    Ended(MemberId, End),
    /// Somebody looked at the records.
    Saw(ClusterView),
    /// Somebody added up the work logs.
    Tallied(Tally),
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Do this to a member.
    Strike(MemberId, Blow),
    /// Start one more.
    Add,
    /// Start one again that has ended.
    Restart(MemberId),
    /// The show is over.
    Quit,
}

/// A key, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Press {
    /// Select the one above.
    Up,
    /// Select the one below.
    Down,
    /// Select this one, counted from 1.
    Select(usize),
    /// Do this to the selected one.
    Strike(Blow),
    /// Start one more.
    Add,
    /// End the show.
    Quit,
}
