//! The password is said nowhere.

use tenure_testbed::postgres::{Options, Server};
use tenure_testbed::proxy::Proxy;

use crate::heard::Heard;

const SECRET: &str = "c0rrecth0rse";
const WRONG: &str = "batterystap1e";

#[tokio::test(flavor = "multi_thread")]
async fn neither_logs_nor_errors_nor_handles_say_a_password() {
    let server = Server::start_with(Options { password: Some(SECRET.into()), ..Options::default() }).await;
    let direct = format!("127.0.0.1:{}", server.port());
    let proxy = Proxy::start(direct.parse().unwrap()).await.unwrap();
    let address = server.url().replacen(&direct, &proxy.address().to_string(), 1);
    assert!(address.contains(SECRET) && !address.contains(&direct), "{address}");
    let mut heard = Heard::from_now_on();
    heard.life(&address, &proxy).await;
    heard.refusal(&address.replacen(SECRET, WRONG, 1)).await;
    heard.assert_has_no(SECRET);
    heard.assert_has_no(WRONG);
}
