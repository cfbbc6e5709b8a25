//! Records copied out of an API server and back in, over what is there.

use std::time::Duration;

use tenure::store::Entry;
use tenure_stores::kubernetes::KubernetesStore;

use crate::bed::{address, open};
use crate::restored::{Restorable, copied_in, copied_out, recovers};

struct Space {
    address: String,
    copy: Vec<Entry>,
}

impl Restorable for Space {
    type Store = KubernetesStore;

    async fn open(&self) -> KubernetesStore {
        open(&self.address).await
    }

    async fn back_up(&mut self) {
        self.copy = copied_out(&self.open().await).await;
    }

    async fn restore(&mut self) {
        self.address = address();
        copied_in(&self.open().await, &self.copy).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn records_that_were_copied_back_are_recovered() {
    recovers(Space { address: address(), copy: Vec::new() }, Duration::from_secs(4)).await;
}
