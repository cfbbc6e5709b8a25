//! The password is said nowhere.

use tenure_testbed::etcd::{Cluster, Login, Options};
use tenure_testbed::proxy::Proxy;

use crate::heard::Heard;

const SECRET: &str = "c0rrecth0rse";
const WRONG: &str = "batterystap1e";

#[tokio::test(flavor = "multi_thread")]
async fn neither_logs_nor_errors_nor_handles_say_a_password() {
    let login = Login { user: "root".into(), password: SECRET.into() };
    let cluster = Cluster::start_with(Options { auth: Some(login), ..Options::default() }).await;
    let proxy = Proxy::start(cluster.endpoints()[0].parse().unwrap()).await.unwrap();
    let address = |password| format!("etcd://root:{password}@{}/orders", proxy.address());
    let mut heard = Heard::from_now_on();
    heard.life(&address(SECRET), &proxy).await;
    heard.refusal(&address(WRONG)).await;
    heard.assert_has_no(SECRET);
    heard.assert_has_no(WRONG);
}
