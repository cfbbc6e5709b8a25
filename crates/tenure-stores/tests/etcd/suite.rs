//! The store suite, through two handles on one prefix, and through the layers that members use.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::layer::{Metered, Timeout};
use tenure::testing::{Subject, store_suite};
use tenure_stores::etcd::EtcdStore;

use crate::shared;

async fn two_handles() -> Subject {
    let address = shared::address();
    let store = EtcdStore::open_url(&address).await.unwrap();
    let other = EtcdStore::open_url(&address).await.unwrap();
    Subject::new(store).with_second_handle(other)
}

store_suite!(two_handles);

mod layered {
    use super::*;

    fn layers(store: EtcdStore) -> Timeout<Metered<EtcdStore>> {
        Timeout::new(Metered::new(store, Clock::boot()), Clock::boot(), Duration::from_secs(60))
    }

    async fn as_members_use_it() -> Subject {
        let address = shared::address();
        let store = layers(EtcdStore::open_url(&address).await.unwrap());
        let other = layers(EtcdStore::open_url(&address).await.unwrap());
        Subject::new(store).with_second_handle(other)
    }

    store_suite!(as_members_use_it);
}
