//! The API server keeps what was written over a kill, and knows who may do what.

use tenure_testbed::kubernetes::Server;

/// The server that is built from the sources as they are crashes on one.
const DEFINITION: &str = r#"{
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {"name": "colours.example.com"},
  "spec": {
    "group": "example.com",
    "names": {"kind": "Colour", "plural": "colours"},
    "scope": "Namespaced",
    "versions": [
      {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}}
    ]
  }
}"#;

#[tokio::test]
async fn a_killed_server_comes_back_with_its_data_on_the_same_port() {
    let mut server = Server::start().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), DEFINITION).unwrap();
    server.kubectl(&["create", "-f", file.path().to_str().unwrap()]).await;
    let address = server.address();
    server.kill();
    server.restart().await;
    assert_eq!(server.address(), address);
    let kept = server.kubectl(&["get", "crd", "-o", "name"]).await;
    assert_eq!(kept, "customresourcedefinition.apiextensions.k8s.io/colours.example.com\n");
}

#[tokio::test]
async fn alice_may_do_nothing_until_she_is_given_a_role() {
    let server = Server::start().await;
    let may = ["auth", "can-i", "create", "leases", "--as=alice"];
    let asked = server.try_kubectl(&may).await.unwrap_err().to_string();
    assert!(asked.lines().any(|line| line == "no"), "{asked}");
    server.kubectl(&["create", "role", "r", "--verb=create", "--resource=leases.coordination.k8s.io"]).await;
    server.kubectl(&["create", "rolebinding", "b", "--role=r", "--user=alice"]).await;
    assert_eq!(server.kubectl(&may).await, "yes\n");
    assert!(server.kubeconfig_of_alice().is_file());
}
