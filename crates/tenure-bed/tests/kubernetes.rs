//! The API server keeps what was written over a kill, and knows who may do what.

use tenure_bed::kubernetes::Server;

#[tokio::test]
async fn a_killed_server_comes_back_with_its_data_on_the_same_port() {
    let mut server = Server::start().await;
    server.make_namespace("colours").await;
    let address = server.address();
    server.kill();
    server.restart().await;
    assert_eq!(server.address(), address);
    assert_eq!(server.kubectl(&["get", "namespace", "colours", "-o", "name"]).await, "namespace/colours\n");
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
