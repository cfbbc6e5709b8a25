//! Encrypted connections: each sslmode means what PostgreSQL's users know it to mean.

use std::path::Path;

use tenure::store::{StoreErrorKind, When};
use tenure_testbed::postgres::{Options, Server};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

use crate::address::{open, refusal, stored};

async fn encrypting() -> Server {
    Server::start_with(Options { tls: true, ..Options::default() }).await
}

/// The address by a name that the certificate is made out to, or is not.
fn by(server: &Server, host: &str, query: &str) -> String {
    format!("{}?{query}", server.url().replacen("127.0.0.1", host, 1))
}

fn authority(server: &Server) -> String {
    server.certificates().expect("it encrypts").authority.display().to_string()
}

async fn is_encrypted(server: &Server) -> bool {
    let sql = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
               WHERE application_name = 'tenure'";
    server.psql(sql).await.trim() == "t"
}

#[tokio::test]
async fn a_server_that_offers_encryption_is_encrypted_to_unless_that_is_switched_off() {
    let server = encrypting().await;
    for (query, encrypted) in
        [("", true), ("sslmode=prefer", true), ("sslmode=require", true), ("sslmode=disable", false)]
    {
        let store = open(&by(&server, "127.0.0.1", query)).await;
        assert_eq!(is_encrypted(&server).await, encrypted, "{query}");
        drop(store);
        crate::address::until("the connection is closed", async || {
            let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tenure'";
            server.psql(sql).await.trim() == "0"
        })
        .await;
    }
}

#[tokio::test]
async fn a_certificate_of_a_known_authority_and_the_right_name_is_taken() {
    let server = encrypting().await;
    let store =
        open(&by(&server, "localhost", &format!("sslmode=verify-full&sslrootcert={}", authority(&server))))
            .await;
    stored(&store, "a", "one", When::Absent).await;
    assert!(is_encrypted(&server).await);
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_is_refused_where_it_is_looked_at() {
    let server = encrypting().await;
    for query in ["sslmode=verify-full", "sslmode=verify-ca"] {
        let error = refusal(&by(&server, "127.0.0.1", query)).await;
        assert_eq!(error.kind, StoreErrorKind::Unavailable);
        assert!(error.to_string().contains("sslrootcert"), "{error}");
    }
}

#[tokio::test]
async fn naming_an_authority_makes_require_look_at_it() {
    let (server, other) = (encrypting().await, encrypting().await);
    let stranger = format!("sslmode=require&sslrootcert={}", authority(&other));
    assert!(
        refusal(&by(&server, "127.0.0.1", &stranger))
            .await
            .to_string()
            .contains("encrypted connection failed")
    );
    open(&by(&server, "127.0.0.1", &format!("sslmode=require&sslrootcert={}", authority(&server)))).await;
}

/// The same server by another address of the loopback, to which its certificate is not made out.
async fn elsewhere(server: &Server) -> String {
    let listener = TcpListener::bind("127.0.0.2:0").await.expect("a port");
    let (address, upstream) =
        (listener.local_addr().expect("an address"), format!("127.0.0.1:{}", server.port()));
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut server = TcpStream::connect(&upstream).await.expect("the server");
            tokio::spawn(async move { copy_bidirectional(&mut client, &mut server).await });
        }
    });
    server.url().replacen(&format!("127.0.0.1:{}", server.port()), &address.to_string(), 1)
}

#[tokio::test]
async fn a_certificate_made_out_to_another_name_is_taken_only_by_verify_ca() {
    let server = encrypting().await;
    let (address, root) = (elsewhere(&server).await, authority(&server));
    let error = refusal(&format!("{address}?sslmode=verify-full&sslrootcert={root}")).await;
    assert!(error.to_string().contains("the encrypted connection failed"), "{error}");
    let store = open(&format!("{address}?sslmode=verify-ca&sslrootcert={root}")).await;
    stored(&store, "a", "one", When::Absent).await;
    assert!(is_encrypted(&server).await);
}

#[tokio::test]
async fn a_server_without_encryption_is_refused_where_it_is_required() {
    let server = Server::start().await;
    let error = refusal(&by(&server, "127.0.0.1", "sslmode=require")).await;
    assert!(error.to_string().contains("the encrypted connection failed"), "{error}");
    open(&by(&server, "127.0.0.1", "sslmode=prefer")).await;
}

#[tokio::test]
async fn a_client_is_let_in_by_its_certificate() {
    let server = encrypting().await;
    let made = server.certificates().unwrap();
    let (certificate, key) = (made.client.display(), made.client_key.display());
    let query =
        format!("sslmode=verify-full&sslrootcert={}&sslcert={certificate}&sslkey={key}", authority(&server));
    let store = open(&by(&server, "localhost", &query)).await;
    stored(&store, "a", "one", When::Absent).await;
    let sql = "SELECT DISTINCT client_dn FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
               WHERE application_name = 'tenure'";
    assert!(server.psql(sql).await.contains("client"), "the server saw the certificate");
}

#[tokio::test]
async fn a_file_that_can_t_be_read_is_named() {
    let missing = Path::new("/nowhere/root.pem");
    let error =
        refusal(&format!("postgres://me@localhost/x?sslmode=verify-full&sslrootcert={}", missing.display()))
            .await;
    assert_eq!(error.kind, StoreErrorKind::Invalid);
    assert!(error.to_string().contains("/nowhere/root.pem"), "{error}");
}
