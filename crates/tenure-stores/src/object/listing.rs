//! Listings: names and tags by one request, contents of what changed by one request each.
//!
//! The contents may be younger than the listing that named them, never older than what the handle had; each belongs to
//! the version that is reported with it. What was removed between the listing and the reading is left out.

use std::collections::BTreeSet;

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::list::PaginatedListOptions;
use tenure::store::{Entry, Operation, StoreError};

use super::cache::Sight;
use super::error::fault;
use super::shelf::Shelf;
use super::stamp;
use super::wire::Trace;

/// The most keys that a server gives at once.
const PAGE: usize = 1_000;

/// How many objects are read at once.
const AT_ONCE: usize = 8;

/// An object, as a listing shows it.
struct Listed {
    key: String,
    tag: String,
}

impl Shelf {
    /// Every record under `prefix`, in the order of keys.
    pub(super) async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        let mut listed = self.names(prefix).await?;
        listed.sort_by(|a, b| a.key.cmp(&b.key));
        self.cache.retain(prefix, &listed.iter().map(|object| object.key.as_str()).collect::<BTreeSet<_>>());
        let sights = stream::iter(listed).map(|object| self.seen(object)).buffered(AT_ONCE);
        let entries = sights.try_filter_map(|(key, sight)| async move {
            Ok(sight.and_then(Sight::versioned).map(|record| Entry { key, record }))
        });
        entries.try_collect().await
    }

    /// Whether there is no object at all. Tells at the same time whether the bucket can be reached and read.
    pub(super) async fn is_empty(&self) -> Result<bool, StoreError> {
        let page = self.page("", PaginatedListOptions { max_keys: Some(1), ..Default::default() }).await?;
        Ok(page.0.is_empty())
    }

    /// At most `limit` keys under `prefix` that come after `after`, in order.
    pub(super) async fn keys_after(
        &self,
        prefix: &str,
        after: &str,
        limit: usize,
    ) -> Result<Vec<String>, StoreError> {
        let offset = (!after.is_empty()).then(|| format!("{}{after}", self.place().prefix));
        let (mut keys, mut token) = (Vec::new(), None);
        // Ends with the last page: each token comes from the page before.
        loop {
            // One more than is wanted, for a server that takes the offset for a part of the page.
            let max_keys = Some(limit.saturating_add(1).min(PAGE));
            let offset = offset.clone();
            let options = PaginatedListOptions { offset, max_keys, page_token: token, ..Default::default() };
            let (page, next) = self.page(prefix, options).await?;
            keys.extend(page.into_iter().map(|object| object.key).filter(|key| key.as_str() > after));
            token = next;
            if token.is_none() || keys.len() >= limit {
                keys.sort_unstable();
                keys.truncate(limit);
                return Ok(keys);
            }
        }
    }

    async fn names(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let (mut listed, mut token) = (Vec::new(), None);
        // Ends with the last page: each token comes from the page before.
        loop {
            let options = PaginatedListOptions { page_token: token, ..Default::default() };
            let (mut page, next) = self.page(prefix, options).await?;
            listed.append(&mut page);
            token = next;
            if token.is_none() {
                return Ok(listed);
            }
        }
    }

    async fn page(
        &self,
        prefix: &str,
        options: PaginatedListOptions,
    ) -> Result<(Vec<Listed>, Option<String>), StoreError> {
        let (trace, whole) = (Trace::default(), format!("{}{prefix}", self.place().prefix));
        let options = PaginatedListOptions { extensions: trace.extensions(), ..options };
        let named = Some(whole.as_str()).filter(|whole| !whole.is_empty());
        let page = self.clients().patient.list_paginated(named, options).await;
        let page = page.map_err(|error| fault(self.place(), Operation::List, prefix, &trace, error))?;
        let objects = page.result.objects.into_iter();
        let listed = objects.filter_map(|object| {
            let key = object.location.as_ref().strip_prefix(&self.place().prefix)?.to_owned();
            // A console may have left an object for the "folder" itself, which is none of ours.
            let ours = key.starts_with(prefix) && !key.is_empty();
            ours.then(|| Listed { key, tag: stamp::bare(object.e_tag.as_deref().unwrap_or_default()) })
        });
        Ok((listed.collect(), page.page_token))
    }

    async fn seen(&self, object: Listed) -> Result<(String, Option<Sight>), StoreError> {
        let Listed { key, tag } = object;
        if let Some(sight) = self.cache.under_tag(&key, &tag) {
            return Ok((key, Some(sight)));
        }
        let sight = self.read(Operation::List, &key).await?;
        if let Some(sight) = &sight {
            self.cache.keep(&key, sight.clone());
        }
        Ok((key, sight))
    }
}
