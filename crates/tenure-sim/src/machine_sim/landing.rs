//! A write lands: what it makes true, whether it may, and who is told.

use bytes::Bytes;
use tenure_core::ids::{Epoch, MemberId, ShardId};
use tenure_core::message::{Event, Versioned};
use tenure_core::record::{Heir, Key, LedgerPage, MemberRecord, MemberState, Meta, Version};

use super::operator::says_drained;
use super::queue::{Happening, ProcessNo, Write};
use super::{MachineSim, Proc};
use crate::promises::Promise;
use crate::promises::nonsense_left_alone::{self, Before};
use crate::promises::settles::{duties, lasting};
use crate::promises::{closed_has_no_lease, earlier_ended, epochs_grow};

impl MachineSim<'_> {
    /// Whether the cluster is founded.
    pub(crate) fn is_ready(&self) -> bool {
        self.truth.ready_at.is_some()
    }

    /// A write of process `by`, or of the operator, reaches the store. Its version, if it lands.
    pub(crate) fn write(&mut self, by: Option<ProcessNo>, write: Write<'_>) -> Option<Version> {
        let key = write.key;
        let before = self.before(key);
        let value = write.value.clone();
        let old = self.store.get(key).filter(|_| before == Before::Sense).map(|old| old.value.clone());
        let renewal = before == Before::Sense && self.is_mere_renewal(key, value.as_ref());
        let version = self.store.write(self.now, Write { key, value: write.value, when: write.when })?;
        let mends = by.is_some() || value.is_none();
        let rewound = self.rewound.get_mut(key).filter(|_| mends).is_some_and(std::mem::take);
        if let Some(no) = by {
            let ready = self.is_ready();
            self.judge(nonsense_left_alone::wrote(&self.procs[no].name, key, before, ready));
            if let (Key::Member(id), None) = (key, &value) {
                self.reprove(duties::removed(&self.truth, &self.procs[no].name, id));
            }
            if let (Key::Member(id), Some(old), Some(new)) = (key, &old, &value) {
                self.watch_member_write(no, id, (old, new), rewound);
            }
        }
        let what = || format!("{key} is now {version:?}, by {}", author(&self.procs, by));
        self.log.note(self.now, || "store".into(), what);
        self.spoiled.retain(|spoiled| spoiled != key);
        match renewal {
            true => self.truth.just_closed.clear(),
            false => self.landed(by, key, value),
        }
        self.hint(key);
        self.mend_drained(key);
        Some(version)
    }

    /// A process wrote over a member record that made sense: did it keep what is not its own, and had the record not gone back?
    fn watch_member_write(
        &mut self,
        no: ProcessNo,
        id: &MemberId,
        (old, new): (&Bytes, &Bytes),
        rewound: bool,
    ) {
        let name = &self.procs[no].name;
        let verdict = lasting::stays_drained(name, id, says_drained(old), says_drained(new));
        self.reprove(verdict);
        let lease = |bytes: &Bytes| MemberRecord::decode(id, bytes, self.shape.ttl_max).ok();
        if let (true, Some(old), Some(new)) = (rewound, lease(old), lease(new)) {
            self.judge(nonsense_left_alone::carried_on(&self.procs[no].name, &old, &new));
        }
    }

    /// Whether a member record differs from the present one in its seq and wall clock alone: then it makes nothing true that was not.
    /// Most writes are such, and reading them is most of what the oracle would do.
    fn is_mere_renewal(&self, key: &Key, value: Option<&Bytes>) -> bool {
        let (Key::Member(_), Some(new), Some(old)) = (key, value, self.store.get(key)) else { return false };
        apart_from_renewal(new).is_some_and(|new| apart_from_renewal(&old.value) == Some(new))
    }

    fn before(&self, key: &Key) -> Before {
        match self.store.get(key) {
            None => Before::Absent,
            Some(_) if self.spoiled.contains(key) => Before::Nonsense,
            Some(_) => Before::Sense,
        }
    }

    fn landed(&mut self, by: Option<ProcessNo>, key: &Key, value: Option<Bytes>) {
        let understood = match (key, value) {
            (Key::Meta, Some(value)) => self.meta_landed(&value),
            (Key::Member(id), Some(value)) => self.member_landed(id, &value),
            (Key::Page(number), Some(value)) => self.page_landed(by, *number, &value),
            (Key::Member(id), None) => {
                self.truth.member_deleted(self.now, id);
                true
            }
            (Key::Meta | Key::Page(_), None) => true,
        };
        match (understood, by) {
            (true, _) => {}
            (false, None) => self.spoiled.push(key.clone()),
            (false, Some(_)) => {
                self.judge(Err((
                    Promise::NonsenseLeftAlone,
                    format!("a member wrote a {key} that makes no sense"),
                )));
            }
        }
    }

    fn meta_landed(&mut self, value: &Bytes) -> bool {
        let Ok(meta) = Meta::decode(value) else { return false };
        self.truth.meta_landed(self.now, meta);
        true
    }

    fn member_landed(&mut self, id: &MemberId, value: &Bytes) -> bool {
        let Some(meta) = &self.truth.meta else { return false };
        let Ok(record) = MemberRecord::decode(id, value, meta.ttl_max()) else { return false };
        self.truth.member_landed(self.now, id, &record);
        self.judge(closed_has_no_lease::closed(self.scene()));
        true
    }

    fn page_landed(&mut self, by: Option<ProcessNo>, number: u32, value: &Bytes) -> bool {
        let Some(meta) = &self.truth.meta else { return false };
        let Ok(page) = LedgerPage::decode(number, value, meta) else { return false };
        let first = number * meta.page_size;
        let old = self.truth.pages[number as usize].take();
        self.judge(epochs_grow::page(&self.truth, first, old.as_ref(), &page));
        if let Some(old) = &old {
            self.judge(earlier_ended::page(self.scene(), by, first, old, &page));
            self.healing.ledger_changes += usize::from(old.holdings != page.holdings);
            self.note_declined(by, first, old, &page);
        }
        self.truth.pages[number as usize] = old;
        self.truth.page_landed(self.now, number, page);
        true
    }

    /// An heir that gave an epoch back may strike itself out of the page before anybody else reads that it did: nothing but its own
    /// memory says so then.
    fn note_declined(&mut self, by: Option<ProcessNo>, first: u32, old: &LedgerPage, new: &LedgerPage) {
        let author = by.and_then(|no| Some((&self.procs[no], self.procs[no].life?)));
        let Some((author, life)) = author else { return };
        let own = |heir: &Heir| self.truth.lives[life].life == heir.life;
        let struck: Vec<(ShardId, Epoch)> = (first..)
            .map(ShardId)
            .zip(old.holdings.iter().zip(&new.holdings))
            .filter(|(_, (before, after))| before.epoch == after.epoch && before.heir != after.heir)
            .filter_map(|(shard, (before, _))| {
                Some((shard, before.heir.as_ref().filter(|heir| own(heir))?.epoch))
            })
            .filter(|(shard, epoch)| author.has_ended(self.now, *shard, *epoch))
            .collect();
        struck.into_iter().for_each(|(shard, epoch)| self.truth.resigned(life, shard, epoch));
    }

    /// Tells everybody who runs that something changed, as far as hints get through.
    fn hint(&mut self, key: &Key) {
        if self.faults.hints_missing >= 10_000 {
            return;
        }
        for to in 0..self.procs.len() {
            if !self.procs[to].lives() || self.chance.in_10k(self.faults.hints_missing) {
                continue;
            }
            let late = self.chance.in_10k(self.faults.hints_late);
            let way = if late { self.faults.delay } else { self.faults.hop };
            let at = self.now + self.chance.span(way);
            let event = Box::new(self.news_of(key));
            self.queue.put(at, Happening::Told { to, event });
        }
    }

    /// What a hint says: some stores name the key, some bring a member's record along.
    fn news_of(&mut self, key: &Key) -> Event {
        let tells = self.chance.in_10k(self.faults.hints_tell);
        match (key, self.store.get(key).filter(|_| tells).cloned()) {
            (Key::Member(id), Some(record)) if self.faults.hints_forged > 0 => self.rumour_of(id, record),
            (Key::Member(id), Some(record)) => Event::Heard { id: id.clone(), record },
            _ => Event::Hint(Some(key.clone())),
        }
    }

    /// Where anybody may hint, now and then a stranger says of a member that it has gone.
    fn rumour_of(&mut self, id: &MemberId, mut record: Versioned) -> Event {
        if self.chance.in_10k(self.faults.hints_forged)
            && let Some(ttl_max) = self.truth.meta.as_ref().map(Meta::ttl_max)
            && let Ok(mut lie) = MemberRecord::decode(id, &record.value, ttl_max)
        {
            (lie.seq, lie.state) = (lie.seq + 1, MemberState::Gone);
            record = Versioned { version: Version::new("forged"), value: lie.encode() };
        }
        Event::Rumour { id: id.clone(), record }
    }
}

