//! The rights of `deploy/kubernetes/rbac.yaml` are enough, and whoever lacks one of them is told which.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use serde_json::json;
use tenure::clock::Clock;
use tenure::store::{Hint, Read, Store, StoreError, StoreErrorKind, Version, When, Written};
use tenure::testing::{Subject, store_suite};
use tenure_core::ids::Process;
use tenure_stores::kubernetes::KubernetesStore;

use crate::proof::{ended, report};
use crate::testbed::{Access, awaited, kubectl, namespace, open, try_kubectl};

pub(crate) const RBAC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/kubernetes/rbac.yaml");

/// All that the manifest grants, on each of the two resources.
const VERBS: [&str; 6] = ["get", "list", "watch", "create", "update", "delete"];

/// Lets alice do in `namespace` what `role` allows; returns once the API server knows, which it does a moment later.
async fn bind(namespace: &str, role: &str, granted: [&str; 2]) {
    let (name, role) = (format!("alice-{role}"), format!("--role={role}"));
    kubectl(&["create", "rolebinding", &name, "-n", namespace, &role, "--user=alice"]).await;
    for _ in 0..100 {
        if try_kubectl(&["auth", "can-i", granted[0], granted[1], "-n", namespace, "--as=alice"])
            .await
            .is_ok()
        {
            return;
        }
        Clock::boot().sleep(Duration::from_millis(50)).await;
    }
    panic!("alice was granted nothing in {namespace}");
}

async fn as_the_manifest_grants() -> Subject {
    let namespace = namespace().await;
    kubectl(&["apply", "-n", &namespace, "-f", RBAC]).await;
    bind(&namespace, "tenure-member", ["create", "configmaps"]).await;
    let address = Access::of_alice().url(&namespace, "demo");
    Subject::new(open(&address).await).with_second_handle(open(&address).await)
}

store_suite!(as_the_manifest_grants);

