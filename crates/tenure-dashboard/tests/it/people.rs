//! People: who may look, act and fence; with tokens, certificates and trusted proxies; and that every deed is told to its end.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderName;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::json;
use tenure_dashboard::serve::{Tls, serve};
use tenure_dashboard::{AuditLog, Keyring, Proxies, Reading};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_util::sync::CancellationToken;

use crate::client::{Answer, Request};
use crate::testbed::{Served, TOKEN, Testbed, gate, member};

const PEOPLE: &str = "
ann aaaaaaaaaaaaaaaa role=viewer
bob bbbbbbbbbbbbbbbb role=operator
cat cccccccccccccccc role=admin
dan dddddddddddddddd role=admin clusters=bills
old oooooooooooooooo role=admin until=2001-01-01
";

/// Asks with the token of the person whose name begins with this letter.
async fn by(served: &Served, letter: &str, request: Request) -> Answer {
    request.with("authorization", &format!("Bearer {}", letter.repeat(16))).send(served.address).await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_do_its_own() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.served(|builder| builder.gate(gate(PEOPLE))).await;
    served.settled(1).await;
    let drain = || Request::post("/api/v1/members/ada/drain", r#"{"why": "x"}"#);
    let fence = || Request::post("/api/v1/members/ada/fence", r#"{"why": "x", "let_return": true}"#);
    for (letter, may_drain, may_fence) in
        [("a", 403, 403), ("b", 200, 403), ("c", 200, 200), ("d", 403, 403), ("o", 401, 401)]
    {
        assert_eq!(by(&served, letter, drain()).await.status, may_drain, "{letter}");
        assert_eq!(by(&served, letter, fence()).await.status, may_fence, "{letter}");
    }
    let told = by(&served, "b", fence()).await.json();
    assert_eq!(told["message"], "that needs the role admin; bob is operator");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_reading_is_for_named_people_only_the_page_and_the_probes_are_free() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.served(|builder| builder.gate(gate(PEOPLE).reading(Reading::Named))).await;
    let asked = [
        "/api/v1/picture",
        "/api/v1/timeline",
        "/api/v1/health",
        "/api/v1/stream",
        "/api/v1/me",
        "/metrics",
        "/nowhere",
    ];
    for path in asked {
        assert_eq!(served.get(path).await.problem(), (401, "unauthorised".into()), "{path}");
    }
    assert_eq!(served.ask("/api/v1/plan", "{}").await.status, 401);
    for path in ["/", "/assets/js/main.js", "/livez"] {
        assert_eq!(served.get(path).await.status, 200, "{path}");
    }
    assert_ne!(served.get("/readyz").await.status, 401);
    for path in ["/api/v1/picture", "/api/v1/timeline", "/api/v1/health", "/metrics"] {
        assert_eq!(by(&served, "a", Request::get(path)).await.status, 200, "{path}");
    }
    assert_eq!(
        by(&served, "a", Request::get("/api/v1/me")).await.well(),
        json!({"name": "ann", "role": "viewer"})
    );
    let public = gate(PEOPLE).reading(Reading::Named).public_figures(true);
    let public = bed.served(|builder| builder.gate(public)).await;
    assert_eq!(public.get("/metrics").await.status, 200);
    assert_eq!(public.get("/api/v1/picture").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_are_braked_and_probes_are_not() {
    let bed = Testbed::new();
    let served = bed.dashboard().await;
    let guess = || Request::get("/api/v1/me").with("authorization", "Bearer no-such-token-here");
    let mut statuses = Vec::new();
    for _ in 0..7 {
        statuses.push(guess().send(served.address).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429]);
    let mine = Request::get("/api/v1/me").with("authorization", &format!("Bearer {TOKEN}"));
    assert_eq!(mine.send(served.address).await.problem(), (429, "too_many".into()));
    for path in ["/livez", "/metrics", "/api/v1/picture"] {
        assert_eq!(served.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_file_that_changes_counts_without_a_restart() {
    let bed = Testbed::new();
    let path = bed.path("tokens");
    let write = |text: &str| {
        std::fs::write(bed.path("new"), text).unwrap();
        std::fs::set_permissions(bed.path("new"), PermissionsExt::from_mode(0o600)).unwrap();
        std::fs::rename(bed.path("new"), &path).unwrap();
    };
    write("eve 0123456789abcdef\n");
    let keys = Keyring::open(&path).unwrap();
    let served = bed
        .served(|builder| builder.gate(tenure_dashboard::Gate::new("orders".parse().unwrap()).keys(keys)))
        .await;
    assert_eq!(by(&served, "z", Request::get("/api/v1/me")).await.status, 401);
    write("zoe zzzzzzzzzzzzzzzz\n");
    while by(&served, "z", Request::get("/api/v1/me")).await.status != 200 {
        tenure::clock::Clock::boot().sleep(Duration::from_millis(200)).await;
        // The brake is for guesses; here nobody guesses.
        write("zoe zzzzzzzzzzzzzzzz\n");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deed_is_told_to_its_end_although_whoever_asked_has_hung_up() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let audit = AuditLog::open(&bed.path("audit.jsonl")).unwrap();
    let people = gate(&format!("eve {TOKEN}"));
    let served = bed.served(|builder| builder.gate(people).audit_log(audit)).await;
    served.settled(1).await;
    let drain = Request::post("/api/v1/members/ada/drain", r#"{"why": "x"}"#);
    let drain = drain.with("authorization", &format!("Bearer {TOKEN}"));
    // The store does not answer the dashboard until the client has hung up.
    served.outage.begin();
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream.write_all(drain.text().as_bytes()).await.unwrap();
    while bed.audit().is_empty() {
        tenure::clock::Clock::boot().sleep(Duration::from_millis(5)).await;
    }
    drop(stream);
    served.outage.end();
    served.dashboard.settled().await;
    let stages: Vec<_> = bed.audit().iter().map(|line| line["stage"].clone()).collect();
    assert_eq!(stages.len(), 2, "{stages:?}");
    assert!(stages[0] == "asked" && (stages[1] == "done" || stages[1] == "refused"), "{stages:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deed_is_written_into_the_store_with_what_came_of_it() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.dashboard().await;
    served.settled(1).await;
    served.act("/api/v1/members/ada/drain", r#"{"why": "new disk"}"#).await.well();
    assert_eq!(served.act("/api/v1/members/zoe/drain", r#"{"why": "a slip"}"#).await.status, 409);
    let mut cluster =
        tenure::Cluster::find(bed.store().await, &"orders".parse().unwrap()).await.unwrap().unwrap();
    let acts = cluster.acts().await.unwrap();
    let told: Vec<_> = acts
        .iter()
        .map(|act| (act.who.as_str(), act.by.as_str(), act.what.as_str(), act.why.as_str()))
        .collect();
    assert_eq!(
        told,
        [("eve", "dashboard", "drain ada", "new disk"), ("eve", "dashboard", "drain zoe", "a slip")]
    );
    assert_eq!(acts[0].came, Some(tenure::cluster::Came::Done));
    assert!(
        matches!(&acts[1].came, Some(tenure::cluster::Came::Refused(why)) if why.contains("zoe")),
        "{acts:?}"
    );
    served.until(|picture| member(picture, "ada")["drained"] == true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_is_listed_names_who_asks() {
    let bed = Testbed::new();
    let proxies =
        |network: &str| Proxies::new(vec![network.parse().unwrap()], HeaderName::from_static("x-user"));
    let people = "pia @proxy role=viewer\neve 0123456789abcdef\n";
    let listed = bed.served(|builder| builder.gate(gate(people).proxies(proxies("127.0.0.0/8")))).await;
    let other = bed.served(|builder| builder.gate(gate(people).proxies(proxies("10.0.0.0/8")))).await;
    let me = |name: &str| Request::get("/api/v1/me").with("x-user", name);
    assert_eq!(me("pia").send(listed.address).await.well()["name"], "pia");
    assert_eq!(me("eve").send(listed.address).await.status, 401, "eve proves who she is by a token");
    assert_eq!(me("pia").send(other.address).await.status, 401);
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut about = CertificateParams::new(Vec::new()).unwrap();
    about.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(about, KeyPair::generate().unwrap()).unwrap()
}

fn issued(by: &CertifiedIssuer<'static, KeyPair>, name: &str) -> (rcgen::Certificate, KeyPair) {
    let key = KeyPair::generate().unwrap();
    (CertificateParams::new([name.to_owned()]).unwrap().signed_by(&key, by).unwrap(), key)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_of_the_trusted_authority_says_who_asks_and_none_is_needed_for_probes() {
    let bed = Testbed::new();
    let (ours, theirs) = (authority(), authority());
    let (certificate, key) = issued(&ours, "localhost");
    for (name, text) in
        [("cert.pem", certificate.pem()), ("key.pem", key.serialize_pem()), ("ca.pem", ours.pem())]
    {
        std::fs::write(bed.path(name), text).unwrap();
    }
    let tls = Tls::read(&bed.path("cert.pem"), &bed.path("key.pem"), Some(&bed.path("ca.pem"))).unwrap();
    let people = gate("zoe @certificate role=viewer\n").reading(Reading::Named);
    let served = bed.served(|builder| builder.gate(people)).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, Some(tls), served.dashboard.router(), CancellationToken::new()));
    let asked = async |shown: Option<(rcgen::Certificate, KeyPair)>, path: &str| {
        let mut roots = RootCertStore::empty();
        roots.add(ours.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(roots);
        let config = match shown {
            None => config.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = vec![CertificateDer::from(certificate.der().to_vec())];
                config
                    .with_client_auth_cert(chain, PrivateKeyDer::try_from(key.serialize_der()).unwrap())
                    .unwrap()
            }
        };
        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.ok()?;
        stream.write_all(Request::get(path).text().as_bytes()).await.ok()?;
        let mut said = Vec::new();
        // Whether the peer says goodbye properly is its own affair.
        let _ = stream.read_to_end(&mut said).await;
        (!said.is_empty()).then(|| Answer::parse(&String::from_utf8(said).unwrap()).status)
    };
    assert_eq!(asked(Some(issued(&ours, "zoe")), "/api/v1/me").await, Some(200));
    assert_eq!(asked(Some(issued(&ours, "eve")), "/api/v1/me").await, Some(401));
    assert_eq!(asked(None, "/api/v1/me").await, Some(401));
    assert_eq!(asked(None, "/livez").await, Some(200));
    assert_eq!(
        asked(Some(issued(&theirs, "zoe")), "/api/v1/me").await,
        None,
        "nobody trusts whoever says so"
    );
}
