//! Leases and ConfigMaps saved by kubectl, and created again after all were deleted.

use std::time::Duration;

use serde_json::Value;
use tenure_stores::kubernetes::KubernetesStore;

use crate::restored::{Restorable, recovers};
use crate::testbed::{Access, kubectl, namespace, open};

struct Space {
    name: String,
    saved: tempfile::NamedTempFile,
}

impl Restorable for Space {
    type Store = KubernetesStore;

    async fn open(&self) -> KubernetesStore {
        open(&Access::of_admin().url(&self.name, "orders")).await
    }

    async fn back_up(&mut self) {
        let all = kubectl(&["-n", &self.name, "get", "configmaps,leases", "-o", "json"]).await;
        let mut all: Value = serde_json::from_str(&all).unwrap();
        for one in all["items"].as_array_mut().unwrap() {
            let about = one["metadata"].as_object_mut().unwrap();
            let of_the_server = ["uid", "resourceVersion", "creationTimestamp", "managedFields"];
            about.retain(|name, _| !of_the_server.contains(&name.as_str()));
        }
        std::fs::write(self.saved.path(), all.to_string()).unwrap();
    }

    async fn restore(&mut self) {
        kubectl(&["-n", &self.name, "delete", "configmaps,leases", "--all"]).await;
        kubectl(&["-n", &self.name, "create", "-f", self.saved.path().to_str().unwrap()]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_that_were_created_again_are_recovered() {
    let space = Space { name: namespace().await, saved: tempfile::NamedTempFile::new().unwrap() };
    recovers(space, Duration::from_secs(4)).await;
}
