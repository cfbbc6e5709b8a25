//! What the work of all members wrote down, and whether it proves exclusive ownership.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// One beat: at this moment the guard of this shard, at this epoch, held in this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The shard.
    pub shard: u32,
    /// The epoch.
    pub epoch: u64,
    /// Boot time, in nanoseconds.
    pub nanos: u64,
    /// The process, by the name of its file.
    pub process: String,
}

/// From the first to the last beat of one epoch, in one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The process.
    pub process: String,
    /// The first beat.
    pub first: u64,
    /// The last beat.
    pub last: u64,
}

/// All beats, by shard and epoch.
#[derive(Debug, Default)]
pub struct Beats {
    intervals: BTreeMap<u32, BTreeMap<u64, Vec<Interval>>>,
    count: usize,
}

impl Beats {
    /// Reads the beats of every process that ever ran in `folder`.
    pub fn read(folder: &Path) -> std::io::Result<Self> {
        let mut beats = Self::default();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "beats") {
                let process = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                beats.take(&process, &std::fs::read_to_string(&path)?);
            }
        }
        Ok(beats)
    }

    fn take(&mut self, process: &str, text: &str) {
        // A line that is still being written has no end yet.
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        for beat in whole.lines().filter_map(|line| parse(process, line)) {
            self.count += 1;
            self.add(beat);
        }
    }

    fn add(&mut self, beat: Beat) {
        let intervals = self.intervals.entry(beat.shard).or_default().entry(beat.epoch).or_default();
        match intervals.iter_mut().find(|interval| interval.process == beat.process) {
            Some(interval) => interval.last = beat.nanos,
            None => intervals.push(Interval { process: beat.process, first: beat.nanos, last: beat.nanos }),
        }
    }

    /// How many beats there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many tenures there were: one for each epoch that anybody acted in.
    pub fn tenures(&self) -> usize {
        self.intervals.values().map(BTreeMap::len).sum()
    }

    /// How often a process that had been quiet for longer than `lease` acted again.
    pub fn returns(&self, lease: Duration) -> usize {
        let mut spans: BTreeMap<&str, Vec<(u64, u64)>> = BTreeMap::new();
        for interval in self.intervals.values().flat_map(BTreeMap::values).flatten() {
            spans.entry(&interval.process).or_default().push((interval.first, interval.last));
        }
        spans.into_values().map(|spans| quiet_times(spans, lease)).sum()
    }

    /// Every way in which the beats refute exclusive ownership, in words.
    pub fn violations(&self) -> Vec<String> {
        self.intervals.iter().flat_map(|(shard, epochs)| violations_of(*shard, epochs)).collect()
    }

    /// The first beat of `shard` after `nanos`, and the process that made it.
    pub fn first_after(&self, shard: u32, nanos: u64) -> Option<(u64, &str)> {
        let intervals = self.intervals.get(&shard)?.values().flatten();
        let after = intervals.filter(|interval| interval.first > nanos);
        after.map(|interval| (interval.first, interval.process.as_str())).min()
    }

    /// The last beat of `shard` in `process`.
    pub fn last_of(&self, shard: u32, process: &str) -> Option<u64> {
        let intervals = self.intervals.get(&shard)?.values().flatten();
        intervals.filter(|interval| interval.process == process).map(|interval| interval.last).max()
    }

    /// For each shard, the process with the latest beat, and when it was.
    pub fn latest(&self) -> BTreeMap<u32, (String, u64)> {
        let latest = |epochs: &BTreeMap<u64, Vec<Interval>>| {
            let last = epochs.values().flatten().max_by_key(|interval| interval.last);
            last.map(|interval| (interval.process.clone(), interval.last))
        };
        self.intervals
            .iter()
            .filter_map(|(shard, epochs)| latest(epochs).map(|last| (*shard, last)))
            .collect()
    }
}

fn quiet_times(mut spans: Vec<(u64, u64)>, longer_than: Duration) -> usize {
    spans.sort_unstable();
    let mut heard = spans.first().map_or(0, |span| span.1);
    let mut times = 0;
    for (first, last) in spans {
        times += usize::from(Duration::from_nanos(first.saturating_sub(heard)) > longer_than);
        heard = heard.max(last);
    }
    times
}

fn parse(process: &str, line: &str) -> Option<Beat> {
    let mut parts = line.split(' ');
    let mut next = || parts.next()?.parse::<u64>().ok();
    let (shard, epoch, nanos) = (next()?, next()?, next()?);
    Some(Beat { shard: u32::try_from(shard).ok()?, epoch, nanos, process: process.into() })
}

fn violations_of(shard: u32, epochs: &BTreeMap<u64, Vec<Interval>>) -> Vec<String> {
    let mut found = Vec::new();
    for (epoch, intervals) in epochs.iter().filter(|(_, intervals)| intervals.len() > 1) {
        found.push(format!("shard {shard}: epoch {epoch} was used by several processes: {intervals:?}"));
    }
    for (earlier, later) in epochs.iter().zip(epochs.iter().skip(1)) {
        let last = earlier.1.iter().map(|interval| interval.last).max();
        let first = later.1.iter().map(|interval| interval.first).min();
        if last >= first {
            found.push(format!("shard {shard}: epoch {earlier:?} went on into epoch {later:?}"));
        }
    }
    found
}
