//! The operator, who deletes records and writes nonsense over them, and puts it right in the end.

use bytes::Bytes;
use tenure_core::ids::{Epoch, Life, ShardId};
use tenure_core::record::{Key, LedgerPage, MemberRecord, Meta};

use super::MachineSim;
use super::driver::member_id;
use super::network::contains;
use super::queue::{Expect, Happening, Write};

impl MachineSim<'_> {
    /// Deletes a member record.
    pub(crate) fn delete_record(&mut self) {
        if let Some(key) = self.some_key(|key| matches!(key, Key::Member(_))) {
            self.healing.missing_record = true;
            self.overwrite(&key, None);
        }
    }

    /// Writes over a living member's record what it was some renewals ago, as a store does that forgets.
    pub(crate) fn rewind_record(&mut self) {
        let Some(no) = self.some(|proc| proc.runs() && proc.machine.incarnation().is_some()) else { return };
        let (id, process) = (member_id(self.procs[no].member), self.procs[no].process);
        let Some(present) = self.record(&id).filter(|it| it.process == process && it.state.is_open()) else {
            return;
        };
        // What it never heard of it can't miss.
        let known = present.seq.min(self.procs[no].conduct.stored_seq);
        let (key, back) = (Key::Member(id.clone()), 1 + self.chance.below(4));
        let earlier = |value: &Bytes| {
            MemberRecord::decode(&id, value, self.shape.ttl_max).is_ok_and(|record| {
                record.incarnation() == present.incarnation()
                    && record.process == process
                    && record.seq + back <= known
            })
        };
        if let Some(value) = self.store.newest(&key, earlier) {
            self.truth.unsaid(&present.life(&id));
            self.overwrite(&key, Some(value));
            self.rewound.insert(key, true);
        }
    }

    /// Writes into a member's record that an epoch has ended which another life of that member holds: a life whose record was
    /// deleted. What a record says of another life than its own counts for nothing.
    pub(crate) fn release_strangely(&mut self) {
        let holdings = self.truth.pages.iter().flatten().flat_map(|page| &page.holdings);
        let held = (0..).map(ShardId).zip(holdings.map(|holding| (holding.owner.clone(), holding.epoch)));
        let strange: Vec<(Key, ShardId, Epoch)> = held
            .filter_map(|(shard, (owner, epoch))| Some((owner?, shard, epoch)))
            .filter(|(owner, ..)| self.is_of_another_line(owner))
            .map(|(owner, shard, epoch)| (Key::Member(owner.id().clone()), shard, epoch))
            .collect();
        if strange.is_empty() {
            return;
        }
        let (key, shard, epoch) = strange[self.chance.place(strange.len())].clone();
        self.change(&key, |record| {
            record.released = record.released.iter().chain([(shard, epoch)]).collect();
        });
    }

    /// Whether the record of a life's member is of another line, which does not close that life at once.
    fn is_of_another_line(&self, life: &Life) -> bool {
        let other = self.record(life.id()).is_some_and(|record| record.line != life.incarnation().line);
        other && !self.truth.closed(self.now, life)
    }

    fn is_drained(&self, key: &Key) -> bool {
        self.store.get(key).is_some_and(|content| says_drained(&content.value))
    }

    /// A member that was deleted while drained may come back drained: the operator sees it and mends it.
    pub(crate) fn mend_drained(&mut self, key: &Key) {
        if self.healing.has_begun() && !self.is_to_stay_drained(key) && self.is_drained(key) {
            self.queue.put(self.now + self.shape.ttl() / 100, Happening::Undrain);
        }
    }

    fn change(&mut self, key: &Key, change: impl FnOnce(&mut MemberRecord)) {
        let (Key::Member(id), Some(content)) = (key, self.store.get(key)) else { return };
        let Ok(mut record) = MemberRecord::decode(id, &content.value, self.shape.ttl_max) else { return };
        change(&mut record);
        self.overwrite(key, Some(record.encode()));
    }

    /// Writes nonsense over a member record.
    pub(crate) fn spoil_record(&mut self) {
        if let Some(key) = self.some_key(|key| matches!(key, Key::Member(_))) {
            self.healing.missing_record = true;
            let nonsense = self.nonsense(&key);
            self.overwrite(&key, Some(nonsense));
        }
    }

    /// Writes nonsense over a page, or over meta.
    pub(crate) fn spoil_page(&mut self) {
        let wanted = |key: &Key| matches!(key, Key::Page(_) | Key::Meta);
        if let Some(key) = self.some_key(wanted).filter(|_| self.is_long_ready()) {
            let nonsense = self.nonsense(&key);
            self.overwrite(&key, Some(nonsense));
        }
    }

    /// Deletes a page.
    pub(crate) fn delete_page(&mut self) {
        let wanted = |key: &Key| matches!(key, Key::Page(_));
        if let Some(key) = self.some_key(wanted).filter(|_| self.is_long_ready()) {
            self.overwrite(&key, None);
        }
    }

    /// Puts everything right: the newest page that makes sense comes back, a member record that makes none is removed.
    pub(crate) fn restore(&mut self) {
        for number in 0..self.truth.pages.len() as u32 {
            let meta = self.truth.meta.clone();
            let good = |value: &Bytes| {
                meta.as_ref().is_some_and(|meta| LedgerPage::decode(number, value, meta).is_ok())
            };
            self.bring_back(&Key::Page(number), good);
        }
        self.bring_back(&Key::Meta, |value| Meta::decode(value).is_ok());
        let members: Vec<Key> =
            self.spoiled.iter().filter(|key| matches!(key, Key::Member(_))).cloned().collect();
        let rewound = self.rewound.iter().filter(|(_, unnoticed)| **unnoticed).map(|(key, _)| key.clone());
        for key in members.into_iter().chain(rewound.collect::<Vec<_>>()) {
            self.healing.missing_record = true;
            self.overwrite(&key, None);
        }
        self.keep_one_drained();
        self.drain_as_wanted();
    }

    /// One member may stay drained: that must have its effect, and last.
    fn keep_one_drained(&mut self) {
        let drained = self.some_key(|key| matches!(key, Key::Member(_)));
        if let Some(Key::Member(id)) = drained.filter(|_| self.chance.in_10k(4_000)) {
            self.change(&Key::Member(id.clone()), |record| record.drained = true);
            self.healing.drained = Some(id);
        }
    }

    /// No member is asked to hand its shards on but the one that is to stay drained.
    pub(crate) fn drain_as_wanted(&mut self) {
        let members: Vec<Key> =
            self.store.keys().filter(|key| matches!(key, Key::Member(_))).cloned().collect();
        for key in members {
            if self.is_drained(&key) && !self.is_to_stay_drained(&key) {
                self.change(&key, |record| record.drained = false);
            }
        }
    }

    fn is_to_stay_drained(&self, key: &Key) -> bool {
        matches!(key, Key::Member(id) if self.healing.drained.as_ref() == Some(id))
    }

    fn bring_back(&mut self, key: &Key, good: impl Fn(&Bytes) -> bool) {
        let lost = self.spoiled.contains(key) || self.store.get(key).is_none();
        if let Some(value) = self.store.newest(key, good).filter(|_| lost) {
            self.overwrite(key, Some(value));
        }
    }

    fn overwrite(&mut self, key: &Key, value: Option<Bytes>) {
        self.write(None, Write { key, value, when: Expect::Anything });
    }

    fn some_key(&mut self, wanted: impl Fn(&Key) -> bool) -> Option<Key> {
        let keys: Vec<Key> = self.store.keys().filter(|key| wanted(key)).cloned().collect();
        (!keys.is_empty()).then(|| keys[self.chance.place(keys.len())].clone())
    }

    /// Whether no write of the founding can be on its way any more: a page that is created twice is not a fault that the
    /// protocol promises to survive together with one that is deleted.
    fn is_long_ready(&self) -> bool {
        let knows = self.procs.iter().filter(|proc| proc.lives()).all(|proc| proc.found);
        knows && self.truth.ready_at.is_some_and(|ready| self.now > ready + 6 * self.shape.ttl())
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

/// Whether a member's record says that it is drained.
pub(crate) fn says_drained(record: &[u8]) -> bool {
    contains(record, b"\"drained\":true")
}

/// The same record, in a format that this build does not know.
fn later_version(present: &Bytes) -> Bytes {
    let text = String::from_utf8_lossy(present);
    text.replacen("\"v\":1", "\"v\":99", 1).into_bytes().into()
}