#[tokio::test]
async fn whoever_only_looks_needs_the_onlookers_role_alone() {
    let namespace = namespace().await;
    let member = open(&Access::of_admin().url(&namespace, "demo")).await;
    for key in ["orders/meta", "orders/members/a"] {
        member.put(key, Bytes::from_static(b"first"), When::Absent).await.unwrap();
    }
    kubectl(&["apply", "-n", &namespace, "-f", RBAC]).await;
    bind(&namespace, "tenure-onlooker", ["list", "leases"]).await;
    let onlooker =
        KubernetesStore::open_existing_url(&Access::of_alice().url(&namespace, "demo")).await.unwrap();
    assert_eq!(onlooker.list("orders/").await.unwrap().len(), 2);
    assert!(matches!(onlooker.get("orders/meta", None).await.unwrap(), Read::Found(_)));
    assert_eq!(awaited(onlooker.watch("orders/members/").next()).await, Some(Hint::anything()));
    let error = onlooker.put("orders/members/b", Bytes::new(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Denied, "{error}");
}

#[tokio::test]
async fn a_witness_needs_the_right_to_read_pods_besides() {
    let namespace = namespace().await;
    kubectl(&["apply", "-n", &namespace, "-f", RBAC]).await;
    bind(&namespace, "tenure-member", ["create", "leases"]).await;
    bind(&namespace, "tenure-witness", ["watch", "pods"]).await;
    let process = Process(fastrand::u128(..));
    kubectl(&["run", "web-0", "-n", &namespace, "--image=worker", "--restart=Never"]).await;
    let ended = ended(&format!("tenure process {process}\n"));
    report(&namespace, "web-0", json!({"containerStatuses": ended})).await;
    let address = format!("{}&proof=pod", Access::of_alice().url(&namespace, "demo"));
    awaited(open(&address).await.witness().unwrap().death_of(process)).await;
}

/// A namespace in which alice may do everything but one thing.
struct Lack {
    namespace: String,
    resource: &'static str,
    verb: &'static str,
}

impl Lack {
    async fn of(verb: &'static str, resource: &'static str) -> Self {
        let namespace = namespace().await;
        let other = if resource == "leases" { "configmaps" } else { "leases" };
        for (name, resource, verbs) in [
            ("whole", other, VERBS.join(",")),
            (
                "lacking",
                resource,
                VERBS.into_iter().filter(|known| *known != verb).collect::<Vec<_>>().join(","),
            ),
        ] {
            let (verbs, resources) = (format!("--verb={verbs}"), format!("--resource={resource}"));
            kubectl(&["create", "role", name, "-n", &namespace, &verbs, &resources]).await;
        }
        kubectl(&["create", "rolebinding", "whole", "-n", &namespace, "--role=whole", "--user=alice"]).await;
        let known = if verb == "delete" { "create" } else { "delete" };
        bind(&namespace, "lacking", [known, resource]).await;
        Self { namespace, resource, verb }
    }

    fn key(&self) -> &'static str {
        if self.resource == "leases" { "orders/members/a" } else { "orders/meta" }
    }

    /// What a message must say of it.
    fn named(&self) -> String {
        let group = if self.resource == "leases" { ".coordination.k8s.io" } else { "" };
        format!("may not {} {}{group} in namespace {}", self.verb, self.resource, self.namespace)
    }

    fn address(&self, access: &Access) -> String {
        access.url(&self.namespace, "demo")
    }

    /// The record that somebody with all rights has made.
    async fn made(&self) -> Version {
        let store = open(&self.address(&Access::of_admin())).await;
        match store.put(self.key(), Bytes::from_static(b"first"), When::Absent).await.unwrap() {
            Written::Stored(version) => version,
            Written::Conflict => panic!("{} was there", self.key()),
        }
    }

    /// Does, as alice, what needs the right.
    async fn trespass(&self, version: Version) -> Result<(), StoreError> {
        let store = KubernetesStore::open_url(&self.address(&Access::of_alice())).await?;
        let value = Bytes::from_static(b"second");
        match self.verb {
            "get" => store.get(self.key(), None).await.map(drop),
            "create" => store.put(&format!("{}b", self.key()), value, When::Absent).await.map(drop),
            "update" => store.put(self.key(), value, When::Is(version)).await.map(drop),
            "delete" => store.delete(self.key(), &version).await.map(drop),
            "list" => store.list("orders/").await.map(drop),
            other => panic!("nobody asks for {other}"),
        }
    }
}

async fn a_lack_is_named(verb: &'static str) {
    for resource in ["leases", "configmaps"] {
        let lack = Lack::of(verb, resource).await;
        let error = lack.trespass(lack.made().await).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Denied, "{error}");
        assert!(error.to_string().contains(&lack.named()), "{error}");
    }
}

#[tokio::test]
async fn without_get_the_error_names_it() {
    a_lack_is_named("get").await;
}

#[tokio::test]
async fn without_list_the_error_names_it() {
    a_lack_is_named("list").await;
}

#[tokio::test]
async fn without_create_the_error_names_it() {
    a_lack_is_named("create").await;
}

#[tokio::test]
async fn without_update_the_error_names_it() {
    a_lack_is_named("update").await;
}

#[tokio::test]
async fn without_delete_the_error_names_it() {
    a_lack_is_named("delete").await;
}

/// Hints have nobody to answer to: what they lack is logged, and everything else goes on.
#[tokio::test]
async fn without_watch_the_log_names_it() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let subscriber = tracing_subscriber::fmt().with_writer(Arc::new(log.reopen().unwrap())).finish();
    let _logged = tracing::subscriber::set_default(subscriber);
    let logged = || std::fs::read_to_string(log.path()).unwrap();
    for resource in ["leases", "configmaps"] {
        let lack = Lack::of("watch", resource).await;
        let store = open(&lack.address(&Access::of_alice())).await;
        let mut hints = store.watch("orders/");
        for _ in 0..200 {
            let _ = Clock::boot().timeout(Duration::from_millis(50), hints.next()).await;
            if logged().contains(&lack.named()) {
                break;
            }
        }
        assert!(logged().contains(&lack.named()), "{}", logged());
        store.put(lack.key(), Bytes::from_static(b"first"), When::Absent).await.unwrap();
    }
}
