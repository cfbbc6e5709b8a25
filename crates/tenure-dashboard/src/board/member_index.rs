//! The places of members: each name has one, from its first sight on, so that shards can name their owners by number.

use std::collections::BTreeMap;

use tenure::MemberId;

use crate::view::{Mark, Marks};

/// The names, by place.
#[derive(Clone, Debug, Default)]
pub(super) struct MemberIndex {
    places: BTreeMap<MemberId, u32>,
    names: Vec<MemberId>,
    marks: Marks,
}

impl MemberIndex {
    /// The place of this member; a new one, if it was never seen.
    pub(super) fn place(&mut self, id: &MemberId) -> u32 {
        if let Some(place) = self.places.get(id) {
            return *place;
        }
        let place = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.places.insert(id.clone(), place);
        self.names.push(id.clone());
        place
    }

    /// The mark of this member.
    pub(super) fn mark(&mut self, id: &MemberId) -> Mark {
        self.marks.of(id)
    }

    /// All names, by place.
    pub(super) fn names(&self) -> &[MemberId] {
        &self.names
    }
}
