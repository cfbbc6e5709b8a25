//! The store's calls, carried out on one connection.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use rusqlite::{Connection, Transaction};
use tenure::store::{Entry, Hint, Read, Removed, Version, When, Written};

use super::fault::Trouble;
use super::premises::Premises;
use super::statement::{self, Changes};

/// How many of our own writes are remembered, to tell nobody of them.
const OWN_KEPT: usize = 64;

/// More changes than this at once are told as "something changed".
const NAMED_MAX: usize = 128;

/// One connection, and what it has seen.
#[derive(Debug)]
pub(super) struct Session {
    connection: Connection,
    premises: Premises,
    patience: Duration,
    /// SQLite's change counter when we looked last: it moves when another connection commits.
    data_version: i64,
    /// The newest version that watchers were told of.
    seen: i64,
    own: VecDeque<i64>,
}

impl Session {
    pub(super) fn new(
        connection: Connection,
        premises: Premises,
        patience: Duration,
    ) -> rusqlite::Result<Self> {
        let data_version = statement::data_version(&connection)?;
        let seen = statement::newest(&connection)?;
        Ok(Self { connection, premises, patience, data_version, seen, own: VecDeque::new() })
    }

    pub(super) fn get(&mut self, key: &str, unless: Option<&Version>) -> Result<Read, Trouble> {
        let read = statement::get(&self.connection, key, unless);
        self.believe(read)
    }

    pub(super) fn list(&mut self, prefix: &str) -> Result<Vec<Entry>, Trouble> {
        let entries = statement::list(&self.connection, prefix);
        self.believe(entries)
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

    /// A read counts only if the file it came from is still the one at its path.
    fn believe<T>(&mut self, read: rusqlite::Result<T>) -> Result<T, Trouble> {
        self.premises.check().map_err(Trouble::Lost)?;
        read.map_err(|error| Trouble::in_step(error, self.patience))
    }

    fn change(
        &mut self,
        key: &str,
        when: &When,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<i64>,
    ) -> Result<Option<i64>, Trouble> {
        self.premises.check().map_err(Trouble::Lost)?;
        let landed = self.transact(key, when, write)?;
        self.premises.check().map_err(Trouble::LostInWrite)?;
        if let Some(number) = landed {
            self.remember(number);
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
        let patience = self.patience;
        let step = |error| Trouble::in_step(error, patience);
        let transaction = statement::begin(&mut self.connection).map_err(step)?;
        if !statement::holds(&transaction, key, when).map_err(step)? {
            return Ok(None);
        }
        let number = write(&transaction).map_err(step)?;
        transaction.commit().map_err(|error| Trouble::in_commit(error, patience))?;
        Ok(Some(number))
    }

    fn remember(&mut self, number: i64) {
        self.own.push_back(number);
        if self.own.len() > OWN_KEPT {
            self.own.pop_front();
        }
    }

    /// What others changed since the last look. A look that fails shows nothing; hints are no promise.
    pub(super) fn look(&mut self) -> Vec<Hint> {
        self.changes().map_or_else(|_| Vec::new(), |changes| self.hints(changes))
    }

    fn changes(&mut self) -> rusqlite::Result<Changes> {
        let data_version = statement::data_version(&self.connection)?;
        if data_version == self.data_version {
            return Ok(Changes { newest: self.seen, written: Vec::new() });
        }
        let changes = statement::changes_since(&self.connection, self.seen)?;
        self.data_version = data_version;
        Ok(changes)
    }

    fn hints(&mut self, changes: Changes) -> Vec<Hint> {
        let numbers = changes.newest - self.seen;
        let own = self.own.iter().filter(|number| **number > self.seen && **number <= changes.newest).count();
        let (_, foreign): (Vec<_>, Vec<_>) =
            changes.written.into_iter().partition(|(_, number)| self.own.contains(number));
        self.seen = changes.newest;
        if foreign.len() > NAMED_MAX {
            return vec![Hint::anything()];
        }
        // A number that no record carries any more was a removal, or was overwritten.
        let unexplained = numbers > i64::try_from(own + foreign.len()).unwrap_or(i64::MAX);
        let named = foreign.into_iter().map(|(key, _)| Hint::of(key));
        named.chain(unexplained.then_some(Hint::anything())).collect()
    }
}
