//! Damage to what is stored: records deleted, written over with nonsense, put back to what they were; and its repair in the end.

use bytes::Bytes;
use tenure_core::ids::{Epoch, Life, MemberId, Process, ShardId};
use tenure_core::record::{Key, LedgerPage, MemberRecord, Meta};

use crate::store::{Expect, Write, says_drained};
use crate::surroundings::{Harness, Surroundings};

/// What an operator, or a store that forgets, does to records.
pub(crate) trait Damage<'a>: Harness<'a> {
    /// Deletes a member record.
    fn delete_record(&mut self) {
        if let Some(key) = self.around().some_key(|key| matches!(key, Key::Member(_))) {
            self.around().healing.missing_record = true;
            self.overwrite(&key, None);
        }
    }

    /// Writes nonsense over a member record.
    fn spoil_record(&mut self) {
        if let Some(key) = self.around().some_key(|key| matches!(key, Key::Member(_))) {
            self.around().healing.missing_record = true;
            let nonsense = self.around().nonsense(&key);
            self.overwrite(&key, Some(nonsense));
        }
    }

    /// Writes over the record of a living member what it was some renewals ago, as a store does that forgets. The member's `process`
    /// was told of `known` renewals: what it never heard of it can't miss.
    fn rewind_record(&mut self, id: &MemberId, process: Process, known: u64) {
        let around = self.around();
        let Some(present) = around.record(id).filter(|it| it.process == process && it.state.is_open()) else {
            return;
        };
        let known = present.seq.min(known);
        let (key, back) = (Key::Member(id.clone()), 1 + around.chance.below(4));
        let earlier = |value: &Bytes| {
            MemberRecord::decode(id, value, around.shape.ttl_max).is_ok_and(|record| {
                record.incarnation() == present.incarnation()
                    && record.process == process
                    && record.seq + back <= known
            })
        };
        if let Some(value) = around.store.newest(&key, earlier) {
            around.truth.unsaid(&present.life(id));
            self.overwrite(&key, Some(value));
            self.around().rewound.insert(key, true);
        }
    }

    /// Writes into a member's record that an epoch has ended which another life of that member holds: a life whose record was
    /// deleted. What a record says of another life than its own counts for nothing.
    fn release_strangely(&mut self) {
        let Some((key, shard, epoch)) = self.around().some_strange_epoch() else { return };
        self.change(&key, |record| {
            record.released = record.released.iter().chain([(shard, epoch)]).collect();
        });
    }

    /// Writes nonsense over a page, or over meta, of a cluster that `is_long_ready`.
    fn spoil_page(&mut self, is_long_ready: bool) {
        let wanted = |key: &Key| matches!(key, Key::Page(_) | Key::Meta);
        if let Some(key) = self.around().some_key(wanted).filter(|_| is_long_ready) {
            let nonsense = self.around().nonsense(&key);
            self.overwrite(&key, Some(nonsense));
        }
    }

    /// Deletes a page of a cluster that `is_long_ready`.
    fn delete_page(&mut self, is_long_ready: bool) {
        let wanted = |key: &Key| matches!(key, Key::Page(_));
        if let Some(key) = self.around().some_key(wanted).filter(|_| is_long_ready) {
            self.overwrite(&key, None);
        }
    }

    /// Puts everything right: the newest page that makes sense comes back, a member record that makes none is removed.
    fn restore(&mut self) {
        for number in 0..self.around().truth.pages.len() as u32 {
            let meta = self.around().truth.meta.clone();
            let good = |value: &Bytes| {
                meta.as_ref().is_some_and(|meta| LedgerPage::decode(number, value, meta).is_ok())
            };
            self.bring_back(&Key::Page(number), good);
        }
        self.bring_back(&Key::Meta, |value| Meta::decode(value).is_ok());
        for key in self.around().spoiled_members() {
            self.around().healing.missing_record = true;
            self.overwrite(&key, None);
        }
        self.keep_one_drained();
        self.drain_as_wanted();
    }

    /// One member may stay drained: that must have its effect, and last.
    fn keep_one_drained(&mut self) {
        let drained = self.around().some_key(|key| matches!(key, Key::Member(_)));
        if let Some(Key::Member(id)) = drained.filter(|_| self.around().chance.in_10k(4_000)) {
            self.change(&Key::Member(id.clone()), |record| record.drained = true);
            self.around().healing.drained = Some(id);
        }
    }

