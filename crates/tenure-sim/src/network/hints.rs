//! Who is told that a key changed, when, and of what: stores tell more or less, sooner or later, and where anybody may hint some lie.

use tenure_core::ids::MemberId;
use tenure_core::message::Versioned;
use tenure_core::record::{Key, MemberRecord, MemberState, Meta, Version};

use crate::clock::Nanos;
use crate::surroundings::Surroundings;

/// What a hint says.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// That the key changed.
    Changed,
    /// What the key holds, as the store says.
    Told(MemberId, Versioned),
    /// What the key holds, as somebody says.
    Rumour(MemberId, Versioned),
}

impl Surroundings<'_> {
    /// Whether no hint ever arrives.
    pub(crate) fn has_no_hints(&self) -> bool {
        self.faults.hints_missing >= 10_000
    }

    /// How long a hint is on its way to some process, if it gets through.
    pub(crate) fn hint_way(&mut self) -> Option<Nanos> {
        if self.chance.in_10k(self.faults.hints_missing) {
            return None;
        }
        let late = self.chance.in_10k(self.faults.hints_late);
        let way = if late { self.faults.delay } else { self.faults.hop };
        Some(self.chance.span(way))
    }

    /// What a hint says: some stores name the key, some bring a member's record along.
    pub(crate) fn news_of(&mut self, key: &Key) -> News {
        let tells = self.chance.in_10k(self.faults.hints_tell);
        match (key, self.store.get(key).filter(|_| tells).cloned()) {
            (Key::Member(id), Some(record)) if self.faults.hints_forged > 0 => {
                News::Rumour(id.clone(), self.rumour_of(id, record))
            }
            (Key::Member(id), Some(record)) => News::Told(id.clone(), record),
            _ => News::Changed,
        }
    }

    /// Where anybody may hint, now and then a stranger says of a member that it has gone.
    fn rumour_of(&mut self, id: &MemberId, record: Versioned) -> Versioned {
        if self.chance.in_10k(self.faults.hints_forged)
            && let Some(ttl_max) = self.truth.meta.as_ref().map(Meta::ttl_max)
            && let Ok(mut lie) = MemberRecord::decode(id, &record.value, ttl_max)
        {
            (lie.seq, lie.state) = (lie.seq + 1, MemberState::Gone);
            return Versioned { version: Version::new("forged"), value: lie.encode() };
        }
        record
    }
}
