//! A journal with a layer around it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tenure_core::ids::Lineage;

use super::{Around, Call, Operation};
use crate::journal::{
    Ahead, Author, Claim, Depot, Entry, Journal, JournalError, Keyed, Look, Opened, Part, Place, Saved, Seq,
    Shortened,
};

/// A journal with a layer around it.
#[derive(Clone, Debug)]
pub struct Layered<A> {
    inner: Arc<dyn Journal>,
    around: A,
}

impl<A: Around> Layered<A> {
    /// Puts `around` around `inner`.
    pub fn new(inner: Arc<dyn Journal>, around: A) -> Self {
        Self { inner, around }
    }

    fn call<'a>(&self, operation: Operation, about: &'a (dyn fmt::Display + Sync)) -> Call<'a> {
        Call { operation, kind: self.inner.kind(), about, entry: None }
    }

    /// A call whose answer only its caller wants.
    async fn read_only<'a, T: Send + 'a>(
        &'a self,
        operation: Operation,
        about: &'a (dyn fmt::Display + Sync),
        now: BoxFuture<'a, Result<T, JournalError>>,
    ) -> Result<T, JournalError> {
        let nothing = || std::future::ready(()).boxed();
        self.around.around(self.call(operation, about), now, &nothing).await
    }

    fn opened(&self, opened: Opened, place: &Place) -> Opened {
        let claim = LayeredClaim::new(opened.claim, self.inner.kind(), place, self.around.clone());
        Opened { claim: Box::new(claim), ..opened }
    }
}

#[async_trait]
impl<A: Around> Journal for Layered<A> {
    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    async fn open(&self, place: &Place, author: Author) -> Result<Opened, JournalError> {
        let again = || {
            let (inner, place) = (Arc::clone(&self.inner), place.clone());
            async move { drop(inner.open(&place, author).await) }.boxed()
        };
        let (call, now) = (self.call(Operation::Open, place), self.inner.open(place, author));
        Ok(self.opened(self.around.around(call, now, &again).await?, place))
    }

    async fn ahead(&self, place: &Place) -> Result<Ahead, JournalError> {
        self.read_only(Operation::Read, place, self.inner.ahead(place)).await
    }

    async fn open_after(&self, ahead: Ahead, author: Author) -> Result<Opened, JournalError> {
        let place = &ahead.place.clone();
        let again = || {
            let (inner, place) = (Arc::clone(&self.inner), place.clone());
            async move { drop(inner.open(&place, author).await) }.boxed()
        };
        let (call, now) = (self.call(Operation::Open, place), self.inner.open_after(ahead, author));
        Ok(self.opened(self.around.around(call, now, &again).await?, place))
    }

    async fn read(&self, place: &Place, from: Seq, limit: usize) -> Result<Vec<Entry>, JournalError> {
        self.read_only(Operation::Read, place, self.inner.read(place, from, limit)).await
    }

