//! Journals in a folder of a local disk: each entry a file that any tool can read, for the processes of one machine.
//!
//! - A name is **created** by a link: the bytes are written under another name and synchronised before, so nobody ever sees half a
//!   file, and of several that create the same name one succeeds.
//! - The head is **replaced** by a rename, under a lock beside it, if it still has the version that was read.
//! - What was answered is on the disk: the file, and the folder that names it.
//!
//! A folder that was moved or deleted ends the journals in it: to make it anew would be to forget what was acknowledged.

mod disk;
mod error;
mod lock;
mod url;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use tenure::journal::names::{Names, Objects};
use tenure::store::{StoreError, Version, When, Written};

use self::disk::Disk;
use self::error::{KIND, Trouble};
use crate::trouble::StoreTrouble;

/// A folder for the names of journals. Clones share it.
#[derive(Clone, Debug)]
pub struct JournalFolder(Arc<Disk>);

impl JournalFolder {
    /// Opens the folder at `path`, and makes it if it is not there.
    ///
    /// # Errors
    /// If it can't be used: it is on a network file system, it can't be written, or the disk is full.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref().to_owned();
        let named = path.display().to_string();
        let opened = in_background(move || Disk::open(&path)).await;
        opened.map(|disk| Self(Arc::new(disk))).map_err(|trouble| trouble.on("open", &named))
    }

    /// The journals in the folder that `address` names, such as `file:journals`.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if `address` names none.
    pub async fn journal(address: &str) -> Result<Names<Self>, StoreError> {
        Ok(Names::new(Self::open(url::path_of(address)?).await?, ""))
    }

    async fn ask<T: Send + 'static>(
        &self,
        operation: &'static str,
        name: &str,
        work: impl FnOnce(&Disk, &str) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (disk, owned) = (Arc::clone(&self.0), name.to_owned());
        let done = in_background(move || disk.at_home(|disk| work(disk, &owned))).await;
        done.map_err(|trouble| trouble.on(operation, name))
    }
}

/// Disks block: on a thread that may. What was begun goes on though its caller has gone.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(Trouble::Closed))
}

#[async_trait]
impl Objects for JournalFolder {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn read(&self, name: &str) -> Result<Option<(Version, Bytes)>, StoreError> {
        self.ask("read", name, Disk::read).await
    }

    async fn write(&self, name: &str, bytes: Bytes, when: When) -> Result<Written, StoreError> {
        let write = move |disk: &Disk, name: &str| match when {
            When::Absent => disk.create(name, &bytes),
            When::Is(version) => disk.replace(name, &bytes, &version),
        };
        self.ask("write", name, write).await
    }

    async fn remove(&self, names: &[String]) -> Result<(), StoreError> {
        let Some(first) = names.first().cloned() else { return Ok(()) };
        let names = names.to_vec();
        let remove = move |disk: &Disk, _: &str| names.iter().try_for_each(|name| disk.remove(name));
        self.ask("remove", &first, remove).await
    }

    async fn list(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let after = after.to_owned();
        self.ask("list", prefix, move |disk, prefix| disk.list(prefix, &after, limit)).await
    }
}
