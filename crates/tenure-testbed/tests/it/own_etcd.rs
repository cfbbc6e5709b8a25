//! The nodes of etcd can be killed, frozen and restarted, and what was written stays.

use tenure_testbed::etcd::{Cluster, Login, Options};

#[tokio::test]
async fn a_killed_leader_is_replaced_and_comes_back_with_its_data() {
    let mut cluster = Cluster::start().await;
    cluster.etcdctl(&["put", "colour", "green"]).await;
    let old = cluster.leader().await;
    cluster.kill(old);
    let new = cluster.leader().await;
    assert_ne!(old, new);
    cluster.restart(old).await;
    let copy = format!("--endpoints={}", cluster.endpoints()[old]);
    assert_eq!(cluster.etcdctl(&[&copy, "get", "colour", "--print-value-only"]).await, "green\n");
}

#[tokio::test]
async fn a_frozen_leader_is_replaced_too() {
    let mut cluster = Cluster::start().await;
    let old = cluster.leader().await;
    cluster.stop(old);
    assert_ne!(cluster.leader().await, old);
    cluster.thaw(old);
    assert_eq!(cluster.etcdctl(&["put", "colour", "green"]).await, "OK\n");
}

#[tokio::test]
async fn a_majority_that_was_killed_can_be_restarted() {
    let mut cluster = Cluster::start().await;
    (0..3).for_each(|node| cluster.kill(node));
    for node in 0..3 {
        cluster.restart(node).await;
    }
    assert_eq!(cluster.etcdctl(&["put", "colour", "green"]).await, "OK\n");
}

#[tokio::test]
async fn clients_show_a_certificate_and_log_in_where_that_is_asked() {
    let auth = Some(Login { user: "ada".into(), password: "secret".into() });
    let cluster = Cluster::start_with(Options { client_certs: true, auth, ..Options::default() }).await;
    assert!(cluster.certificates().unwrap().authority.is_file());
    assert_eq!(cluster.etcdctl(&["put", "colour", "green"]).await, "OK\n");
    assert!(cluster.etcdctl(&["auth", "status"]).await.contains("Authentication Status: true"));
}

#[tokio::test]
async fn what_is_dropped_is_gone() {
    let cluster = Cluster::start().await;
    let address = cluster.endpoints()[0].clone();
    assert!(tokio::net::TcpStream::connect(&address).await.is_ok());
    drop(cluster);
    assert!(tokio::net::TcpStream::connect(&address).await.is_err());
}
