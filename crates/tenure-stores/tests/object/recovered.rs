//! Objects copied out of a bucket and back in.

use std::time::Duration;

use tenure::store::Entry;
use tenure_stores::object::ObjectStore;

use crate::address::Address;
use crate::restored::{Restorable, copied_in, copied_out, recovers};

struct Bucket {
    address: Address,
    copy: Vec<Entry>,
}

impl Restorable for Bucket {
    type Store = ObjectStore;

    async fn open(&self) -> ObjectStore {
        self.address.open().await
    }

    async fn back_up(&mut self) {
        self.copy = copied_out(&self.open().await).await;
    }

    async fn restore(&mut self) {
        // An empty place, as one is after all was lost.
        self.address = Address::fresh();
        copied_in(&self.open().await, &self.copy).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_were_copied_back_are_recovered() {
    recovers(Bucket { address: Address::fresh(), copy: Vec::new() }, Duration::from_secs(6)).await;
}