    /// No member is asked to hand its shards on but the one that is to stay drained.
    fn drain_as_wanted(&mut self) {
        let members: Vec<Key> =
            self.around().store.keys().filter(|key| matches!(key, Key::Member(_))).cloned().collect();
        for key in members {
            if self.around().is_drained(&key) && !self.around().is_to_stay_drained(&key) {
                self.change(&key, |record| record.drained = false);
            }
        }
    }

    fn bring_back(&mut self, key: &Key, good: impl Fn(&Bytes) -> bool) {
        let around = self.around();
        let lost = around.spoiled.contains(key) || around.store.get(key).is_none();
        if let Some(value) = around.store.newest(key, good).filter(|_| lost) {
            self.overwrite(key, Some(value));
        }
    }

    fn change(&mut self, key: &Key, change: impl FnOnce(&mut MemberRecord)) {
        let Key::Member(id) = key else { return };
        let Some(mut record) = self.around().record(id) else { return };
        change(&mut record);
        self.overwrite(key, Some(record.encode()));
    }

    fn overwrite(&mut self, key: &Key, value: Option<Bytes>) {
        self.write(None, Write { key, value, when: Expect::Anything });
    }
}

impl<'a, H: Harness<'a>> Damage<'a> for H {}

impl Surroundings<'_> {
    /// An epoch whose holder's member has a record of another line.
    fn some_strange_epoch(&mut self) -> Option<(Key, ShardId, Epoch)> {
        let holdings = self.truth.pages.iter().flatten().flat_map(|page| &page.holdings);
        let held = (0..).map(ShardId).zip(holdings.map(|holding| (holding.owner.clone(), holding.epoch)));
        let strange: Vec<(Key, ShardId, Epoch)> = held
            .filter_map(|(shard, (owner, epoch))| Some((owner?, shard, epoch)))
            .filter(|(owner, ..)| self.is_of_another_line(owner))
            .map(|(owner, shard, epoch)| (Key::Member(owner.id().clone()), shard, epoch))
            .collect();
        (!strange.is_empty()).then(|| strange[self.chance.place(strange.len())].clone())
    }

    /// The member records that make no sense, or went back unnoticed.
    fn spoiled_members(&self) -> Vec<Key> {
        let members = self.spoiled.iter().filter(|key| matches!(key, Key::Member(_)));
        let rewound = self.rewound.iter().filter(|(_, unnoticed)| **unnoticed).map(|(key, _)| key);
        members.chain(rewound).cloned().collect()
    }

    /// Whether the record of a member that should not be drained says that it is: one that was deleted while drained may come back so,
    /// and the operator sees it and mends it.
    pub(crate) fn is_to_undrain(&self, key: &Key) -> bool {
        self.healing.has_begun() && !self.is_to_stay_drained(key) && self.is_drained(key)
    }

    /// Whether the record of a life's member is of another line, which does not close that life at once.
    fn is_of_another_line(&self, life: &Life) -> bool {
        let other = self.record(life.id()).is_some_and(|record| record.line != life.incarnation().line);
        other && !self.truth.closed(self.now, life)
    }

    fn is_drained(&self, key: &Key) -> bool {
        self.store.get(key).is_some_and(|content| says_drained(&content.value))
    }

    fn is_to_stay_drained(&self, key: &Key) -> bool {
        matches!(key, Key::Member(id) if self.healing.drained.as_ref() == Some(id))
    }

    fn some_key(&mut self, wanted: impl Fn(&Key) -> bool) -> Option<Key> {
        let keys: Vec<Key> = self.store.keys().filter(|key| wanted(key)).cloned().collect();
        (!keys.is_empty()).then(|| keys[self.chance.place(keys.len())].clone())
    }

    fn nonsense(&mut self, key: &Key) -> Bytes {
        let present = self.store.get(key).map(|content| content.value.clone()).unwrap_or_default();
        match self.chance.place(5) {
            0 => Bytes::new(),
            1 => Bytes::from_static(b"\xff\xfe not a record"),
            2 => Bytes::from_static(b"{}"),
            3 => present.slice(..present.len() / 2),
            _ => later_version(&present),
        }
    }
}

/// The same record, in a format that this build does not know.
fn later_version(present: &Bytes) -> Bytes {
    let text = String::from_utf8_lossy(present);
    text.replacen("\"v\":1", "\"v\":99", 1).into_bytes().into()
}
