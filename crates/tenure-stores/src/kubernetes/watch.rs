//! Hints: what a feed of metadata tells those who watch a prefix.
//!
//! Pages are large, so their metadata alone are watched. A member renews its lease every few seconds, and all others are told;
//! as the record is among the metadata, the hint brings it along and nobody has to read it.

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Client;
use kube::api::{Api, ListParams, PartialObjectMeta};
use tenure::store::{Hint, Versioned};

use super::feed::{Feed, News};
use super::kept::Kept;
use super::lease::record_in;
use super::place::Place;
use super::shelf::Shelf;
use super::version::version_of;

/// What is watched.
#[derive(Clone, Debug)]
pub(super) struct Lookout {
    pub(super) place: Place,
    pub(super) prefix: String,
}

/// Hints about one kind of objects, until the stream is dropped.
pub(super) fn hints<K: Kept>(client: Client, shelf: &Shelf<K>, lookout: Lookout) -> BoxStream<'static, Hint> {
    let request = shelf.request("watch");
    let api: Api<PartialObjectMeta<K>> = Api::namespaced(client, &request.namespace);
    // Of the present only the resourceVersion is wanted.
    let wanted = ListParams::default().labels(&lookout.place.selector(&lookout.prefix)).limit(1);
    let feed = Feed::new(api, wanted, request);
    stream::unfold((feed, lookout), |(mut feed, lookout)| async {
        loop {
            if let Some(hint) = lookout.hint(feed.next().await) {
                return Some((hint, (feed, lookout)));
            }
        }
    })
    .boxed()
}

impl Lookout {
    fn hint<K: Kept>(&self, news: News<PartialObjectMeta<K>>) -> Option<Hint> {
        match news {
            News::Anew(_) => Some(Hint::anything()),
            News::Removed(object) => self.key(&object.metadata).map(Hint::of),
            News::Changed(object) => {
                let hint = Hint::of(self.key(&object.metadata)?);
                Some(match record(&object.metadata).filter(|_| K::IN_METADATA) {
                    Some(record) => hint.with(record),
                    None => hint,
                })
            }
        }
    }

    fn key(&self, meta: &ObjectMeta) -> Option<String> {
        self.place.key(meta).filter(|key| key.starts_with(&self.prefix))
    }
}

fn record(meta: &ObjectMeta) -> Option<Versioned> {
    Some(Versioned { version: version_of(meta)?, value: record_in(meta)? })
}

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz_tests;
