//! The manifests in `deploy/kubernetes` are such as an API server takes, and fit one another.

use serde_json::{Deserializer, Value};

use crate::testbed::{kubectl, namespace};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/kubernetes");

/// What the API server would make of each document of a file; it judges them as ever, and creates nothing.
async fn made_of(file: &str) -> Vec<Value> {
    let (path, namespace) = (format!("{FOLDER}/{file}"), namespace().await);
    let made = kubectl(&["create", "--dry-run=server", "-n", &namespace, "-f", &path, "-o", "json"]).await;
    let made: Vec<Value> = Deserializer::from_str(&made).into_iter().map(Result::unwrap).collect();
    let documents = std::fs::read_to_string(&path).unwrap().split("\n---\n").count();
    assert_eq!(made.len(), documents, "{made:?}");
    assert!(made.iter().all(|document| document["metadata"]["namespace"] == *namespace), "{made:?}");
    made
}

/// The names of all documents of one kind.
fn names<'a>(documents: &'a [Value], kind: &str) -> Vec<&'a str> {
    let wanted = documents.iter().filter(|document| document["kind"] == *kind);
    wanted.map(|document| document["metadata"]["name"].as_str().unwrap()).collect()
}

/// The one document of a file that makes Pods is of this kind, and they run as somebody who may be a member.
async fn assert_runs_members(file: &str, kind: &str) {
    let (made, rbac) = (made_of(file).await, made_of("rbac.yaml").await);
    assert_eq!(names(&made, kind), ["worker"]);
    let account = made[0]["spec"]["template"]["spec"]["serviceAccountName"].as_str().unwrap();
    assert_eq!(names(&rbac, "ServiceAccount"), [account]);
    let binding = rbac.iter().find(|document| document["kind"] == "RoleBinding").unwrap();
    assert_eq!(binding["subjects"][0]["kind"], "ServiceAccount");
    assert_eq!(binding["subjects"][0]["name"], account);
}

#[tokio::test]
async fn a_deployment_is_taken_and_its_pods_may_be_members() {
    assert_runs_members("deployment.yaml", "Deployment").await;
}

#[tokio::test]
async fn a_stateful_set_is_taken_and_its_pods_may_be_members() {
    assert_runs_members("statefulset.yaml", "StatefulSet").await;
}

#[tokio::test]
async fn the_rights_are_taken_and_the_binding_names_the_members_role() {
    let rbac = made_of("rbac.yaml").await;
    assert_eq!(names(&rbac, "Role"), ["tenure-member", "tenure-onlooker", "tenure-witness"]);
    let binding = rbac.iter().find(|document| document["kind"] == "RoleBinding").unwrap();
    assert_eq!(binding["roleRef"]["kind"], "Role");
    assert_eq!(binding["roleRef"]["name"], "tenure-member");
}

#[tokio::test]
async fn a_manifest_with_a_mistake_would_not_be_taken() {
    let (folder, namespace) = (tempfile::tempdir().unwrap(), namespace().await);
    let path = folder.path().join("deployment.yaml");
    let text = std::fs::read_to_string(format!("{FOLDER}/deployment.yaml")).unwrap();
    std::fs::write(&path, text.replacen("replicas: 4", "replicas: many", 1)).unwrap();
    let args = ["create", "--dry-run=server", "-n", &namespace, "-f", path.to_str().unwrap()];
    let said = crate::testbed::try_kubectl(&args).await.unwrap_err();
    assert!(said.contains("replicas"), "{said}");
}
