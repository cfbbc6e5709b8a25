//! One member's record, because a hint named it.
//!
//! Most hints tell of a renewal, which changes nothing but when it was seen. A whole look at each of them would make the
//! reads of a cluster grow with the cube of its members. So a hint about one member reads that record alone, or none at all
//! where the hint brought it; only news begins a whole look.
//!
//! What a hint brought may have been under way for long: it never counts as watching (O1), and is learnt only where it can be
//! told from an older record, which is within one line. A record of another line, or of a member that has none, is read:
//! learnt from an old hint, it would make the missing seem present and the silent fresh.
//!
//! A rumour is a hint from whomever: nothing is learnt from what it brought. It only spares the read where it would tell of a
//! renewal, and nothing else. Glances that find nothing new cost breath, so that nobody's word makes a member spin.

use std::collections::BTreeMap;
use std::time::Duration;

use super::breath::Breath;
use crate::ids::MemberId;
use crate::moment::Moment;

/// The members being glanced at.
#[derive(Debug)]
pub(super) struct Glances {
    /// Whether another hint came while the read was under way.
    under_way: BTreeMap<MemberId, bool>,
    breath: Breath,
}

impl Glances {
    /// As many glances in vain as there may be looks that come `poll` after each other while nothing happens.
    pub(super) fn new(poll: Duration) -> Self {
        Self { under_way: BTreeMap::new(), breath: Breath::over(poll) }
    }

    /// Whether there is breath for one more that may be in vain.
    pub(super) fn may_begin(&self, now: Moment) -> bool {
        now >= self.breath.earliest()
    }

    /// Whether a glance is to begin; if one is under way, another follows it.
    pub(super) fn begin(&mut self, now: Moment, id: &MemberId) -> bool {
        if let Some(again) = self.under_way.get_mut(id) {
            *again = true;
            return false;
        }
        self.breath.take(now);
        self.under_way.insert(id.clone(), false).is_none()
    }

    /// A glance brought something new: it was not in vain.
    pub(super) fn was_worth_it(&mut self) {
        self.breath.give_back();
    }

    /// Whether another glance is due.
    pub(super) fn end(&mut self, id: &MemberId) -> bool {
        self.under_way.remove(id).unwrap_or(false)
    }
}
