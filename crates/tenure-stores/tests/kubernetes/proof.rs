//! Proofs of death by what a kubelet reports. There is no kubelet here: the tests write to the API server what it would.

use std::path::Path;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::{Value, json};
use tenure::store::{Store, Witness};
use tenure_core::ids::Process;

use crate::testbed::{Access, awaited, kubectl, open, own_name};

/// A namespace with Pods, and a witness of their ends.
struct Ward {
    namespace: String,
    witness: Arc<dyn Witness>,
}

async fn ward(termination_log: &Path) -> Ward {
    let namespace = own_name();
    kubectl(&["create", "namespace", &namespace]).await;
    let address = format!(
        "{}&proof=pod&termination_log={}",
        Access::of_admin().url(&namespace, "demo"),
        termination_log.display()
    );
    Ward { witness: open(&address).await.witness().unwrap(), namespace }
}

impl Ward {
    async fn pod(&self, name: &str) {
        let args = ["run", name, "-n", &self.namespace, "--image=worker", "--restart=Never"];
        kubectl(&args).await;
    }

    async fn report(&self, name: &str, status: Value) {
        report(&self.namespace, name, status).await;
    }

    async fn is_told(&self, process: Process) -> bool {
        self.witness.death_of(process).now_or_never().is_some()
    }
}

/// Writes what a kubelet would.
pub(crate) async fn report(namespace: &str, pod: &str, status: Value) {
    let patch = json!({"status": status}).to_string();
    kubectl(&["patch", "pod", pod, "-n", namespace, "--subresource=status", "--type=merge", "-p", &patch])
        .await;
}

fn container(state: Value) -> Value {
    json!([{"name": "worker", "ready": false, "restartCount": 0, "image": "", "imageID": "", "state": state}])
}

pub(crate) fn ended(message: &str) -> Value {
    container(json!({"terminated": {"exitCode": 137, "containerID": "containerd://1", "message": message}}))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_container_is_proof_and_nothing_else_is() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let ward = ward(log.path()).await;
    let (one, other) = (Process(fastrand::u128(..)), Process(fastrand::u128(..)));
    let _held = ward.witness.register(one).await.unwrap();
    let word = std::fs::read_to_string(log.path()).unwrap();
    ward.pod("one").await;
    ward.pod("other").await;

    // Whoever else writes about a Pod proves nothing, and neither does a kubelet that lost sight of the container.
    let lost = container(
        json!({"terminated": {"exitCode": 137, "reason": "ContainerStatusUnknown", "message": word}}),
    );
    ward.report("one", json!({"phase": "Failed", "reason": "NodeLost"})).await;
    ward.report("one", json!({"containerStatuses": lost})).await;
    ward.report(
        "other",
        json!({"containerStatuses": ended(&word.replace(&one.to_string(), &other.to_string()))}),
    )
    .await;
    awaited(ward.witness.death_of(other)).await;
    assert!(!ward.is_told(one).await, "the end was told before the kubelet had reported it");

    ward.report("one", json!({"containerStatuses": ended(&word)})).await;
    awaited(ward.witness.death_of(one)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_death_before_anybody_watched_is_told_as_well() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let ward = ward(log.path()).await;
    let process = Process(fastrand::u128(..));
    let _held = ward.witness.register(process).await.unwrap();
    ward.pod("one").await;
    let word = std::fs::read_to_string(log.path()).unwrap();
    ward.report("one", json!({"containerStatuses": ended(&word)})).await;
    awaited(ward.witness.death_of(process)).await;
}

#[tokio::test]
async fn a_process_outside_of_a_container_is_told_what_is_missing() {
    let ward = ward(Path::new("/nowhere/termination-log")).await;
    let error = ward.witness.register(Process(1)).await.unwrap_err().to_string();
    assert!(
        error.contains("/nowhere/termination-log") && error.contains("terminationMessagePath"),
        "{error}"
    );
}

#[tokio::test]
async fn without_being_asked_for_there_is_no_witness() {
    assert!(open(&crate::testbed::address()).await.witness().is_none());
}
