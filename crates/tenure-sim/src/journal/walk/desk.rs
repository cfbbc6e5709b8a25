//! Group commit of one owner: the shipped [`Group`], whose records are numbers.

use bytes::Bytes;
use tenure_core::journal::group::{Group, Limits, Sealed};
use tenure_core::journal::{Author, Record, Seq};
use tenure_core::moment::Moment;

use crate::chance::Chance;
use crate::journal::history::Batch;
use crate::journal::promise::Promise;

/// What an owner wants to have stored.
#[derive(Debug)]
pub(super) struct Desk {
    group: Option<Group<u32>>,
    under_way: usize,
    /// The number of the next record.
    number: u32,
    /// The number of the next record that is acknowledged or sealed.
    sealed: u32,
    landed: u16,
}

impl Desk {
    /// Numbers of records tell whose they are.
    pub(super) fn new(author: &Author, under_way: usize) -> Self {
        let number = author.run.0 as u32 * 0x1_0000;
        Self { group: None, under_way, number, sealed: number, landed: 0 }
    }

    /// Takes in one to three records. `next` is the number of the next append, unless as many as may be are under way.
    pub(super) fn submit(&mut self, now: u64, next: Option<Seq>, chance: &mut Chance) {
        let limits =
            Limits { entry_records: 4, waiting_bytes: 512, under_way: self.under_way, ..Limits::default() };
        if self.group.is_none() {
            self.group = next.map(|next| Group::new(limits, next));
        }
        let Some(group) = &mut self.group else { return };
        let count = 1 + chance.below(3) as u32;
        let record = |number: u32| Record {
            key: None,
            version: 1,
            body: Bytes::copy_from_slice(&number.to_be_bytes()),
        };
        let records = (self.number..self.number + count).map(record).collect();
        if group.submit(moment(now), records, self.number).is_ok() {
            self.number += count;
        }
    }

    /// As many appends were acknowledged since the beginning.
    pub(super) fn landed(&mut self, acknowledged: u16) {
        let new = acknowledged - std::mem::replace(&mut self.landed, acknowledged);
        if let Some(group) = &mut self.group {
            (0..new).for_each(|_| group.landed());
        }
    }

    /// The next entry, which must have the number `next` and follow what was sealed before.
    pub(super) fn seal(&mut self, now: u64, next: Seq) -> Result<Option<Batch>, Promise> {
        let Some(sealed) = self.group.as_mut().and_then(|group| group.seal(moment(now))) else {
            return Ok(None);
        };
        let Sealed { seq, records, tickets } = sealed;
        let numbers =
            records.iter().filter_map(|record| Some(u32::from_be_bytes(*record.body.first_chunk()?)));
        let first = self.sealed;
        self.sealed += records.len() as u32;
        let told: usize = tickets.iter().map(|(_, count)| count).sum();
        let is_sound = seq == next && numbers.eq(first..self.sealed) && told == records.len();
        let count = u16::try_from(records.len()).unwrap_or(u16::MAX);
        if is_sound { Ok(Some(Batch { first, count })) } else { Err(Promise::NoHoles) }
    }
}

/// A step takes a millisecond.
fn moment(now: u64) -> Moment {
    Moment::from_nanos(now * 1_000_000)
}
