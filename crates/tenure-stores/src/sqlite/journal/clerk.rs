//! The thread that owns the connection: what waits together is committed together.

use std::io;
use std::sync::mpsc;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tenure::journal::rows::Holder;
use tenure::journal::{Entry, JournalError, Place, Seq};
use tenure::store::{StoreError, StoreErrorKind};
use tokio::sync::oneshot;

use super::table::{self, Done};
use crate::sqlite::database_file;
use crate::sqlite::error::{KIND, Trouble};
use crate::sqlite::open::open_journals;
use crate::sqlite::premises::Premises;
use crate::trouble::StoreTrouble;

/// How many appends go into one transaction at most.
const AT_ONCE: usize = 512;

type Work = Box<dyn FnOnce(&mut Session) + Send>;

enum Job {
    Work(Work),
    Append(Box<Append>),
}

struct Append {
    place: Place,
    holder: Holder,
    known: Seq,
    entry: Entry,
    reply: oneshot::Sender<Result<(), JournalError>>,
}

/// Where calls are handed in.
#[derive(Debug)]
pub(super) struct Desk {
    jobs: mpsc::Sender<Job>,
}

struct Session {
    connection: Connection,
    premises: Premises,
    named: String,
    patience: Duration,
}

impl Desk {
    pub(super) async fn open(
        place: database_file::DatabaseFile,
        patience: Duration,
    ) -> Result<Self, StoreError> {
        let named = place.file().display().to_string();
        let (jobs, inbox) = mpsc::channel();
        let (opened, answer) = oneshot::channel();
        let failed = |cause: io::Error| {
            let message = "the system refuses a thread; raise its limits";
            StoreError::new(StoreErrorKind::Unavailable, KIND, "open", named.clone(), message)
                .caused_by(cause)
        };
        let thread = std::thread::Builder::new().name("tenure-journal".into());
        let serve = move || match Session::open(&place, patience) {
            Ok(session) => {
                // Its opener may have gone.
                let _ = opened.send(Ok(()));
                session.serve(&inbox);
            }
            Err(error) => drop(opened.send(Err(error))),
        };
        thread.spawn(serve).map_err(failed)?;
        answer.await.unwrap_or_else(|_| Err(Trouble::Closed.on("open", &named)))?;
        Ok(Self { jobs })
    }

    /// Has `work` done on the connection.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&mut Connection) -> Done<T> + Send + 'static,
    ) -> Result<T, JournalError> {
        let (reply, answer) = oneshot::channel();
        let job = move |session: &mut Session| {
            if !reply.is_closed() {
                // Nobody may be left to hear it.
                let _ = reply.send(session.carry_out(operation, work));
            }
        };
        self.hand_in(Job::Work(Box::new(job)));
        answer.await.unwrap_or(Err(JournalError::Closed))
    }

    /// Appends an entry, together with what else waits.
    pub(super) async fn append(
        &self,
        place: Place,
        holder: Holder,
        known: Seq,
        entry: Entry,
    ) -> Result<(), JournalError> {
        let (reply, answer) = oneshot::channel();
        self.hand_in(Job::Append(Box::new(Append { place, holder, known, entry, reply })));
        answer.await.unwrap_or(Err(JournalError::Closed))
    }

    fn hand_in(&self, job: Job) {
        // A thread that has ended drops the job, and with it the reply: its caller learns that.
        let _ = self.jobs.send(job);
    }
}

impl Session {
    fn open(place: &database_file::DatabaseFile, patience: Duration) -> Result<Self, StoreError> {
        let connection = open_journals(place, patience)?;
        let named = place.file().display().to_string();
        let files = [place.file().to_owned(), place.log(), place.index()];
        let premises = Premises::of(files).map_err(|trouble| trouble.on("open", &named))?;
        Ok(Self { connection, premises, named, patience })
    }

    fn serve(mut self, inbox: &mpsc::Receiver<Job>) {
        while let Ok(first) = inbox.recv() {
            let mut appends = Vec::new();
            let waiting = std::iter::once(first).chain(std::iter::from_fn(|| inbox.try_recv().ok()));
            for job in waiting {
                match job {
                    Job::Append(append) => appends.push(*append),
                    Job::Work(work) => {
                        // In the order in which they came.
                        self.append_all(&mut appends);
                        work(&mut self);
                    }
                }
                if appends.len() >= AT_ONCE {
                    self.append_all(&mut appends);
                }
            }
            self.append_all(&mut appends);
        }
    }

    /// One transaction, one synchronisation of the disk. One that is fenced writes nothing, and spoils nothing for the others.
    fn append_all(&mut self, appends: &mut Vec<Append>) {
        if appends.is_empty() {
            return;
        }
        let batch = std::mem::take(appends);
        let outcomes = self.carry_out("append", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done: rusqlite::Result<Vec<_>> = batch
                .iter()
                .map(|Append { place, holder, known, entry, .. }| {
                    table::append(&transaction, place, holder, *known, entry)
                })
                .collect();
            let done = done?;
            transaction.commit()?;
            Ok(Ok(done))
        });
        match outcomes {
            Ok(outcomes) => {
                let answered = batch.into_iter().zip(outcomes);
                answered.for_each(|(append, outcome)| drop(append.reply.send(outcome)));
            }
            Err(error) => batch.into_iter().for_each(|append| drop(append.reply.send(Err(error.clone())))),
        }
    }

    /// What was done counts only if the file is still the one at its path. A commit that failed may have landed: whoever asks again
    /// finds out.
    fn carry_out<T>(
        &mut self,
        operation: &'static str,
        work: impl FnOnce(&mut Connection) -> Done<T>,
    ) -> Result<T, JournalError> {
        let named = &self.named;
        self.premises.check().map_err(|loss| Trouble::Lost(loss).on(operation, named))?;
        let done = work(&mut self.connection);
        self.premises.check().map_err(|loss| Trouble::LostInWrite(loss).on(operation, named))?;
        done.map_err(|error| Trouble::in_step(error, self.patience).on(operation, named))?
    }
}
