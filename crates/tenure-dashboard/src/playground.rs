//! A cluster that may be broken: what `tenure up` lends to its dashboard.

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;
use serde::Serialize;
use tenure::MemberId;

use crate::view::{Measured, Process};

/// What can be done to a member's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Blow {
    /// SIGKILL: it is gone at once.
    Kill,
    /// SIGSTOP: it does nothing, and does not know.
    Freeze,
    /// SIGCONT: it goes on.
    Thaw,
    /// It reaches the store no more.
    Cut,
    /// It reaches the store again.
    Mend,
    /// SIGTERM: it leaves.
    Stop,
    /// It is started again.
    Start,
}

impl Blow {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Kill, Self::Freeze, Self::Thaw, Self::Cut, Self::Mend, Self::Stop, Self::Start];

    /// Its name, as in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Freeze => "freeze",
            Self::Thaw => "thaw",
            Self::Cut => "cut",
            Self::Mend => "mend",
            Self::Stop => "stop",
            Self::Start => "start",
        }
    }

    /// The one of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|blow| blow.name() == name)
    }
}

/// Processes of members that may be started, ended and disturbed.
#[async_trait]
pub trait Playground: Send + Sync + fmt::Debug + 'static {
    /// What each process is up to.
    fn processes(&self) -> BTreeMap<MemberId, Process>;

    /// What the work of all members wrote down, if it does.
    fn measured(&self) -> Option<Measured>;

    /// Does it; without a name, [`Blow::Start`] starts one more. Tells what was done, in words; or why not.
    async fn play(&self, member: Option<&MemberId>, blow: Blow) -> Result<String, String>;
}
