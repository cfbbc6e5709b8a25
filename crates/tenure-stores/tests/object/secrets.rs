//! Neither the secret of a key nor a session's token is said anywhere.

use tenure_testbed::proxy::Proxy;

use crate::address::Address;
use crate::heard::Heard;
use crate::scripted::{Answer, Scripted};

const TOKEN: &str = "batterystap1e";

/// The shared server may be one that takes any key, so it is another that refuses.
#[tokio::test(flavor = "multi_thread")]
async fn neither_logs_nor_errors_nor_handles_say_a_secret() {
    let address = Address::fresh();
    let proxy = Proxy::start(address.server()).await.unwrap();
    let refused = "<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>";
    let strict = Scripted::start(move |_| Answer::say(403, refused)).await;
    let mut heard = Heard::from_now_on();
    heard.life(address.by_way_of(proxy.address()).as_str(), &proxy).await;
    let wrong = Address::of(strict.address()).with("secret_access_key", &address.secret());
    heard.refusal(wrong.with("session_token", TOKEN).as_str()).await;
    heard.assert_has_no(&address.secret());
    heard.assert_has_no(TOKEN);
}
