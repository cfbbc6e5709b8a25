//! What a user is told who can't get in.

use tenure::store::{StoreError, StoreErrorKind};
use tenure_testbed::postgres::{Options, Server};

use crate::address::{of_its_own, open, refusal};

const SECRET: &str = "correct-horse";

fn says(error: &StoreError, kind: StoreErrorKind, words: &[&str]) {
    assert_eq!(error.kind, kind, "{error}");
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "{word:?} is not in: {text}");
    }
}

async fn guarded() -> Server {
    Server::start_with(Options { password: Some(SECRET.into()), ..Options::default() }).await
}

#[tokio::test]
async fn a_wrong_password_is_called_that_and_never_repeated() {
    let server = guarded().await;
    let address = server.url().replace(SECRET, "battery-staple");
    let error = refusal(&address).await;
    says(&error, StoreErrorKind::Denied, &["password", "\"postgres\"", "PGPASSWORD"]);
    let all = format!("{error} {error:?}");
    assert!(!all.contains("battery-staple"), "{all}");
}

#[tokio::test]
async fn a_missing_password_is_asked_for() {
    let server = guarded().await;
    let error = refusal(&server.url().replace(&format!(":{SECRET}"), "")).await;
    says(&error, StoreErrorKind::Denied, &["give it a password"]);
}

#[tokio::test]
async fn a_password_opens_and_is_not_shown() {
    let server = guarded().await;
    let store = open(&server.url()).await;
    assert!(!format!("{store:?}").contains(SECRET));
}

#[tokio::test]
async fn a_user_that_does_not_exist_is_named() {
    let error = refusal(&of_its_own().replacen("postgres@", "nobody_at_all@", 1)).await;
    says(&error, StoreErrorKind::Denied, &["\"nobody_at_all\"", "pg_hba.conf"]);
}

#[tokio::test]
async fn a_database_that_does_not_exist_is_named() {
    let error = refusal(&of_its_own().replacen("/tenure?", "/nothing_here?", 1)).await;
    says(&error, StoreErrorKind::Invalid, &["no database \"nothing_here\"", "create it"]);
}

#[tokio::test]
async fn a_host_that_can_t_be_reached_is_named() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = refusal(&format!("postgres://me:{SECRET}@{closed}/x")).await;
    says(&error, StoreErrorKind::Unavailable, &[&closed.to_string(), "can't be reached"]);
    assert!(!format!("{error} {error:?}").contains(SECRET));
}

#[tokio::test]
async fn a_host_that_does_not_exist_is_named() {
    let error = refusal("postgres://me@no-such-host.invalid/x").await;
    says(&error, StoreErrorKind::Unavailable, &["no-such-host.invalid:5432"]);
}

#[tokio::test]
async fn a_host_that_never_answers_is_given_up() {
    // It takes connections, and says nothing.
    let mute = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = mute.local_addr().unwrap();
    let error = refusal(&format!("postgres://me@{address}/x?connect_timeout=1")).await;
    says(&error, StoreErrorKind::Unavailable, &["did not let us in within 1s"]);
}

#[tokio::test]
async fn of_several_servers_every_failure_is_told() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = refusal(&format!("postgres://me@{closed},no-such-host.invalid/x")).await;
    says(&error, StoreErrorKind::Unavailable, &[&closed.to_string(), "no-such-host.invalid"]);
}

#[tokio::test]
async fn a_server_that_can_only_be_read_is_refused() {
    let server = Server::start().await;
    server.psql("ALTER DATABASE tenure SET default_transaction_read_only = on").await;
    let error = refusal(&server.url()).await;
    says(&error, StoreErrorKind::Unavailable, &["default_transaction_read_only"]);
}

#[tokio::test]
async fn a_server_without_a_connection_left_says_so() {
    let server = Server::start().await;
    server.psql("CREATE ROLE busy LOGIN CONNECTION LIMIT 0").await;
    let error = refusal(&server.url().replacen("postgres@", "busy@", 1)).await;
    says(&error, StoreErrorKind::Unavailable, &["no connection left"]);
}
