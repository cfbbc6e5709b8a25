//! A write lands: what it makes true, and whether its author may write it.

use bytes::Bytes;
use tenure_core::ids::MemberId;
use tenure_core::record::{Key, LedgerPage, MemberRecord, Meta, Version};

use super::registers::Write;
use crate::promises::Promise;
use crate::promises::epochs_grow;
use crate::promises::nonsense_left_alone::{self, Before};
use crate::promises::settles::{duties, lasting};
use crate::surroundings::Surroundings;

/// A write that landed.
#[derive(Debug)]
pub(crate) struct Landed {
    pub(crate) version: Version,
    pub(crate) made: Made,
}

/// What a write makes true.
#[derive(Debug)]
pub(crate) enum Made {
    /// Nothing that was not so, or nothing that can be understood.
    Nothing,
    /// Something about the lives of a member.
    Lives,
    /// A page that replaces `old`.
    Page { number: u32, first: u32, old: LedgerPage },
}

impl Surroundings<'_> {
    /// A write of the process that is called `by`, or of the operator, reaches the store.
    pub(crate) fn land(&mut self, by: Option<&str>, write: Write<'_>) -> Option<Landed> {
        let key = write.key;
        let before = self.before(key);
        let value = write.value.clone();
        let old = self.store.get(key).filter(|_| before == Before::Sense).map(|old| old.value.clone());
        let renewal = before == Before::Sense && self.is_mere_renewal(key, value.as_ref());
        let version = self.store.write(self.now, write)?;
        let mends = by.is_some() || value.is_none();
        let rewound = self.rewound.get_mut(key).filter(|_| mends).is_some_and(std::mem::take);
        if let Some(name) = by {
            self.judge(nonsense_left_alone::wrote(name, key, before, self.is_ready()));
            if let (Key::Member(id), None) = (key, &value) {
                self.reprove(duties::removed(&self.truth, name, id));
            }
            if let (Key::Member(id), Some(old), Some(new)) = (key, &old, &value) {
                self.watch_member_write(name, id, (old, new), rewound);
            }
        }
        let what = || format!("{key} is now {version:?}, by {}", by.unwrap_or("the operator"));
        self.log.note(self.now, || "store".into(), what);
        self.spoiled.retain(|spoiled| spoiled != key);
        let made = match renewal {
            true => {
                self.truth.just_closed.clear();
                Made::Nothing
            }
            false => self.learn(by.is_some(), key, value),
        };
        Some(Landed { version, made })
    }

    /// A process wrote over a member record that made sense: did it keep what is not its own, and had the record not gone back?
    fn watch_member_write(&mut self, name: &str, id: &MemberId, (old, new): (&Bytes, &Bytes), rewound: bool) {
        self.reprove(lasting::stays_drained(name, id, says_drained(old), says_drained(new)));
        let lease = |bytes: &Bytes| MemberRecord::decode(id, bytes, self.shape.ttl_max).ok();
        if let (true, Some(old), Some(new)) = (rewound, lease(old), lease(new)) {
            self.judge(nonsense_left_alone::carried_on(name, &old, &new));
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

    fn learn(&mut self, by_member: bool, key: &Key, value: Option<Bytes>) -> Made {
        let made = match (key, value) {
            (Key::Meta, Some(value)) => self.meta_landed(&value),
            (Key::Member(id), Some(value)) => self.member_landed(id, &value),
            (Key::Page(number), Some(value)) => self.page_landed(*number, &value),
            (Key::Member(id), None) => {
                self.truth.member_deleted(self.now, id);
                Some(Made::Nothing)
            }
            (Key::Meta | Key::Page(_), None) => Some(Made::Nothing),
        };
        match (&made, by_member) {
            (Some(_), _) => {}
            (None, false) => self.spoiled.push(key.clone()),
            (None, true) => {
                let text = format!("a member wrote a {key} that makes no sense");
                self.judge(Err((Promise::NonsenseLeftAlone, text)));
            }
        }
        made.unwrap_or(Made::Nothing)
    }

    fn meta_landed(&mut self, value: &Bytes) -> Option<Made> {
        self.truth.meta_landed(self.now, Meta::decode(value).ok()?);
        Some(Made::Nothing)
    }

    fn member_landed(&mut self, id: &MemberId, value: &Bytes) -> Option<Made> {
        let meta = self.truth.meta.as_ref()?;
        let record = MemberRecord::decode(id, value, meta.ttl_max()).ok()?;
        self.truth.member_landed(self.now, id, &record);
        Some(Made::Lives)
    }

    fn page_landed(&mut self, number: u32, value: &Bytes) -> Option<Made> {
        let meta = self.truth.meta.as_ref()?;
        let page = LedgerPage::decode(number, value, meta).ok()?;
        let first = number * meta.page_size;
        let present = self.truth.pages[number as usize].as_ref();
        let changed = present.is_some_and(|old| old.holdings != page.holdings);
        self.judge(epochs_grow::page(&self.truth, first, present, &page));
        self.healing.ledger_changes += usize::from(changed);
        let old = self.truth.page_landed(self.now, number, page);
        Some(old.map_or(Made::Nothing, |old| Made::Page { number, first, old }))
    }
}

/// Whether `wanted` is somewhere in `bytes`.
pub(crate) fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// Whether a member's record says that it is drained.
pub(crate) fn says_drained(record: &[u8]) -> bool {
    contains(record, b"\"drained\":true")
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
