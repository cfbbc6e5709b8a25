//! Steps that are tried until they succeed: while a cluster elects a leader it answers nobody. Whatever is tried again is
//! known not to have happened, or is read first.

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tenure::clock::Clock;
use tenure::store::{Hint, Read, Store, StoreErrorKind, Version, Versioned, When, Written};
use tenure_stores::etcd::EtcdStore;

const TRIES: usize = 600;
const PAUSE: Duration = Duration::from_millis(100);

/// A hint that does not come by then never comes.
const GIVE_UP: Duration = Duration::from_secs(60);

/// What `key` holds.
pub(crate) async fn read(store: &EtcdStore, key: &str) -> Option<Versioned> {
    for _ in 0..TRIES {
        match store.get(key, None).await {
            Ok(Read::Found(record)) => return Some(record),
            Ok(Read::Absent) => return None,
            Ok(Read::Unchanged) => panic!("unchanged, though no version was named"),
            Err(error) => assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}"),
        }
        Clock::boot().sleep(PAUSE).await;
    }
    panic!("{key} could not be read");
}

/// Writes `value`, which must not be there yet, as a member would: what may have landed is read before it is written again.
pub(crate) async fn write(store: &EtcdStore, key: &str, value: &str) -> Version {
    for _ in 0..TRIES {
        let present = read(store, key).await;
        if let Some(record) = present.as_ref().filter(|record| record.value == value) {
            return record.version.clone();
        }
        let when = present.map_or(When::Absent, |record| When::Is(record.version));
        match store.put(key, Bytes::copy_from_slice(value.as_bytes()), when).await {
            Ok(Written::Stored(version)) => return version,
            Ok(Written::Conflict) => {}
            Err(error) => {
                let expected = [StoreErrorKind::Unavailable, StoreErrorKind::Indeterminate];
                assert!(expected.contains(&error.kind), "{error}");
            }
        }
        Clock::boot().sleep(PAUSE).await;
    }
    panic!("{key} could not be written");
}

/// Waits for a hint about `key` that brings `value`, or for one that says "anything".
pub(crate) async fn hinted(hints: &mut BoxStream<'static, Hint>, key: &str, value: &str) -> Hint {
    let clock = Clock::boot();
    let wanted = async {
        loop {
            let hint = hints.next().await.expect("hints do not end");
            let brings = hint.record.as_ref().is_some_and(|record| record.value == value);
            if hint == Hint::anything() || (hint.key.as_deref() == Some(key) && brings) {
                return hint;
            }
        }
    };
    clock.timeout(GIVE_UP, wanted).await.unwrap_or_else(|_| panic!("no hint that {key} became {value}"))
}
