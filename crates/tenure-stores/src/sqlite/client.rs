//! The store's calls, carried out on one connection.

use std::time::Duration;

use bytes::Bytes;
use rusqlite::{Connection, Transaction};
use tenure::store::{Entry, Hint, Read, Removed, Version, When, Written};

use super::drawn::Drawn;
use super::error::{Loss, Trouble};
use super::look::{Looked, Still, look};
use super::news::News;
use super::open::{Opened, Purpose};
use super::place::Place;
use super::premises::Premises;
use super::statement::{self, Seen};

/// How often a file that does not stay still is asked again.
const TRIES: usize = 10;

/// One connection, and what it has seen.
#[derive(Debug)]
pub(super) struct Session {
    connection: Connection,
    place: Place,
    premises: Premises,
    patience: Duration,
    drawn: Option<Drawn>,
    still: Option<Still>,
    purpose: Purpose,
    /// The greatest number that this connection has seen drawn.
    greatest: i64,
    news: News,
}

impl Session {
    pub(super) fn new(opened: Opened, place: Place, patience: Duration) -> rusqlite::Result<Self> {
        let Opened { connection, premises, drawn, still, purpose, .. } = opened;
        let greatest = statement::newest(&connection)?;
        let news = News::since(greatest, statement::data_version(&connection)?);
        Ok(Self { connection, place, premises, patience, drawn, still, purpose, greatest, news })
    }

    pub(super) fn get(&mut self, key: &str, unless: Option<&Version>) -> Result<Read, Trouble> {
        self.read(|connection| statement::get(connection, key, unless))
    }

    pub(super) fn list(&mut self, prefix: &str) -> Result<Vec<Entry>, Trouble> {
        self.read(|connection| statement::list(connection, prefix))
    }

    /// Asks, and once more of the file as it is then if it did not stay still meanwhile.
    fn read<T>(&mut self, ask: impl Fn(&Connection) -> rusqlite::Result<Seen<T>>) -> Result<T, Trouble> {
        for _ in 0..TRIES {
            let given = self.given();
            let read = ask(&self.connection);
            if self.is_still() {
                return self.believe(read, given);
            }
            self.look_anew()?;
        }
        Err(Trouble::Busy(self.patience))
    }

    fn is_still(&self) -> bool {
        self.still.as_ref().is_none_or(Still::holds)
    }

    /// Somebody has begun to write: from now on there is a log to look into.
    fn look_anew(&mut self) -> Result<(), Trouble> {
        // Whatever was lost stays lost.
        self.premises.check().map_err(Trouble::Lost)?;
        let Looked { connection, premises, drawn, still } = look(&self.place, self.patience)?;
        (self.connection, self.premises, self.drawn, self.still) = (connection, premises, drawn, still);
        Ok(())
    }

    pub(super) fn put(&mut self, key: &str, value: &Bytes, when: &When) -> Result<Written, Trouble> {
        let landed = self.change(key, when, |transaction| statement::write(transaction, key, value))?;
        Ok(landed.map_or(Written::Conflict, |number| Written::Stored(statement::version_of(number))))
    }

    pub(super) fn delete(&mut self, key: &str, version: Version) -> Result<Removed, Trouble> {
        let when = When::Is(version);
        let landed = self.change(key, &when, |transaction| statement::remove(transaction, key))?;
        Ok(landed.map_or(Removed::Conflict, |_| Removed::Deleted))
    }

    /// How many numbers are known to have been given out. Asked before the database is: it can only grow in between.
    fn given(&self) -> i64 {
        self.greatest.max(self.drawn.as_ref().map_or(0, Drawn::greatest))
    }

    /// A read counts only if the file it came from is still the one at its path, and has not gone back.
    fn believe<T>(&mut self, read: rusqlite::Result<Seen<T>>, given: i64) -> Result<T, Trouble> {
        self.premises.check().map_err(Trouble::Lost)?;
        let seen = read.map_err(|error| Trouble::in_step(error, self.patience))?;
        self.compare(seen.drawn, given)?;
        Ok(seen.found)
    }

    fn compare(&mut self, drawn: i64, given: i64) -> Result<(), Trouble> {
        if drawn < given {
            return Err(Trouble::Lost(self.premises.lose(Loss::forgot(&self.place, drawn, given))));
        }
        self.greatest = drawn;
        Ok(())
    }

    fn change(
        &mut self,
        key: &str,
        when: &When,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<i64>,
    ) -> Result<Option<i64>, Trouble> {
        if self.purpose == Purpose::Look {
            return Err(Trouble::LookingOnly);
        }
        self.premises.check().map_err(Trouble::Lost)?;
        let landed = self.transact(key, when, write)?;
        self.premises.check().map_err(Trouble::LostInWrite)?;
        if let Some(number) = landed {
            self.greatest = number;
            self.news.note_own(number);
            self.drawn.iter().for_each(|drawn| drawn.raise(number));
        }
        Ok(landed)
    }

    /// Everything until the commit can be taken back; dropping the transaction does so.
    fn transact(
        &mut self,
        key: &str,
        when: &When,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<i64>,
    ) -> Result<Option<i64>, Trouble> {
        let (patience, given) = (self.patience, self.given());
        let step = |error| Trouble::in_step(error, patience);
        let transaction = statement::begin(&mut self.connection).map_err(step)?;
        let drawn = statement::newest(&transaction).map_err(step)?;
        if drawn < given {
            drop(transaction);
            return self.compare(drawn, given).map(|()| None);
        }
        if !statement::holds(&transaction, key, when).map_err(step)? {
            return Ok(None);
        }
        let number = write(&transaction).map_err(step)?;
        transaction.commit().map_err(|error| Trouble::in_commit(error, patience))?;
        Ok(Some(number))
    }

    /// What others changed since the last look, asked for after a ring. A look that fails shows nothing; hints are no promise.
    pub(super) fn look_after_ring(&mut self) -> Vec<Hint> {
        if self.drawn.as_ref().is_some_and(|drawn| self.news.passes(drawn.greatest())) {
            return Vec::new();
        }
        self.look()
    }

    /// The same, asked for without one: another program may have written, and rung no bell.
    pub(super) fn look_by_itself(&mut self) -> Vec<Hint> {
        if !self.is_still() {
            return self.look();
        }
        match statement::data_version(&self.connection) {
            Ok(data_version) if self.news.is_other(data_version) => self.look(),
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    fn look(&mut self) -> Vec<Hint> {
        if !self.is_still() && self.look_anew().is_err() {
            return Vec::new();
        }
        let changes = statement::changes_since(&self.connection, self.news.seen());
        changes.map_or_else(|_| Vec::new(), |changes| self.news.hints(changes))
    }
}
