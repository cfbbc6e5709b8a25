//! I7 for Kubernetes' watches and objects: whatever the API server sends is told as a hint about a key of ours, or not at all.

use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::WatchEvent;
use tenure_fuzz::Target;

use super::*;

const META: &str = r#"{"name":"demo.orders.members.web-0","namespace":"default","uid":"6b7c","resourceVersion":"41",
    "creationTimestamp":"2026-01-02T03:04:05Z","labels":{"tenure/store":"demo"},
    "annotations":{"tenure/key":"orders/members/web-0","tenure/record":"{\"v\":1}","tenure/record-base64":"eyJ2IjoxfQ=="}}"#;

/// One event of each kind.
fn events() -> Vec<String> {
    let told = |kind: &str, object: String| format!(r#"{{"type":"{kind}","object":{object}}}"#);
    let partial =
        format!(r#"{{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{META}}}"#);
    let status = r#"{"kind":"Status","status":"Failure","message":"too old","reason":"Expired","code":410}"#;
    let mark =
        r#"{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"resourceVersion":"42"}}"#;
    let changes = ["ADDED", "MODIFIED", "DELETED"].map(|kind| told(kind, partial.clone()));
    changes.into_iter().chain([told("ERROR", status.into()), told("BOOKMARK", mark.into())]).collect()
}

fn lookout() -> Lookout {
    Lookout { place: StoreObjects::new("demo".into()), prefix: "orders/".into() }
}

/// What a watch of this kind tells of an event.
fn watches<K: Kept>(bytes: &[u8]) -> bool {
    let Ok(event) = serde_json::from_slice::<WatchEvent<PartialObjectMeta<K>>>(bytes) else { return false };
    let lookout = lookout();
    let told = match event {
        WatchEvent::Added(object) | WatchEvent::Modified(object) => lookout.hint(News::Changed(object)),
        WatchEvent::Deleted(object) => lookout.hint(News::Removed(object)),
        WatchEvent::Bookmark(mark) => return !mark.metadata.resource_version.is_empty(),
        WatchEvent::Error(status) => return !status.to_string().is_empty(),
    };
    if let Some(hint) = told {
        let key = hint.key.expect("a change is about a key");
        assert!(key.starts_with(&lookout.prefix), "{key} is not asked for");
        assert!(K::IN_METADATA || hint.record.is_none(), "a record that metadata can't hold");
    }
    true
}

#[test]
fn fuzz_kubernetes_watch_of_leases() {
    Target::new("kubernetes-leases", events()).run(watches::<Lease>);
}

#[test]
fn fuzz_kubernetes_watch_of_maps() {
    Target::new("kubernetes-maps", events()).run(watches::<ConfigMap>);
}

/// What a read finds in an object.
fn holds<K: Kept>(bytes: &[u8]) -> bool {
    let Ok(object) = serde_json::from_slice::<K>(bytes) else { return false };
    let _ = (object.content(), version_of(object.meta()), lookout().place.key(object.meta()));
    true
}

#[test]
fn fuzz_kubernetes_lease() {
    let spec =
        r#"{"holderIdentity":"a#1.1","leaseDurationSeconds":10,"renewTime":"2026-01-02T03:04:05.000000Z"}"#;
    let whole = format!(
        r#"{{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{META},"spec":{spec}}}"#
    );
    Target::new("kubernetes-lease", [whole]).run(holds::<Lease>);
}

#[test]
fn fuzz_kubernetes_map() {
    let data = r#"{"record":"{\"v\":1}"},"binaryData":{"record":"eyJ2IjoxfQ=="}"#;
    let whole = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{META},"data":{data}}}"#);
    Target::new("kubernetes-map", [whole]).run(holds::<ConfigMap>);
}
