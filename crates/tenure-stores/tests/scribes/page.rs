//! What a scribe writes down: what was acknowledged to it, and what it found when it opened a journal.
//!
//! One line at a time, after the fact. A process that is killed may leave half a line: that line never was.

use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{from_slice, to_vec};
use tenure::journal::{Entry, Kept, Kind, Record};

/// One entry of a journal, as scribes remember it: number, epoch, run, and the numbers of its records; a fence has none.
pub type Mark = (u64, u64, u64, Vec<u64>);

/// Something that a scribe wrote down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line {
    /// A record was acknowledged: journal, entry, epoch, run, record.
    Stored(u32, u64, u64, u64, u64),
    /// A journal was opened, under this number: journal, fence, epoch, run, all that was there before.
    Opened(u32, u64, u64, u64, u64),
    /// Another has opened the journal: journal, own epoch.
    Fenced(u32, u64),
}

/// Where one process writes.
#[derive(Debug)]
pub struct Page(File);

impl Page {
    /// The page of a process.
    pub fn create(folder: &Path, name: &str) -> io::Result<Self> {
        let path = folder.join(format!("{name}-{}.page", std::process::id()));
        Ok(Self(OpenOptions::new().append(true).create(true).open(path)?))
    }

    /// Writes a line, at once.
    pub fn write(&self, line: Line) -> io::Result<()> {
        let text = match line {
            Line::Stored(journal, seq, epoch, run, record) => {
                format!("stored {journal} {seq} {epoch} {run} {record}\n")
            }
            Line::Opened(journal, seq, epoch, run, found) => {
                format!("opened {journal} {seq} {epoch} {run} {found}\n")
            }
            Line::Fenced(journal, epoch) => format!("fenced {journal} {epoch}\n"),
        };
        (&self.0).write_all(text.as_bytes())
    }

    /// How much all processes wrote.
    pub fn bytes_of_all(folder: &Path) -> io::Result<u64> {
        pages(folder)?.iter().map(|page| Ok(fs::metadata(page)?.len())).sum()
    }

    /// All that all processes wrote.
    pub fn read_all(folder: &Path) -> io::Result<Vec<Line>> {
        let mut lines = Vec::new();
        for page in pages(folder)? {
            let text = fs::read_to_string(page)?;
            let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
            lines.extend(whole.map(|line| parse(line).expect("a line of ours")));
        }
        Ok(lines)
    }
}

/// The pages of all processes.
fn pages(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<io::Result<_>>()?;
    Ok(files.into_iter().filter(|path| path.extension().is_some_and(|is| is == "page")).collect())
}

fn parse(line: &str) -> Option<Line> {
    let (word, rest) = line.split_once(' ')?;
    let numbers: Vec<u64> = rest.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let journal = u32::try_from(*numbers.first()?).ok()?;
    match (word, &numbers[1..]) {
        ("stored", [seq, epoch, run, record]) => Some(Line::Stored(journal, *seq, *epoch, *run, *record)),
        ("opened", [seq, epoch, run, found]) => Some(Line::Opened(journal, *seq, *epoch, *run, *found)),
        ("fenced", [epoch]) => Some(Line::Fenced(journal, *epoch)),
        _ => None,
    }
}

/// One record of a scribe.
pub fn record(number: u64) -> Record {
    Record::json(&number)
}

/// All that is kept, from the first entry on: snapshots of scribes remember every entry.
///
/// # Panics
/// If it holds what no scribe wrote.
pub fn remember(kept: &Kept) -> Vec<Mark> {
    let marks = |state: &bytes::Bytes| -> Vec<Mark> { from_slice(state).expect("marks") };
    let before = kept.snapshot.as_ref().map(|snapshot| marks(&snapshot.state)).unwrap_or_default();
    before.into_iter().chain(kept.entries.iter().map(mark)).collect()
}

fn mark(entry: &Entry) -> Mark {
    let number = |record: &Record| from_slice(&record.body).expect("a number");
    let records = match entry.kind {
        Kind::Batch => entry.records.iter().map(number).collect(),
        Kind::Fence | Kind::Adoption { .. } => Vec::new(),
    };
    let run = u64::try_from(entry.author.run.0).expect("scribes draw short runs");
    (entry.seq.0, entry.author.epoch.0, run, records)
}

/// The state that a snapshot holds.
pub fn state(marks: &[Mark]) -> bytes::Bytes {
    to_vec(marks).expect("numbers").into()
}

/// One number for all that was found.
pub fn digest(marks: &[Mark]) -> u64 {
    let mut hasher = DefaultHasher::new();
    marks.hash(&mut hasher);
    hasher.finish()
}
