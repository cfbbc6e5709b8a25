//! A scribe: one process that takes journals, and writes to them until another takes them.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use tenure::clock::Clock;
use tenure::journal::{Author, Fault, Journal, JournalError, Place, Run, Seq, Writer, WriterLimits};
use tenure::{BoxError, Epoch, Lineage, ShardId};

use super::page::{Line, Mark, Page, digest, record, remember, state};

/// The environment variable that makes a test binary a scribe.
pub const VARIABLE: &str = "TENURE_SCRIBE";

/// The arguments by which a test binary started again is a scribe, if its module `scribe_storm` has a test for that.
pub const AGAIN: [&str; 3] = ["scribe_storm::scribe_process", "--exact", "--nocapture"];

/// How many journals there are to write to.
pub const JOURNALS: u32 = 4;

/// The founding of all scribes.
pub const LINEAGE: Lineage = Lineage(7);

/// What a scribe is told.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Where pages and epochs are.
    pub folder: PathBuf,
    /// Where the journals are, as this scribe reaches them.
    pub address: String,
    /// Its name.
    pub name: String,
}

impl Spec {
    /// As one line, for the environment.
    pub fn to_line(&self) -> String {
        format!("{}\t{}\t{}", self.folder.display(), self.address, self.name)
    }

    /// What this process was told, if it is to be a scribe.
    pub fn from_env() -> Option<Self> {
        let line = std::env::var(VARIABLE).ok()?;
        let mut parts = line.split('\t');
        let mut next = || parts.next().expect("three parts").to_owned();
        Some(Self { folder: next().into(), address: next(), name: next() })
    }
}

/// The journal of a number.
pub fn place(number: u32) -> Place {
    Place { journal: "scribes".parse().expect("a name"), shard: ShardId(number) }
}

/// Opens the journals at `address`.
pub async fn journals(address: &str) -> Result<Arc<dyn Journal>, BoxError> {
    Ok(Arc::new(tenure_stores::sqlite::SqliteJournal::connect(address).await?))
}

/// The next epoch of a journal: nobody else is ever given it.
pub fn take_epoch(folder: &Path, number: u32, after: u64) -> io::Result<Epoch> {
    let name = |epoch: u64| folder.join(format!("{number}-{epoch}.epoch"));
    let mut epoch = after + 1;
    loop {
        match OpenOptions::new().write(true).create_new(true).open(name(epoch)) {
            Ok(_) => return Ok(Epoch(epoch)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => epoch += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Writes until it is killed.
pub fn live(spec: &Spec) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let error = runtime.expect("a runtime").block_on(write(spec)).expect_err("nothing else ends it");
    // The storm finds a scribe that ended by itself.
    eprintln!("{}: {error}", spec.name);
    std::process::exit(1);
}

async fn write(spec: &Spec) -> Result<std::convert::Infallible, BoxError> {
    let scribe = Arc::new(Scribe::new(spec).await?);
    let mut known = [0; JOURNALS as usize];
    loop {
        let number = fastrand::u32(0..JOURNALS);
        let epoch = take_epoch(&spec.folder, number, known[number as usize])?;
        known[number as usize] = epoch.0;
        let first = tokio::spawn(Arc::clone(&scribe).work(number, epoch));
        if fastrand::u8(0..3) == 0 {
            // Once more within the epoch, while the first goes on.
            Clock::boot().sleep(Duration::from_millis(fastrand::u64(0..50))).await;
            Arc::clone(&scribe).work(number, epoch).await?;
        }
        first.await??;
    }
}

struct Scribe {
    journals: Arc<dyn Journal>,
    page: Page,
    records: AtomicU64,
}

impl Scribe {
    async fn new(spec: &Spec) -> Result<Self, BoxError> {
        let page = Page::create(&spec.folder, &spec.name)?;
        // No two processes of a machine have the same number at once, and 2³² records of one are enough.
        let first = u64::from(std::process::id()) << 32 | u64::from(fastrand::u16(..)) << 16;
        Ok(Self { journals: journals(&spec.address).await?, page, records: AtomicU64::new(first) })
    }

    /// One start of work.
    async fn work(self: Arc<Self>, number: u32, epoch: Epoch) -> Result<(), BoxError> {
        let run = fastrand::u64(..);
        match self.append_some(number, epoch, run).await {
            Err(JournalError::Ended(Fault::Fenced(_))) => {
                Ok(self.page.write(Line::Fenced(number, epoch.0))?)
            }
            ended => Ok(ended?),
        }
    }

    async fn append_some(&self, number: u32, epoch: Epoch, run: u64) -> Result<(), JournalError> {
        let author = Author { lineage: LINEAGE, epoch, run: Run(run.into()) };
        let limits = WriterLimits { under_way: 4, ..WriterLimits::default() };
        let (writer, kept) = Writer::open(&*self.journals, &place(number), author, limits).await?;
        let mut marks = remember(&kept);
        let fence = marks.last().map_or(1, |mark| mark.0 + 1);
        self.note(Line::Opened(number, fence, epoch.0, run, digest(&marks)));
        marks.push((fence, epoch.0, run, Vec::new()));
        for _ in 0..fastrand::u32(2..40) {
            let stored = self.append_together(&writer).await?;
            for (seq, record) in stored {
                self.note(Line::Stored(number, seq.0, epoch.0, run, record));
                add(&mut marks, (seq.0, epoch.0, run), record);
            }
            if fastrand::u8(0..25) == 0 {
                // Beside what is appended next. Whatever becomes of it, the journal says the same.
                let (writer, upto, state) = (writer.clone(), Seq(marks.len() as u64), state(&marks));
                tokio::spawn(async move { writer.shorten(upto, state).await });
            }
            Clock::boot().sleep(Duration::from_millis(fastrand::u64(1..10))).await;
        }
        Ok(())
    }

    /// Several records at once, which may come into one entry or several, in their order.
    async fn append_together(&self, writer: &Writer) -> Result<Vec<(Seq, u64)>, JournalError> {
        let numbers: Vec<u64> =
            (0..fastrand::u8(1..6)).map(|_| self.records.fetch_add(1, Ordering::Relaxed)).collect();
        let commits = numbers.iter().map(|number| writer.commit(vec![record(*number)]));
        let seqs: Result<Vec<Seq>, JournalError> = join_all(commits).await.into_iter().collect();
        Ok(seqs?.into_iter().zip(numbers).collect())
    }

    fn note(&self, line: Line) {
        self.page.write(line).expect("a page can be written");
    }
}

/// One more record of an entry that is ours.
fn add(marks: &mut Vec<Mark>, (seq, epoch, run): (u64, u64, u64), record: u64) {
    match marks.last_mut() {
        Some(last) if last.0 == seq => last.3.push(record),
        Some(_) | None => marks.push((seq, epoch, run, vec![record])),
    }
}
