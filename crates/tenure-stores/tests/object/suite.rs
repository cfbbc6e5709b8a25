//! The store suite, on the real server, with two handles that share nothing but the bucket.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::layer::{Metered, Timeout};
use tenure::testing::{Soak, Subject, store_suite};
use tenure_stores::object::ObjectStore;

use crate::address::Address;

/// A light S3 takes one request at a time, tens of milliseconds each.
const SOAK: Soak = Soak::of(1_000);

async fn two_handles() -> Subject {
    let address = Address::fresh();
    let (store, other) = (address.open().await, address.open().await);
    Subject::new(store).with_second_handle(other).without_hints().with_hashed_versions().with_soak(SOAK)
}

store_suite!(two_handles);

mod layered {
    use super::*;

    fn layers(store: ObjectStore) -> Timeout<Metered<ObjectStore>> {
        Timeout::new(Metered::new(store, Clock::boot()), Clock::boot(), Duration::from_secs(60))
    }

    async fn as_members_use_it() -> Subject {
        let address = Address::fresh();
        let (store, other) = (layers(address.open().await), layers(address.open().await));
        Subject::new(store).with_second_handle(other).without_hints().with_hashed_versions().with_soak(SOAK)
    }

    store_suite!(as_members_use_it);
}
