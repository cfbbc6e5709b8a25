//! Group commit: what waited while the last append was under way goes together in the next.
//!
//! ```text
//!  submit ─► waiting ─► sealed as one entry ─► under way ─► landed: all its tickets are told
//! ```
//! On names one append is under way at a time; on rows several may be, each on the condition that the one before it landed.

use std::collections::VecDeque;
use std::time::Duration;

use crate::moment::Moment;

use super::author::Seq;
use super::entry::Record;
use super::limits::RECORDS_BYTES_MAX;

/// Bounds of what waits and of what goes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of records in one entry, unless a single submission is longer.
    pub entry_bytes: usize,
    /// The most records in one entry, unless a single submission has more.
    pub entry_records: usize,
    /// The most bytes that may wait.
    pub waiting_bytes: usize,
    /// How many appends may be under way at once.
    pub under_way: usize,
    /// How long to wait for company before an entry is sealed.
    pub linger: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry_bytes: 4 << 20,
            entry_records: 5_000,
            waiting_bytes: 16 << 20,
            under_way: 1,
            linger: Duration::ZERO,
        }
    }
}

/// More waits than may: try again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{waiting} bytes wait to be stored already; try again when some of them are")]
pub struct Busy {
    /// How many bytes wait.
    pub waiting: usize,
}

/// Submissions that become one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed<T> {
    /// The number under which it is appended.
    pub seq: Seq,
    /// All records, in the order of submission.
    pub records: Vec<Record>,
    /// Who waits for them, and how many records are theirs.
    pub tickets: Vec<(T, usize)>,
}

/// What waits, and what is under way.
#[derive(Clone, Debug)]
pub struct Group<T> {
    limits: Limits,
    next: Seq,
    under_way: usize,
    waiting: VecDeque<Submission<T>>,
    waiting_bytes: usize,
}

#[derive(Clone, Debug)]
struct Submission<T> {
    records: Vec<Record>,
    bytes: usize,
    since: Moment,
    ticket: T,
}

impl<T> Group<T> {
    /// Nothing waits; the next entry is `next`.
    pub fn new(limits: Limits, next: Seq) -> Self {
        // Each submission fits into an entry, so all that go together must.
        let limits = Limits { entry_bytes: limits.entry_bytes.min(RECORDS_BYTES_MAX), ..limits };
        Self { limits, next, under_way: 0, waiting: VecDeque::new(), waiting_bytes: 0 }
    }

    /// The number of the next entry to be sealed.
    pub fn next(&self) -> Seq {
        self.next
    }

