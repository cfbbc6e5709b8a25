//! What people were told already: a problem that stays is told once.

use std::collections::BTreeSet;

use crate::ids::MemberId;
use crate::message::Notice;
use crate::record::{Incompatible, Key};

/// What people were told already.
#[derive(Debug, Default)]
pub(super) struct Told {
    spent: BTreeSet<String>,
    /// Why our own record can't be used, as it was last told.
    unreadable: Option<Incompatible>,
}

impl Told {
    /// Something is used up, in words.
    pub(super) fn spent(&mut self, what: String) -> Option<Notice> {
        self.spent.insert(what.clone()).then_some(Notice::Spent(what))
    }

    /// A record can't be used. Its reader tells once of each version; but our own has two readers, who read it again and again.
    pub(super) fn unreadable(&mut self, me: &MemberId, error: Incompatible) -> Option<Notice> {
        let ours = error.key == Key::Member(me.clone());
        let again = ours && self.unreadable.replace(error.clone()).as_ref() == Some(&error);
        (!again).then_some(Notice::Unreadable(error))
    }

    /// Our own record is as we wrote it.
    pub(super) fn ours_is_well(&mut self) {
        self.unreadable = None;
    }
}
