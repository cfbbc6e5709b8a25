//! The true history: for each number the first entry that was ever stored under it. It judges what the machines do, and knows nothing of
//! how they do it.

use tenure_core::journal::names::Stored;
use tenure_core::journal::{Author, Seq};

use super::promise::Promise;

/// Records with numbers of their own, one after the other: what one entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Batch {
    /// The number of the first record.
    pub(super) first: u32,
    /// How many records.
    pub(super) count: u16,
}

/// A state: the fold of records. Two are equal if they came from the same records in the same order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Fold(u64);

/// An entry: a fence, or records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ToyEntry {
    pub(super) author: Author,
    pub(super) batch: Option<Batch>,
}

/// For each number the first entry that was ever stored under it, and the state after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct History(Vec<(ToyEntry, Fold)>);

impl Stored for ToyEntry {
    fn author(&self) -> &Author {
        &self.author
    }

    fn is_fence(&self) -> bool {
        self.batch.is_none()
    }
}

impl Fold {
    /// The state after one more entry.
    pub(super) fn then(self, entry: &ToyEntry) -> Self {
        let Some(Batch { first, count }) = entry.batch else { return self };
        let numbers = first..first + u32::from(count);
        Self(numbers.fold(self.0, |state, number| mix(state ^ u64::from(number + 1))))
    }

    /// The state after all of `entries`.
    pub(super) fn after<'a>(self, entries: impl IntoIterator<Item = &'a ToyEntry>) -> Self {
        entries.into_iter().fold(self, Self::then)
    }
}

/// Spreads every bit over all others, and loses none.
fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let bits = (bits ^ (bits >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ (bits >> 32)
}

impl History {
    /// The number after the last.
    pub(super) fn end(&self) -> Seq {
        Seq(self.0.len() as u64 + 1)
    }

    /// The entry of a number.
    pub(super) fn at(&self, seq: Seq) -> Option<&ToyEntry> {
        self.0.get(usize::try_from(seq.before().0).ok()?).map(|(entry, _)| entry)
    }

    /// The state before `seq`, if the history reaches so far.
    pub(super) fn fold(&self, seq: Seq) -> Option<Fold> {
        match usize::try_from(seq.before().0).ok()? {
            0 => Some(Fold::default()),
            before => self.0.get(before - 1).map(|(_, fold)| *fold),
        }
    }

    /// An entry was stored under a number. V1, V3 and V6 are judged where the history grows.
    pub(super) fn store(&mut self, seq: Seq, entry: ToyEntry) -> Result<(), Promise> {
        match seq.cmp(&self.end()) {
            std::cmp::Ordering::Less => return Ok(()),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => return Err(Promise::NoHoles),
        }
        let last = self.0.last().map(|(last, _)| last.author);
        let falls =
            last.is_some_and(|last| last.lineage != entry.author.lineage || last.epoch > entry.author.epoch);
        if falls || entry.batch.is_some() && last != Some(entry.author) {
            return Err(Promise::NeverBack);
        }
        if entry.batch.is_some() && self.0.iter().any(|(other, _)| other.batch == entry.batch) {
            return Err(Promise::OnceOnly);
        }
        let fold = self.0.last().map_or_else(Fold::default, |(_, fold)| *fold).then(&entry);
        self.0.push((entry, fold));
        Ok(())
    }

    /// V7: `state` is the fold of the history before `next`, and the history does not go on without it.
    pub(super) fn judge_state(&self, next: Seq, state: Fold) -> Result<(), Promise> {
        if self.fold(next) == Some(state) { Ok(()) } else { Err(Promise::TrueState) }
    }

    /// V5: what was acknowledged under `seq` is there.
    pub(super) fn judge_acknowledged(&self, seq: Seq, entry: &ToyEntry) -> Result<(), Promise> {
        if self.at(seq) == Some(entry) { Ok(()) } else { Err(Promise::Kept) }
    }
}