fn author(procs: &[Proc], by: Option<ProcessNo>) -> &str {
    by.map_or("the operator", |no| &procs[no].name)
}

/// What stands around the digits of the seq and of the wall clock.
fn apart_from_renewal(record: &[u8]) -> Option<[&[u8]; 3]> {
    let (head, rest) = without_number(record, b"\"seq\":")?;
    let (body, tail) = without_number(rest, b"\"at_ms\":").unwrap_or((rest, &[]));
    Some([head, body, tail])
}

fn without_number<'a>(record: &'a [u8], field: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = record.windows(field.len()).position(|window| window == field)? + field.len();
    let digits = record[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some((&record[..at], &record[at + digits..]))
}

/// The seq of a member record.
pub(crate) fn seq_of(record: &[u8]) -> Option<u64> {
    let field = b"\"seq\":";
    let at = record.windows(field.len()).position(|window| window == field)? + field.len();
    let digits = record[at..].iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::{apart_from_renewal, seq_of};

    #[test]
    fn the_seq_of_a_record_is_found() {
        assert_eq!(seq_of(br#"{"process":"7","seq":1203,"state":"active"}"#), Some(1203));
        assert_eq!(seq_of(b"{}"), None);
    }

    #[test]
    fn records_that_differ_in_their_renewal_alone_are_alike_apart_from_it() {
        let one = apart_from_renewal(br#"{"term":1,"seq":9,"state":"active","at_ms":7}"#);
        assert_eq!(one, apart_from_renewal(br#"{"term":1,"seq":10,"state":"active","at_ms":1234}"#));
        assert_ne!(one, apart_from_renewal(br#"{"term":1,"seq":10,"state":"gone","at_ms":7}"#));
        assert_ne!(one, apart_from_renewal(br#"{"term":1,"seq":10,"state":"active"}"#));
        assert_eq!(apart_from_renewal(b"{}"), None);
    }
}
