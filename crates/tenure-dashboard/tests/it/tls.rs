//! TLS: with a certificate of our own, a client that trusts it is answered; one that speaks plainly is not.

use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tenure_dashboard::serve::{Tls, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_util::sync::CancellationToken;

use crate::client::{Answer, Request};
use crate::testbed::Testbed;

#[tokio::test(flavor = "multi_thread")]
async fn whoever_trusts_the_certificate_is_answered_and_plain_talk_is_not() {
    let bed = Testbed::new();
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(bed.path("cert.pem"), cert.pem()).unwrap();
    std::fs::write(bed.path("key.pem"), signing_key.serialize_pem()).unwrap();
    let tls = Tls::read(&bed.path("cert.pem"), &bed.path("key.pem"), None).unwrap();
    let served = bed.dashboard().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, Some(tls), served.dashboard.router(), CancellationToken::new()));
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let stream = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    stream.write_all(Request::get("/livez").text().as_bytes()).await.unwrap();
    let mut said = Vec::new();
    // Whether the peer says goodbye properly is its own affair: the answer is here.
    let _ = stream.read_to_end(&mut said).await;
    assert_eq!(Answer::parse(&String::from_utf8(said).unwrap()).body, "alive\n");
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(Request::get("/livez").text().as_bytes()).await.unwrap();
    let mut said = Vec::new();
    let _ = plain.read_to_end(&mut said).await;
    assert!(!String::from_utf8_lossy(&said).contains("alive"));
}

#[test]
fn files_that_are_no_certificate_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cert.pem");
    std::fs::write(&path, "not PEM").unwrap();
    let error = Tls::read(&path, &path, None).unwrap_err().to_string();
    assert!(error.contains("cert.pem"), "{error}");
    assert!(Tls::read(&folder.path().join("none.pem"), &path, None).is_err());
}
