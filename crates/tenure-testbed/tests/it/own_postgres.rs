//! PostgreSQL can be killed, frozen and restarted, and what was written stays.

use tenure_testbed::postgres::{Options, Server};

#[tokio::test]
async fn a_killed_server_comes_back_with_its_data_on_the_same_port() {
    let mut server = Server::start().await;
    server.psql("create table colours (name text); insert into colours values ('green')").await;
    let port = server.port();
    server.kill();
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err());
    server.restart().await;
    assert_eq!(server.port(), port);
    assert_eq!(server.psql("select name from colours").await, "green\n");
}

#[tokio::test]
async fn a_frozen_server_goes_on_when_it_is_thawed() {
    let server = Server::start().await;
    server.stop();
    let ask = server.psql("select 1");
    let thaw = async { server.thaw() };
    assert_eq!(tokio::join!(ask, thaw).0, "1\n");
}

#[tokio::test]
async fn clients_speak_tls_and_know_a_password_where_that_is_asked() {
    let password = Some("secret".to_owned());
    let server = Server::start_with(Options { tls: true, password, ..Options::default() }).await;
    assert!(server.url().contains(":secret@"));
    let encrypted = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    assert_eq!(server.psql(encrypted).await, "t\n");
    assert!(server.certificates().unwrap().authority.is_file());
}
