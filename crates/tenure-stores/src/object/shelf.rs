//! The objects of one place, one request at a time.

use bytes::Bytes;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetResult, PutMode, PutOptions};
use tenure::store::{Operation, StoreError, StoreErrorKind, Version};

use super::body::Body;
use super::cache::{Cache, Sight};
use super::client::{Clients, clients};
use super::error::{fault, unfit, unusable, unversioned};
use super::stamp::{self, Stamp};
use super::url::{Address, Place, Provider};
use super::wire::{Fate, Trace};

/// A place in a bucket, with the clients that reach it.
#[derive(Debug)]
pub(super) struct Shelf {
    place: Place,
    clients: Clients,
    pub(super) cache: Cache,
}

impl Shelf {
    /// The place that an address names; asks nobody yet.
    pub(super) fn at(address: &Address) -> Result<Self, StoreError> {
        let clients = clients(address)?;
        Ok(Self { place: address.place.clone(), clients, cache: Cache::default() })
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn clients(&self) -> &Clients {
        &self.clients
    }

    /// Writes `body` if `key` still has `version`, or if there is no object at all. `None` if the server says that it
    /// is not so.
    pub(super) async fn write(
        &self,
        operation: Operation,
        key: &str,
        body: Bytes,
        version: Option<&Version>,
    ) -> Result<Option<Version>, StoreError> {
        let (path, trace) = (self.path(operation, key)?, Trace::default());
        let mode = version.map_or(PutMode::Create, |version| {
            PutMode::Update(stamp::expected(self.place.provider, version))
        });
        let options = PutOptions { mode, extensions: trace.extensions(), ..PutOptions::default() };
        match self.clients.careful.put_opts(&path, body.clone().into(), options).await {
            Ok(put) => match Stamp::of(self.place.provider, put.e_tag, put.version) {
                Some(stamp) => Ok(Some(self.written(key, stamp, body))),
                // It is stored; by which version, only a read can tell.
                None => Err(unversioned(&self.place, operation, key)),
            },
            Err(_) if was_refused(&trace, self.place.provider, version.is_some()) => Ok(None),
            Err(error) => Err(fault(&self.place, operation, key, &trace, error)),
        }
    }

    fn written(&self, key: &str, stamp: Stamp, body: Bytes) -> Version {
        let version = stamp.version.clone();
        if let Ok(body) = Body::read(body) {
            self.cache.renew(key, Sight::new(stamp, body));
        }
        version
    }

    /// What is at `key`, be it a record or a grave.
    pub(super) async fn read(&self, operation: Operation, key: &str) -> Result<Option<Sight>, StoreError> {
        Ok(self.read_unless(operation, key, None).await?.flatten())
    }

    /// What is at `key`; outer `None` if that has the tag `known` still.
    pub(super) async fn read_unless(
        &self,
        operation: Operation,
        key: &str,
        known: Option<String>,
    ) -> Result<Option<Option<Sight>>, StoreError> {
        let (path, trace) = (self.path(operation, key)?, Trace::default());
        let options =
            GetOptions { if_none_match: known, extensions: trace.extensions(), ..GetOptions::default() };
        match self.clients.patient.get_opts(&path, options).await {
            Ok(answer) => Ok(Some(Some(self.sight(operation, key, &trace, answer).await?))),
            Err(Error::NotModified { .. }) => Ok(None),
            Err(Error::NotFound { .. }) if lacks_object(&trace) => Ok(Some(None)),
            Err(error) => Err(fault(&self.place, operation, key, &trace, error)),
        }
    }

    async fn sight(
        &self,
        operation: Operation,
        key: &str,
        trace: &Trace,
        answer: GetResult,
    ) -> Result<Sight, StoreError> {
        let meta = answer.meta.clone();
        let body = answer.bytes().await.map_err(|error| fault(&self.place, operation, key, trace, error))?;
        let stamp = Stamp::of(self.place.provider, meta.e_tag, meta.version);
        let stamp = stamp.ok_or_else(|| self.stampless(operation, key))?;
        let body = Body::read(body).map_err(|_| {
            unfit(&self.place, operation, key, "it was written by a later version; upgrade this program")
        })?;
        let sight = Sight::new(stamp, body);
        self.cache.renew(key, sight.clone());
        Ok(sight)
    }

    pub(super) fn path(&self, operation: Operation, key: &str) -> Result<Path, StoreError> {
        Path::parse(format!("{}{key}", self.place.prefix)).map_err(|cause| {
            let scheme = self.place.provider.scheme();
            let message = "a key is made of segments of a-z A-Z 0-9 . _ - joined by /";
            StoreError::new(StoreErrorKind::Invalid, scheme, operation.name(), key, message).caused_by(cause)
        })
    }

    /// What to tell those who only look.
    pub(super) fn nothing_there(&self) -> StoreError {
        unusable(&self.place, "nothing is there; correct the address, or start a member first")
    }

    fn stampless(&self, operation: Operation, key: &str) -> StoreError {
        let message = "the server gives its objects no ETag (or generation), so no write can be conditional; use another";
        unfit(&self.place, operation, key, message)
    }
}

/// Whether a write was refused because its condition did not hold: then, and only then, was it lost in a race.
pub(super) fn was_refused(trace: &Trace, provider: Provider, replaces: bool) -> bool {
    let Fate::Refused(refusal) = trace.fate() else { return false };
    match (refusal.status, provider, refusal.code.as_str()) {
        (412, _, _) | (409, Provider::Azure, "BlobAlreadyExists") => true,
        // S3 answers so when two writes of one object meet, and carries this one out no more than the one refused by 412.
        // It may be that nothing is there, or what was there before: whoever is told of a conflict reads.
        (409, Provider::S3, _) => true,
        // S3 answers so when the object whose version was named is not there at all.
        _ => replaces && refusal.says_absent(),
    }
}

fn lacks_object(trace: &Trace) -> bool {
    matches!(trace.fate(), Fate::Refused(refusal) if refusal.says_absent())
}
