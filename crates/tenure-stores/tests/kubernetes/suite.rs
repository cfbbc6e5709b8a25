//! The store suite: as it is, where most keys are ConfigMaps; and with every key turned into a member's, which is a Lease.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tenure::clock::Clock;
use tenure::store::layer::{Metered, Timeout};
use tenure::store::{Entry, Hint, Read, Removed, Store, StoreError, Version, When, Written};
use tenure::testing::{Subject, store_suite};
use tenure_stores::kubernetes::KubernetesStore;

use crate::testbed::{address, open};

async fn two_handles() -> Subject {
    let address = address();
    Subject::new(open(&address).await).with_second_handle(open(&address).await)
}

store_suite!(two_handles);

mod layered {
    use super::*;

    async fn layers(address: &str) -> Timeout<Metered<KubernetesStore>> {
        let store = Metered::new(open(address).await, Clock::boot());
        Timeout::new(store, Clock::boot(), Duration::from_secs(60))
    }

    async fn as_members_use_it() -> Subject {
        let address = address();
        Subject::new(layers(&address).await).with_second_handle(layers(&address).await)
    }

    store_suite!(as_members_use_it);
}

mod members {
    use super::*;

    /// Keeps every record under `c/members/`, so that all of them are Leases.
    #[derive(Debug)]
    struct AsMembers(KubernetesStore);

    const UNDER: &str = "c/members/";

    fn under(key: &str) -> String {
        format!("{UNDER}{key}")
    }

    fn above(key: &str) -> String {
        key.strip_prefix(UNDER).unwrap().into()
    }

    #[async_trait]
    impl Store for AsMembers {
        fn kind(&self) -> &'static str {
            self.0.kind()
        }

        async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
            self.0.get(&under(key), unless).await
        }

        async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
            self.0.put(&under(key), value, when).await
        }

        async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
            self.0.delete(&under(key), version).await
        }

        async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
            let entries = self.0.list(&under(prefix)).await?;
            Ok(entries.into_iter().map(|entry| Entry { key: above(&entry.key), ..entry }).collect())
        }

        fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
            let hints = self.0.watch(&under(prefix));
            hints.map(|hint| Hint { key: hint.key.map(|key| above(&key)), ..hint }).boxed()
        }
    }

    async fn as_members() -> Subject {
        let address = address();
        let other = AsMembers(open(&address).await);
        Subject::new(AsMembers(open(&address).await)).with_second_handle(other)
    }

    // All rules but one: a Lease holds no large value.
    store_suite! { @tests as_members:
        a_create_refuses_a_key_that_exists,
        a_replace_needs_the_very_version,
        a_stale_version_is_refused,
        a_version_of_nothing_is_refused,
        a_refused_write_changes_nothing,
        a_removal_needs_the_very_version,
        a_removed_key_can_be_created_again,
        no_version_comes_back_after_a_removal,
        a_read_of_nothing_is_absent,
        a_read_of_the_known_version_is_not_another,
        a_read_with_an_old_version_brings_the_new_content,
        a_write_is_read_at_once_through_another_handle,
        a_list_is_in_the_order_of_keys,
        a_list_shows_its_prefix_alone,
        a_list_brings_whole_records,
        a_list_of_nothing_is_empty,
        a_list_of_many_is_whole,
        a_list_misses_no_key_that_stays,
        of_racing_creates_one_wins,
        of_racing_replaces_one_wins,
        of_racing_removals_and_replaces_one_wins,
        any_bytes_come_back,
        keys_with_dots_and_dashes_are_kept_apart,
        a_hint_follows_a_change_through_another_handle,
        hints_go_on_for_as_long_as_one_watches,
        a_dropped_call_leaves_the_store_usable,
        thousands_of_calls_make_sense_together,
    }
}

/// The API server takes a write that changes nothing for done and leaves the version as it is. Then whoever else has that
/// version may replace it too, and two have won.
#[tokio::test]
async fn a_write_of_the_same_content_takes_the_version_all_the_same() {
    let store = open(&address()).await;
    for key in ["orders/meta", "orders/members/a"] {
        let Written::Stored(first) = store.put(key, "same".into(), When::Absent).await.unwrap() else {
            panic!("{key} was there")
        };
        let again = store.put(key, "same".into(), When::Is(first.clone())).await.unwrap();
        assert!(matches!(again, Written::Stored(second) if second != first));
        assert_eq!(store.put(key, "other".into(), When::Is(first)).await.unwrap(), Written::Conflict);
    }
}
