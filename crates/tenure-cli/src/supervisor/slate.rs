//! Memory that a member and its helpers share: the lease, the pulses and the guard, a row each.
//!
//! A message can wait behind others, and a socket can be full; what stands here can't. Each row has one writer. A row is read
//! while it may be written, so it ends with a check word: one that does not fit is read again.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use rustix::fs::{MemfdFlags, memfd_create};
use tenure_core::moment::Moment;
use tenure_core::warden::Term;

/// Two numbers and their check.
const ROW: usize = 24;

/// A row that fits so seldom was not written by us.
const TRIES: usize = 1000;

/// Who writes a pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Helper {
    Reaper = 1,
    Warden = 2,
}

impl Helper {
    /// As people read it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reaper => "reaper",
            Self::Warden => "warden",
        }
    }
}

const TERM: u64 = 0;
const GUARD: u64 = 3;

/// The shared memory.
#[derive(Debug)]
pub(super) struct Slate(File);

impl Slate {
    /// A new one: no lease, no pulse, no guard.
    pub(super) fn new() -> io::Result<Self> {
        let slate = Self(memfd_create("tenure", MemfdFlags::CLOEXEC)?.into());
        (TERM..=GUARD).try_for_each(|row| slate.write(row, [0, 0]))?;
        Ok(slate)
    }

    /// One that another process made.
    pub(super) fn given(memory: OwnedFd) -> Self {
        Self(memory.into())
    }

    /// A descriptor for another process.
    pub(super) fn share(&self) -> io::Result<OwnedFd> {
        self.0.try_clone().map(OwnedFd::from)
    }

    /// The lease.
    pub(super) fn term(&self) -> Term {
        let [life, until] = self.read(TERM);
        Term { life, until: Moment::from_nanos(until) }
    }

    /// The member says what its lease is.
    pub(super) fn set_term(&self, term: Term) -> io::Result<()> {
        self.write(TERM, [term.life, term.until.as_nanos()])
    }

    /// What a helper said last: zero before it has said anything.
    pub(super) fn pulse(&self, of: Helper) -> u64 {
        self.read(of as u64)[1]
    }

    /// A helper lives.
    pub(super) fn beat(&self, of: Helper, now: Moment) -> io::Result<()> {
        self.write(of as u64, [0, now.as_nanos()])
    }

    /// Whether the kernel will end everything, should all else fail.
    pub(super) fn is_guarded(&self) -> bool {
        self.read(GUARD)[1] != 0
    }

    /// The reaper says when it will.
    pub(super) fn set_guard(&self, guard: Option<Moment>) -> io::Result<()> {
        self.write(GUARD, [0, guard.map_or(0, Moment::as_nanos)])
    }

    /// Writes bytes that may be no row.
    #[cfg(test)]
    pub(super) fn scribble(&self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(&bytes[..bytes.len().min(ROW * 4)], 0)
    }

    /// All rows as they stand.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; ROW * 4];
        self.0.read_exact_at(&mut bytes, 0).map(|()| bytes)
    }

    fn write(&self, row: u64, [first, second]: [u64; 2]) -> io::Result<()> {
        let mut bytes = [0; ROW];
        for (place, word) in bytes.chunks_exact_mut(8).zip([first, second, check(first, second)]) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        self.0.write_all_at(&bytes, row * ROW as u64)
    }

    /// Zeros if it can't be read: no lease, no pulse, no guard.
    fn read(&self, row: u64) -> [u64; 2] {
        (0..TRIES).find_map(|_| self.try_read(row)).unwrap_or_default()
    }

    fn try_read(&self, row: u64) -> Option<[u64; 2]> {
        let mut bytes = [0; ROW];
        self.0.read_exact_at(&mut bytes, row * ROW as u64).ok()?;
        let mut words = bytes.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word));
        let (first, second, third) = (words.next()?, words.next()?, words.next()?);
        (third == check(first, second)).then_some([first, second])
    }
}

/// What fits neither other numbers nor memory that was never written.
fn check(first: u64, second: u64) -> u64 {
    !(first ^ second.rotate_left(32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_writes_the_other_reads() {
        let here = Slate::new().unwrap();
        let there = Slate::given(here.share().unwrap());
        assert_eq!(
            (there.term(), there.pulse(Helper::Warden), there.is_guarded()),
            (Term::default(), 0, false)
        );
        let term = Term { life: 3, until: Moment::from_nanos(77) };
        here.set_term(term).unwrap();
        there.beat(Helper::Warden, Moment::from_nanos(5)).unwrap();
        there.set_guard(Some(Moment::from_nanos(70))).unwrap();
        assert_eq!((there.term(), here.is_guarded()), (term, true));
        assert_eq!((here.pulse(Helper::Warden), here.pulse(Helper::Reaper)), (5, 0));
    }

    #[test]
    fn a_row_that_is_torn_for_good_says_nothing() {
        let slate = Slate::new().unwrap();
        slate.set_term(Term { life: 3, until: Moment::from_nanos(77) }).unwrap();
        slate.0.write_all_at(&[1], 8).unwrap();
        assert_eq!(slate.term(), Term::default());
    }

    #[test]
    fn a_reader_never_sees_half_of_what_is_written() {
        let slate = Slate::new().unwrap();
        let other = Slate::given(slate.share().unwrap());
        let writer = std::thread::spawn(move || {
            for life in 1..20_000 {
                other.set_term(Term { life, until: Moment::from_nanos(life << 20) }).unwrap();
            }
        });
        while !writer.is_finished() {
            let term = slate.term();
            assert_eq!(term.until, Moment::from_nanos(term.life << 20));
        }
        writer.join().unwrap();
    }
}