    /// Whether nothing waits and nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way == 0
    }

    /// Lets `records` wait for the next entry, together.
    pub fn submit(&mut self, now: Moment, records: Vec<Record>, ticket: T) -> Result<(), (Busy, T)> {
        let bytes = records.iter().map(Record::written_bytes).sum();
        if self.waiting_bytes + bytes > self.limits.waiting_bytes && !self.waiting.is_empty() {
            return Err((Busy { waiting: self.waiting_bytes }, ticket));
        }
        self.waiting_bytes += bytes;
        self.waiting.push_back(Submission { records, bytes, since: now, ticket });
        Ok(())
    }

    /// The next entry, if it is time for one.
    pub fn seal(&mut self, now: Moment) -> Option<Sealed<T>> {
        if self.deadline()? > now {
            return None;
        }
        let (seq, mut records, mut tickets, mut bytes) = (self.next, Vec::new(), Vec::new(), 0);
        while let Some(first) = self.waiting.front() {
            let fits = bytes + first.bytes <= self.limits.entry_bytes
                && records.len() + first.records.len() <= self.limits.entry_records;
            if !fits && !tickets.is_empty() {
                break;
            }
            let Submission { records: more, bytes: size, ticket, .. } = self.waiting.pop_front()?;
            tickets.push((ticket, more.len()));
            records.extend(more);
            bytes += size;
        }
        self.waiting_bytes -= bytes;
        self.under_way += 1;
        self.next = seq.next();
        Some(Sealed { seq, records, tickets })
    }

    /// An entry has landed: there is room for another.
    pub fn landed(&mut self) {
        self.under_way -= 1;
    }

    /// It is over: everybody that waits.
    pub fn drain(&mut self) -> impl Iterator<Item = T> {
        self.waiting_bytes = 0;
        self.waiting.drain(..).map(|submission| submission.ticket)
    }

    /// When the next entry is to be sealed; `None` while nothing waits, or all that may be under way is.
    pub fn deadline(&self) -> Option<Moment> {
        let first = self.waiting.front().filter(|_| self.under_way < self.limits.under_way)?;
        let full = self.waiting_bytes >= self.limits.entry_bytes;
        Some(if full { first.since } else { first.since + self.limits.linger })
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn record(text: &'static str) -> Record {
        Record { key: None, version: 1, body: Bytes::from_static(text.as_bytes()) }
    }

    fn at(ms: u64) -> Moment {
        Moment::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn what_waited_while_one_was_under_way_goes_together() {
        let mut group = Group::new(Limits::default(), Seq(3));
        group.submit(at(0), vec![record("a")], 'a').unwrap();
        let first = group.seal(at(0)).unwrap();
        assert_eq!((first.seq, first.tickets), (Seq(3), vec![('a', 1)]));
        group.submit(at(1), vec![record("b"), record("c")], 'b').unwrap();
        group.submit(at(2), vec![record("d")], 'd').unwrap();
        assert_eq!((group.seal(at(2)), group.deadline()), (None, None));
        group.landed();
        let second = group.seal(at(3)).unwrap();
        assert_eq!((second.seq, second.tickets), (Seq(4), vec![('b', 2), ('d', 1)]));
        assert_eq!(second.records, [record("b"), record("c"), record("d")]);
    }

    #[test]
    fn an_entry_that_lingers_waits_for_company_and_no_longer() {
        let limits = Limits { linger: Duration::from_millis(100), ..Limits::default() };
        let mut group = Group::new(limits, Seq(1));
        group.submit(at(10), vec![record("a")], 'a').unwrap();
        assert_eq!((group.seal(at(109)), group.deadline()), (None, Some(at(110))));
        group.submit(at(109), vec![record("b")], 'b').unwrap();
        assert_eq!(group.seal(at(110)).unwrap().tickets, [('a', 1), ('b', 1)]);
    }

    #[test]
    fn an_entry_is_cut_where_it_would_grow_too_long_and_a_submission_never() {
        let limits = Limits { entry_records: 2, under_way: 3, ..Limits::default() };
        let mut group = Group::new(limits, Seq(1));
        group.submit(at(0), vec![record("a")], 'a').unwrap();
        group.submit(at(0), vec![record("b"), record("c"), record("d")], 'b').unwrap();
        group.submit(at(0), vec![record("e")], 'e').unwrap();
        let sealed: Vec<_> = std::iter::from_fn(|| group.seal(at(0))).map(|sealed| sealed.tickets).collect();
        assert_eq!(sealed, [vec![('a', 1)], vec![('b', 3)], vec![('e', 1)]]);
    }

    #[test]
    fn more_than_may_wait_is_refused_and_loses_nothing() {
        let limits = Limits { waiting_bytes: 110, ..Limits::default() };
        let mut group = Group::new(limits, Seq(1));
        group.submit(at(0), vec![record("a")], 'a').unwrap();
        group.submit(at(0), vec![record("b")], 'b').unwrap();
        let (busy, ticket) = group.submit(at(0), vec![record("c")], 'c').unwrap_err();
        assert_eq!((busy, ticket), (Busy { waiting: 104 }, 'c'));
        assert_eq!(group.seal(at(0)).unwrap().tickets.len(), 2);
        group.submit(at(0), vec![record("c")], 'c').unwrap();
        assert_eq!(group.drain().collect::<Vec<_>>(), ['c']);
    }
}
