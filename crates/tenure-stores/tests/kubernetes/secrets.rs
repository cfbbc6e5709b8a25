//! The token is said nowhere.

use tenure_testbed::proxy::Proxy;

use crate::heard::Heard;
use crate::testbed::{Access, own_name};

/// The token of the user who may do anything on the shared server.
const TOKEN: &str = "admin-token";
const WRONG: &str = "batterystap1e";

#[tokio::test(flavor = "multi_thread")]
async fn neither_logs_nor_errors_nor_handles_say_a_token() {
    let direct = Access::of_admin();
    let proxy = Proxy::start(direct.server()).await.unwrap();
    let (known, unknown) = (direct.towards(proxy.address()), direct.changed(TOKEN, WRONG));
    let mut heard = Heard::from_now_on();
    heard.life(&known.url("default", &own_name()), &proxy).await;
    heard.refusal(&unknown.url("default", &own_name())).await;
    heard.assert_has_no(TOKEN);
    heard.assert_has_no(WRONG);
}