    async fn read_of(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Keyed>, JournalError> {
        self.read_only(Operation::ReadOf, place, self.inner.read_of(place, key, after, limit)).await
    }

    async fn part(&self, place: &Place, key: &str) -> Result<Option<Part>, JournalError> {
        self.read_only(Operation::Part, place, self.inner.part(place, key)).await
    }

    async fn save_part(
        &self,
        place: &Place,
        key: &str,
        seq: Seq,
        state: Bytes,
    ) -> Result<Saved, JournalError> {
        let late = state.clone();
        let again = || {
            let (inner, place, key, state) =
                (Arc::clone(&self.inner), place.clone(), key.to_owned(), late.clone());
            async move { drop(inner.save_part(&place, &key, seq, state).await) }.boxed()
        };
        let (call, now) =
            (self.call(Operation::SavePart, place), self.inner.save_part(place, key, seq, state));
        self.around.around(call, now, &again).await
    }

    async fn places(&self, after: Option<&Place>, limit: usize) -> Result<Vec<Place>, JournalError> {
        self.read_only(Operation::List, &"journals", self.inner.places(after, limit)).await
    }

    async fn look(&self, place: &Place) -> Result<Option<Look>, JournalError> {
        self.read_only(Operation::Look, place, self.inner.look(place)).await
    }

    async fn adopt(&self, place: &Place, lineage: Lineage) -> Result<Option<Lineage>, JournalError> {
        let again = || {
            let (inner, place) = (Arc::clone(&self.inner), place.clone());
            async move { drop(inner.adopt(&place, lineage).await) }.boxed()
        };
        let (call, now) = (self.call(Operation::Adopt, place), self.inner.adopt(place, lineage));
        self.around.around(call, now, &again).await
    }
}

#[async_trait]
impl<A: Around> Depot for Layered<A> {
    async fn keep(&self, name: &str, bytes: Bytes) -> Result<(), JournalError> {
        let late = bytes.clone();
        let again = || {
            let (inner, name, bytes) = (Arc::clone(&self.inner), name.to_owned(), late.clone());
            async move { drop(inner.keep(&name, bytes).await) }.boxed()
        };
        let (call, now) = (self.call(Operation::Keep, &name), self.inner.keep(name, bytes));
        self.around.around(call, now, &again).await
    }

    async fn fetch(&self, name: &str) -> Result<Option<Bytes>, JournalError> {
        self.read_only(Operation::Fetch, &name, self.inner.fetch(name)).await
    }

    async fn names(&self, prefix: &str, after: &str, limit: usize) -> Result<Vec<String>, JournalError> {
        self.read_only(Operation::List, &prefix, self.inner.names(prefix, after, limit)).await
    }

    async fn remove(&self, names: &[&str]) -> Result<(), JournalError> {
        let again = || {
            let inner = Arc::clone(&self.inner);
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            async move {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                drop(inner.remove(&names).await);
            }
            .boxed()
        };
        let (call, now) = (self.call(Operation::Remove, &"blobs"), self.inner.remove(names));
        self.around.around(call, now, &again).await
    }
}

/// A claim with a layer around it.
#[derive(Debug)]
pub(super) struct LayeredClaim<A> {
    inner: Arc<dyn Claim>,
    kind: &'static str,
    place: Place,
    around: A,
    _while_open: Option<Box<dyn Any + Send + Sync>>,
}

impl<A: Around> LayeredClaim<A> {
    pub(super) fn new(inner: Box<dyn Claim>, kind: &'static str, place: &Place, around: A) -> Self {
        let while_open = around.while_open();
        Self { inner: inner.into(), kind, place: place.clone(), around, _while_open: while_open }
    }
}

/// An entry, for messages.
struct EntryOf<'a>(Seq, &'a Place);

impl fmt::Display for EntryOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {} of {}", self.0, self.1)
    }
}

#[async_trait]
impl<A: Around> Claim for LayeredClaim<A> {
    fn under_way(&self) -> usize {
        self.inner.under_way()
    }

    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        let again = || {
            let (inner, entry) = (Arc::clone(&self.inner), entry.clone());
            async move { drop(inner.append(&entry).await) }.boxed()
        };
        let about = EntryOf(entry.seq, &self.place);
        let (operation, kind) = (Operation::Append, self.kind);
        let call = Call { operation, kind, about: &about, entry: Some(entry) };
        self.around.around(call, self.inner.append(entry), &again).await
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        let late = state.clone();
        let again = || {
            let (inner, state) = (Arc::clone(&self.inner), late.clone());
            async move { drop(inner.shorten(upto, state).await) }.boxed()
        };
        let about = EntryOf(upto, &self.place);
        let (operation, kind) = (Operation::Shorten, self.kind);
        let call = Call { operation, kind, about: &about, entry: None };
        self.around.around(call, self.inner.shorten(upto, state), &again).await
    }
}
