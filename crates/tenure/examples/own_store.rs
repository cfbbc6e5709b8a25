//! A store of your own: a folder with a file for each record, and one lock for all of them.
//!
//! `cargo run -p tenure --example own_store` starts members on it, `cargo test -p tenure --example own_store` tries every rule
//! of stores, and docs/guide/own-store.md explains it.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

use tenure::store::{Bytes, Entry, Operation, Read, Removed, Store, StoreError, Version, Versioned, When};
use tenure::store::{Written, async_trait};
use tenure::{BoxError, Member};

/// A store in a folder that exists, for processes of one machine.
#[derive(Clone, Debug)]
struct Folder(PathBuf);

impl Folder {
    /// Until the file is closed no other handle, of this process or another, gets past this line.
    fn lock(&self) -> io::Result<File> {
        File::create(self.0.join("%lock")).and_then(|file| file.lock().map(|()| file))
    }

    /// No key has a `%`, so no two keys share a file, nor does one share the lock's or the draft's.
    fn file(&self, key: &str) -> PathBuf {
        self.0.join(key.replace('/', "%"))
    }

    fn read(&self, key: &str) -> io::Result<Option<Versioned>> {
        match fs::read(self.file(key)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.and_then(parse).map(Some),
        }
    }

    fn holds(&self, key: &str, when: &When) -> io::Result<bool> {
        Ok(match (self.read(key)?, when) {
            (None, When::Absent) => true,
            (Some(held), When::Is(version)) => held.version == *version,
            (None, When::Is(_)) | (Some(_), When::Absent) => false,
        })
    }

    /// The record is whole on the disk before it gets its name: a power cut leaves the old one or the new one.
    fn write(&self, key: &str, value: &Bytes) -> io::Result<Version> {
        let (version, draft) = (fresh()?, self.0.join("%draft"));
        let mut file = File::create(&draft)?;
        file.write_all(&[version.as_str().as_bytes(), b"\n", value].concat())?;
        file.sync_all()?;
        fs::rename(draft, self.file(key))?;
        File::open(&self.0)?.sync_all().map(|()| version)
    }

    fn list_under(&self, prefix: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for file in fs::read_dir(&self.0)? {
            let key = file?.file_name().to_string_lossy().replace('%', "/");
            if key.starts_with(prefix) && !key.starts_with('/') {
                entries.extend(self.read(&key)?.map(|record| Entry { key, record }));
            }
        }
        entries.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(entries)
    }

    /// Acts under the lock, on a thread that may wait. Where that fails, a write may have landed, and the error says so.
    async fn locked<T: Send + 'static>(
        &self,
        (operation, key): (Operation, &str),
        act: impl FnOnce(&Self, &str) -> io::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (folder, name) = (self.clone(), key.to_owned());
        let under_lock = move || folder.lock().and_then(|_lock| act(&folder, &name));
        let acting = tokio::task::spawn_blocking(under_lock);
        let acted = acting.await.unwrap_or_else(|ended| Err(io::Error::other(ended)));
        let advice = format!("see whether {} can be read and written", self.0.display());
        acted.map_err(|error| StoreError::unanswered("folder", operation, key, advice).caused_by(error))
    }
}

/// Was never given before, to any content.
fn fresh() -> io::Result<Version> {
    let mut bits = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bits)?;
    Ok(Version::new(format!("{:032x}", u128::from_le_bytes(bits))))
}

fn parse(bytes: Vec<u8>) -> io::Result<Versioned> {
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or(io::ErrorKind::InvalidData)?;
    let version = Version::new(String::from_utf8_lossy(&bytes[..end]));
    Ok(Versioned { version, value: Bytes::from(bytes).slice(end + 1..) })
}

#[async_trait]
impl Store for Folder {
    fn kind(&self) -> &'static str {
        "folder"
    }

    async fn get(&self, key: &str, _unless: Option<&Version>) -> Result<Read, StoreError> {
        Ok(self.locked((Operation::Get, key), Self::read).await?.map_or(Read::Absent, Read::Found))
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        self.locked((Operation::Put, key), move |folder, key| match folder.holds(key, &when)? {
            true => folder.write(key, &value).map(Written::Stored),
            false => Ok(Written::Conflict),
        })
        .await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let when = When::Is(version.clone());
        self.locked((Operation::Delete, key), move |folder, key| match folder.holds(key, &when)? {
            true => fs::remove_file(folder.file(key)).map(|()| Removed::Deleted),
            false => Ok(Removed::Conflict),
        })
        .await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.locked((Operation::List, prefix), Self::list_under).await
    }
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let place = tempfile::tempdir()?;
    for name in ["ada", "ben"] {
        let builder = Member::builder(Folder(place.path().into())).cluster("orders").shards(4);
        let member = builder.member_id(name).start().await?;
        member.router().until(|routes| routes[0].owner.as_ref() == Some(member.id())).await;
        println!("{name} is owner number {} of shard 0", member.router().routes()[0].epoch);
        member.leave().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tenure::testing::{Subject, store_suite};

    async fn folder() -> Subject {
        let place = tempfile::tempdir().unwrap();
        let store = super::Folder(place.path().into());
        Subject::new(store.clone()).with_second_handle(store).without_hints().keeping(place)
    }

    store_suite!(folder);
}
