//! Blobs as objects with names of their own, as they are: any tool reads them.

use async_trait::async_trait;
use bytes::Bytes;

use super::{Names, Objects};
use crate::journal::{Depot, JournalError, limits, until_answered};
use crate::store::{When, Written};

impl<O: Objects> Names<O> {
    fn blob_name(&self, name: &str) -> String {
        format!("{}depot/{name}", self.prefix)
    }

    async fn keep_once(&self, name: &str, bytes: &Bytes) -> Result<(), JournalError> {
        let full = self.blob_name(name);
        loop {
            if let Written::Stored(_) = self.objects.write(&full, bytes.clone(), When::Absent).await? {
                return Ok(());
            }
            match self.objects.read(&full).await? {
                Some((_, held)) if held == *bytes => return Ok(()),
                Some(_) => return Err(JournalError::Taken(name.into())),
                // It was removed between the two.
                None => {}
            }
        }
    }
}

#[async_trait]
impl<O: Objects> Depot for Names<O> {
    async fn keep(&self, name: &str, bytes: Bytes) -> Result<(), JournalError> {
        limits::check_blob(name, &bytes)?;
        until_answered(|| self.keep_once(name, &bytes)).await
    }

    async fn fetch(&self, name: &str) -> Result<Option<Bytes>, JournalError> {
        limits::check_blob_name(name)?;
        let name = &self.blob_name(name);
        let found = until_answered(|| async { Ok(self.objects.read(name).await?) }).await?;
        Ok(found.map(|(_, bytes)| bytes))
    }

    async fn names(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, JournalError> {
        let folder = &self.blob_name("");
        let (prefix, after) = (&self.blob_name(prefix), &self.blob_name(after));
        let list = || async { Ok(self.objects.list(prefix, after, limit).await?) };
        let names = until_answered(list).await?;
        Ok(names.iter().filter_map(|name| name.strip_prefix(folder)).map(str::to_owned).collect())
    }

    async fn remove(&self, names: &[&str]) -> Result<(), JournalError> {
        let names = &names.iter().map(|name| self.blob_name(name)).collect::<Vec<_>>();
        until_answered(|| async { Ok(self.objects.remove(names).await?) }).await
    }
}
