//! What operators write into our record, kept over our own writes.

use super::Keeper;
use crate::record::{MemberRecord, Released};

/// What operators ask of this member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wishes {
    /// That it hand its shards on and get no others.
    pub(super) drained: bool,
    /// That it give these promised epochs back, if it has not begun them.
    pub(super) give_back: Released,
}

impl Wishes {
    pub(super) fn of(record: &MemberRecord) -> Self {
        Self { drained: record.drained, give_back: record.give_back.clone() }
    }
}

impl Keeper {
    /// The promised epochs that this member is asked to give back.
    pub fn asked_back(&self) -> &Released {
        &self.wishes.give_back
    }

    /// All of them were judged: the record need not say them any more.
    pub fn gave_back(&mut self) {
        self.wishes.give_back = Released::default();
        self.say(|_| true);
    }
}
