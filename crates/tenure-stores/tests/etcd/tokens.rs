//! Tokens end before handles do.

use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::{Cluster, Login, Options};

use crate::patient;

fn login() -> Login {
    Login { user: "root".into(), password: "pw".into() }
}

/// An address with one endpoint, for somebody who may do anything.
fn address(cluster: &Cluster, endpoint: usize) -> String {
    format!("etcd://root:pw@{}/orders", cluster.endpoints()[endpoint])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_etcd_has_forgotten_is_renewed() {
    let options = Options { auth: Some(login()), ..Options::default() };
    let mut cluster = Cluster::start_with(options).await;
    let store = EtcdStore::open_url(&address(&cluster, 0)).await.unwrap();
    patient::write(&store, "a", "before").await;
    // Tokens are kept in memory.
    cluster.kill(0);
    cluster.restart(0).await;
    patient::write(&store, "a", "after").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_can_be_enabled_under_a_handle_that_has_credentials() {
    let mut cluster = Cluster::start().await;
    let store = EtcdStore::open_url(&address(&cluster, 0)).await.unwrap();
    patient::write(&store, "a", "before").await;
    cluster.enable_auth("root", "pw").await;
    patient::write(&store, "a", "after").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_roles_ends_no_handle() {
    let options = Options { auth: Some(login()), ..Options::default() };
    let cluster = Cluster::start_with(options).await;
    let store = EtcdStore::open_url(&address(&cluster, 0)).await.unwrap();
    for number in 0..3 {
        cluster.etcdctl(&["role", "add", &format!("role-{number}")]).await;
        patient::write(&store, "a", &number.to_string()).await;
    }
}
