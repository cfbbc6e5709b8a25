//! What is written into the history about each run: by the warden while it lives, by the member if it was killed.

use std::fs;
use std::io;
use std::path::Path;

use rustix::time::{ClockId, clock_gettime};
use tenure::MemberId;
use tenure::clock::Clock;
use tenure_core::warden::Work;

use crate::history::{Boundary, HistoryLine, Writer};

/// One member's history.
#[derive(Debug)]
pub(super) struct Records {
    member: MemberId,
    boot_id: String,
    clock: Clock,
    writer: Option<Writer>,
}

impl Records {
    /// The history of `member` in the file at `path`; without one nothing is written.
    pub(super) fn open(member: MemberId, path: Option<&Path>) -> io::Result<Self> {
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let writer = path.map(Writer::open).transpose()?;
        Ok(Self { member, boot_id: boot_id.trim().into(), clock: Clock::boot(), writer })
    }

    /// From now on a run may act.
    pub(super) fn act(&self, work: &Work) -> io::Result<()> {
        self.note(work, Boundary::Act, "owned")
    }

    /// Nothing of a run acts any more.
    pub(super) fn end(&self, work: &Work, reason: &str) -> io::Result<()> {
        self.note(work, Boundary::End, reason)
    }

    fn note(&self, work: &Work, deed: Boundary, reason: &str) -> io::Result<()> {
        let Some(writer) = &self.writer else { return Ok(()) };
        writer.append(&HistoryLine {
            boot_us: self.clock.now().as_nanos() / 1_000,
            wall_ms: wall_ms(),
            boot_id: self.boot_id.clone(),
            member: self.member.clone(),
            incarnation: work.incarnation.clone(),
            shard: work.shard,
            epoch: work.epoch,
            deed,
            reason: reason.into(),
        })
    }
}

fn wall_ms() -> u64 {
    let now = clock_gettime(ClockId::Realtime);
    let whole_ms = u64::try_from(now.tv_sec).unwrap_or(0).saturating_mul(1000);
    whole_ms + u64::try_from(now.tv_nsec).unwrap_or(0) / 1_000_000
}
