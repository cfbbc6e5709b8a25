//! Group commit: one task for each open journal, which stores together what waits together.

use std::fmt;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesOrdered;
use std::sync::Arc;
use tenure_core::journal::group::{Group, Sealed};
use tokio::sync::{mpsc, oneshot};

use super::{
    Ahead, Author, Claim, Entry, Journal, JournalError, Kept, Opened, Place, Record, Seq, Shortened, Since,
    WriterLimits, limits,
};
use crate::clock::Clock;

/// Extends one journal. Clones extend the same; dropping the last one ends its task once all that waits is stored.
#[derive(Clone)]
pub struct Writer {
    jobs: mpsc::UnboundedSender<Job>,
    claim: Arc<dyn Claim>,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("claim", &self.claim).finish_non_exhaustive()
    }
}

/// How many submissions are taken in at once.
const AT_ONCE: usize = 1_024;

struct Job {
    records: Vec<Record>,
    ticket: Ticket,
}

type Ticket = oneshot::Sender<Result<Seq, JournalError>>;

/// What is asked before an append is sent, and before it is acknowledged: whether the shard is still ours.
pub(crate) type Guard = Arc<dyn Fn() -> bool + Send + Sync>;

impl Writer {
    /// Opens `journal` at `place` for `author`, and answers with all that was stored before.
    pub async fn open(
        journal: &dyn Journal,
        place: &Place,
        author: Author,
        limits: WriterLimits,
    ) -> Result<(Self, Kept), JournalError> {
        Ok(Self::over(journal.open(place, author).await?, author, limits, Arc::new(|| true)))
    }

    /// Opens a journal that was read `ahead` of its turn, and answers with what has come since.
    pub async fn open_after(
        journal: &dyn Journal,
        ahead: Ahead,
        author: Author,
        limits: WriterLimits,
    ) -> Result<(Self, Since), JournalError> {
        let mark = ahead.mark();
        let opened = journal.open_after(ahead, author).await?;
        let (writer, kept) = Self::over(opened, author, limits, Arc::new(|| true));
        Ok((writer, Since::of(kept, mark)))
    }

    /// Extends a journal that is open, for work that ends when `guard` does not hold any more.
    pub(crate) fn over(opened: Opened, author: Author, limits: WriterLimits, guard: Guard) -> (Self, Kept) {
        let Opened { next, kept, claim } = opened;
        let claim: Arc<dyn Claim> = claim.into();
        let (jobs, inbox) = mpsc::unbounded_channel();
        let under_way = claim.under_way().min(limits.under_way.max(1));
        let group = Group::new(WriterLimits { under_way, ..limits }, next);
        let task = Task { claim: Arc::clone(&claim), author, guard, group, clock: Clock::boot() };
        tokio::spawn(task.run(inbox));
        (Self { jobs, claim }, kept)
    }

    /// Stores `records`, all or none, and answers with the number of their entry. If it fails with [`JournalError::Ended`], they are
    /// not stored and never will be by this writer; another owner has taken over. On rows they may be stored all the same if the store
    /// did not answer an earlier try: only the row that says who may write is looked at, and that is another's. Nor are they stored after
    /// [`JournalError::Unfit`] and [`JournalError::Busy`], and the writer goes on. After any other error they may be: open the journal
    /// again, and see.
    ///
    /// If this is dropped before it answers, they may be stored or not.
    pub async fn commit(&self, records: Vec<Record>) -> Result<Seq, JournalError> {
        limits::check_records(&records)?;
        let (ticket, answer) = oneshot::channel();
        self.jobs.send(Job { records, ticket }).map_err(|_| JournalError::Closed)?;
        answer.await.unwrap_or(Err(JournalError::Closed))
    }

    /// Lets `state` stand for all entries up to `upto`, which must be stored; the entries may then be removed.
    pub async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        self.claim.shorten(upto, state).await
    }
}

struct Task {
    claim: Arc<dyn Claim>,
    author: Author,
    guard: Guard,
    group: Group<Ticket>,
    clock: Clock,
}

/// An append that is under way: its number, who waits for it, and what came of it.
type Appended = BoxFuture<'static, (Seq, Vec<(Ticket, usize)>, Result<(), JournalError>)>;
type UnderWay = FuturesOrdered<Appended>;

impl Task {
    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Job>) {
        let (mut under_way, mut arrived) = (UnderWay::new(), Vec::new());
        let ended = loop {
            while let Some(sealed) = self.group.seal(self.clock.now()) {
                under_way.push_back(self.append(sealed));
            }
            let linger = self.group.deadline().map(|at| at.since(self.clock.now()));
            tokio::select! {
                biased;
                Some((seq, tickets, stored)) = under_way.next(), if !under_way.is_empty() => {
                    if let Err(error) = self.landed(seq, tickets, stored) {
                        break error;
                    }
                }
                // All that has arrived goes together.
                count = inbox.recv_many(&mut arrived, AT_ONCE) => match count {
                    0 => match self.finish(&mut under_way).await {
                        Some(error) => break error,
                        None => return,
                    },
                    _ => arrived.drain(..).for_each(|job| self.submit(job)),
                },
                () = self.clock.sleep(linger.unwrap_or_default()), if linger.is_some() => {}
            }
        };
        self.end(&mut inbox, under_way, &ended);
    }

    fn submit(&mut self, Job { records, ticket }: Job) {
        if let Err((busy, ticket)) = self.group.submit(self.clock.now(), records, ticket) {
            // Its submitter may have gone.
            let _ = ticket.send(Err(busy.into()));
        }
    }

    fn append(&self, Sealed { seq, records, tickets }: Sealed<Ticket>) -> Appended {
        let (claim, guard) = (Arc::clone(&self.claim), Arc::clone(&self.guard));
        let entry = Entry::batch(seq, self.author, self.clock.wall_ms(), records);
        Box::pin(async move {
            let stored = match guard() {
                true => claim.append(&entry).await,
                false => Err(JournalError::Lapsed),
            };
            let stored = stored.and_then(|()| if guard() { Ok(()) } else { Err(JournalError::Lapsed) });
            (seq, tickets, stored)
        })
    }

    fn landed(
        &mut self,
        seq: Seq,
        tickets: Vec<(Ticket, usize)>,
        stored: Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        self.group.landed();
        for (ticket, _) in tickets {
            // Its submitter may have gone.
            let _ = ticket.send(stored.clone().map(|()| seq));
        }
        stored
    }

    /// All writers are gone: stores what waits.
    async fn finish(&mut self, under_way: &mut UnderWay) -> Option<JournalError> {
        loop {
            while let Some(sealed) = self.group.seal(self.clock.now()) {
                under_way.push_back(self.append(sealed));
            }
            let linger = self.group.deadline().map(|at| at.since(self.clock.now()));
            match (under_way.next().await, linger) {
                (Some((seq, tickets, stored)), _) => {
                    if let Err(error) = self.landed(seq, tickets, stored) {
                        return Some(error);
                    }
                }
                (None, Some(linger)) => self.clock.sleep(linger).await,
                (None, None) => return None,
            }
        }
    }

    /// Nothing more can be stored: all that wait are told why.
    fn end(&mut self, inbox: &mut mpsc::UnboundedReceiver<Job>, under_way: UnderWay, error: &JournalError) {
        inbox.close();
        // Dropped appends drop their tickets: their submitters learn that the writer is closed.
        drop(under_way);
        let late = std::iter::from_fn(|| inbox.try_recv().ok()).map(|job| job.ticket);
        for ticket in self.group.drain().chain(late) {
            let _ = ticket.send(Err(error.clone()));
        }
    }
}
