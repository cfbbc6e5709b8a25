//! What the work of one member wrote down: for each tenure, when it first and when it last acted, on the boot-time clock.
//!
//! A beat every few milliseconds for each of a thousand shards would be more writing than work. So a tenure is one slot of
//! 32 bytes that is written over in place: a slot never crosses a page of the file, and stays whole if its writer is killed.
//! On one machine the boot-time clock is the same for all processes: what two work logs say about each other is exact.

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use tenure::{Epoch, Fence, MemberId, ShardId};

const SLOT: usize = 32;

/// The name of every work log ends like this.
const EXTENSION: &str = "worklog";

/// One owner of one shard: from its first act to its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tenure {
    /// The shard, and the epoch of its owner.
    pub(super) fence: Fence,
    /// The first act, in nanoseconds of boot time: the guard held then.
    pub(super) first: u64,
    /// The last act so far.
    pub(super) last: u64,
    /// Whether the work said that this act was its last. One that was killed or lost its lease says nothing.
    pub(super) ended: bool,
}

impl Tenure {
    fn to_slot(self) -> [u8; SLOT] {
        let mut slot = [0; SLOT];
        slot[..4].copy_from_slice(&self.fence.shard.0.to_le_bytes());
        slot[4] = u8::from(self.ended);
        for (place, number) in [self.fence.epoch.0, self.first, self.last].into_iter().enumerate() {
            slot[8 + 8 * place..16 + 8 * place].copy_from_slice(&number.to_le_bytes());
        }
        slot
    }

    fn from_slot(slot: &[u8]) -> Self {
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| slot[at + byte]));
        let shard = ShardId(u32::from_le_bytes(std::array::from_fn(|byte| slot[byte])));
        let fence = Fence { shard, epoch: Epoch(number(8)) };
        Self { fence, first: number(16), last: number(24), ended: slot[4] != 0 }
    }
}

/// Which tenure of a work log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkEntry(usize);

/// The work log of one process.
#[derive(Debug)]
pub(super) struct WorkLog {
    file: File,
    tenures: Vec<Tenure>,
    unwritten: Range<usize>,
}

impl WorkLog {
    /// Begins a work log at `path`, where none may be.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        Ok(Self { file, tenures: Vec::new(), unwritten: 0..0 })
    }

    /// A tenure begins, with its first act at `now`.
    pub(super) fn begin(&mut self, fence: Fence, now: u64) -> WorkEntry {
        self.tenures.push(Tenure { fence, first: now, last: now, ended: false });
        self.touch(self.tenures.len() - 1)
    }

    /// It acted at `now`.
    pub(super) fn act(&mut self, entry: WorkEntry, now: u64) {
        self.tenures[entry.0].last = now;
        self.touch(entry.0);
    }

    /// Its last act was its last indeed.
    pub(super) fn end(&mut self, entry: WorkEntry) {
        self.tenures[entry.0].ended = true;
        self.touch(entry.0);
    }

    fn touch(&mut self, index: usize) -> WorkEntry {
        let Range { start, end } = self.unwritten;
        self.unwritten = if start == end { index..index + 1 } else { start.min(index)..end.max(index + 1) };
        WorkEntry(index)
    }

    /// Writes what changed.
    pub(super) fn write(&mut self) -> io::Result<()> {
        let changed = std::mem::take(&mut self.unwritten);
        let bytes: Vec<u8> =
            self.tenures[changed.clone()].iter().flat_map(|tenure| tenure.to_slot()).collect();
        self.file.write_all_at(&bytes, (changed.start * SLOT) as u64)
    }
}

/// Reads one work log, which may be written at the same time.
pub(super) fn read(path: &Path) -> io::Result<Vec<Tenure>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes.chunks_exact(SLOT).map(Tenure::from_slot).collect())
}

/// The name of the work log that the process `pid` of a member writes.
pub(super) fn name(writer: &MemberId, pid: u32) -> String {
    format!("{writer}-{pid}.{EXTENSION}")
}

/// Whose work log has this name, if it is one.
fn writer(name: &str) -> Option<MemberId> {
    let (writer, _) = name.strip_suffix(EXTENSION)?.strip_suffix('.')?.rsplit_once('-')?;
    writer.parse().ok()
}

/// Reads every work log in `folder`, each with the member that wrote it.
pub(super) fn read_all(folder: &Path) -> io::Result<Vec<(MemberId, Vec<Tenure>)>> {
    let mut work_logs = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(writer) = path.file_name().and_then(|name| writer(name.to_str()?)) {
            work_logs.push((writer, read(&path)?));
        }
    }
    Ok(work_logs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fence(shard: u32, epoch: u64) -> Fence {
        Fence { shard: ShardId(shard), epoch: Epoch(epoch) }
    }

    #[test]
    fn a_diary_tells_the_first_and_the_last_act_of_each_tenure() {
        let folder = tempfile::tempdir().unwrap();
        let ada: MemberId = "ada-2".parse().unwrap();
        let mut work_log = WorkLog::create(&folder.path().join(name(&ada, 7))).unwrap();
        let (seven, nine) = (work_log.begin(fence(7, 1), 100), work_log.begin(fence(9, 3), 110));
        work_log.write().unwrap();
        work_log.act(seven, 200);
        work_log.act(nine, 210);
        work_log.end(nine);
        work_log.write().unwrap();
        let told = read_all(folder.path()).unwrap();
        let expected = vec![
            Tenure { fence: fence(7, 1), first: 100, last: 200, ended: false },
            Tenure { fence: fence(9, 3), first: 110, last: 210, ended: true },
        ];
        assert_eq!(told, [(ada, expected)]);
    }

    #[test]
    fn what_was_not_written_is_not_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ada.worklog");
        let mut work_log = WorkLog::create(&path).unwrap();
        work_log.begin(fence(7, 1), 100);
        assert_eq!(read(&path).unwrap(), []);
    }
}
