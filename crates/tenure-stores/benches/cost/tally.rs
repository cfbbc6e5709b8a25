//! Counts what reaches a server, where the server or a proxy before it can tell.
//!
//! | store | who counts |
//! |---|---|
//! | S3 without TLS | a proxy in front of the server |
//! | etcd | its nodes, in their figures for Prometheus |
//! | Kubernetes | the API server, in its figures for Prometheus |
//! | PostgreSQL | the server: transactions of the database |
//! | anything else | the layer in front of the store, which counts calls |

use std::collections::BTreeMap;
use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use tenure::clock::Clock;
use tenure::store::Operation;
use tenure_testbed::proxy::Proxy;
use url::Url;

use super::fleet::{Fleet, Store};

/// How often each kind of request was made so far.
pub(crate) type Counts = BTreeMap<String, u64>;

pub(crate) struct Tally {
    address: String,
    counter: Counter,
}

enum Counter {
    Layer,
    Proxy(Proxy),
    /// The addresses of the nodes' figures.
    Etcd(Vec<String>),
    Kubernetes(kube::Client),
    Postgres(tokio_postgres::Client),
}

impl Tally {
    /// Whoever can count what reaches the store at `address`.
    pub(crate) async fn before(address: &str) -> Self {
        let counter = match Url::parse(address) {
            Ok(url) if url.scheme() == "s3" => proxy_before(&url).await,
            Ok(url) if url.scheme() == "k8s" => kubernetes(&url).await,
            Ok(url) if url.scheme().starts_with("postgres") => postgres(&url).await,
            _ if address.starts_with("etcd://") => Counter::Etcd(figures_of(address)),
            _ => Counter::Layer,
        };
        let by_way = match &counter {
            Counter::Proxy(proxy) => by_way_of(address, proxy),
            Counter::Layer | Counter::Etcd(_) | Counter::Kubernetes(_) | Counter::Postgres(_) => {
                address.to_owned()
            }
        };
        Self { address: by_way, counter }
    }

    /// The address that members are to use.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) async fn read(&self, fleet: &Fleet) -> Counts {
        match &self.counter {
            Counter::Layer => calls(&fleet.stores),
            Counter::Proxy(proxy) => proxy.requests(),
            Counter::Etcd(nodes) => of_etcd(nodes).await,
            Counter::Kubernetes(client) => of_kubernetes(client).await,
            Counter::Postgres(client) => of_postgres(client).await,
        }
    }
}

fn calls(stores: &[Store]) -> Counts {
    let calls = |operation: Operation| {
        let of = |store: &Store| store.snapshot().of(operation).calls();
        (operation.name().to_owned(), stores.iter().map(of).sum())
    };
    Operation::ALL.into_iter().map(calls).collect()
}

/// A proxy that counts requests, if the address names a server that one can stand before.
async fn proxy_before(url: &Url) -> Counter {
    let endpoint =
        url.query_pairs().find(|(name, _)| name == "endpoint").map(|(_, endpoint)| endpoint.into_owned());
    let server = endpoint.as_deref().and_then(|endpoint| endpoint.strip_prefix("http://"));
    match server.and_then(|server| server.trim_end_matches('/').parse().ok()) {
        Some(server) => Counter::Proxy(Proxy::start_http(server).await.expect("a proxy")),
        None => Counter::Layer,
    }
}

fn by_way_of(address: &str, proxy: &Proxy) -> String {
    let mut url = Url::parse(address).expect("it was one before");
    let others: Vec<_> = url.query_pairs().into_owned().filter(|(name, _)| name != "endpoint").collect();
    let way = format!("http://{}", proxy.address());
    url.query_pairs_mut().clear().extend_pairs(others).append_pair("endpoint", &way);
    url.into()
}

/// `etcd://HOST,HOST/PREFIX` to the figures of each host.
fn figures_of(address: &str) -> Vec<String> {
    // A client without TLS is not made without it either. Whoever was first has set the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let hosts = address.trim_start_matches("etcd://").split(['/', '?']).next().unwrap_or_default();
    hosts.split(',').map(|host| format!("http://{host}/metrics")).collect()
}

async fn of_etcd(nodes: &[String]) -> Counts {
    let mut counts = Counts::new();
    for node in nodes {
        let text = reqwest::get(node).await.expect("a node").text().await.expect("its figures");
        for (kind, count) in exposed(&text, "grpc_server_handled_total", &["grpc_method"]) {
            *counts.entry(kind).or_default() += count;
        }
    }
    counts
}

async fn kubernetes(url: &Url) -> Counter {
    let file = url.query_pairs().find(|(name, _)| name == "kubeconfig").map(|(_, file)| file.into_owned());
    let kubeconfig =
        Kubeconfig::read_from(file.expect("an address with a kubeconfig")).expect("a kubeconfig");
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    Counter::Kubernetes(kube::Client::try_from(config.expect("a configuration")).expect("a client"))
}

/// What concerns other objects than ours, the API server asks of itself.
async fn of_kubernetes(client: &kube::Client) -> Counts {
    let request = http::Request::get("/metrics").body(Vec::new()).expect("a request");
    let text = client.request_text(request).await.expect("figures");
    let all = exposed(&text, "apiserver_request_total", &["verb", "resource"]);
    all.into_iter().filter(|(kind, _)| kind.ends_with("leases") || kind.ends_with("configmaps")).collect()
}

async fn postgres(url: &Url) -> Counter {
    let mut plain = url.clone();
    plain.set_query(None);
    let connected = tokio_postgres::connect(plain.as_str(), tokio_postgres::NoTls).await;
    let (client, connection) = connected.expect("a connection");
    tokio::spawn(connection);
    Counter::Postgres(client)
}

/// Sessions tell what they did with a delay of up to a second; their sum is read after that.
async fn of_postgres(client: &tokio_postgres::Client) -> Counts {
    Clock::boot().sleep(Duration::from_secs(2)).await;
    let sum = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
    let row = client.query_one(sum, &[]).await.expect("a sum");
    Counts::from([("transactions".to_owned(), u64::try_from(row.get::<_, i64>(0)).unwrap_or_default())])
}

/// The values of a family of figures in Prometheus's text format, added up by some of their labels.
fn exposed(text: &str, family: &str, labels: &[&str]) -> Counts {
    let mut counts = Counts::new();
    for line in text.lines().filter(|line| line.starts_with(family)) {
        let Some((name, value)) = line.rsplit_once(' ') else { continue };
        let kind: Vec<&str> = labels.iter().filter_map(|label| labelled(name, label)).collect();
        *counts.entry(kind.join(" ")).or_default() += value.parse::<f64>().unwrap_or_default() as u64;
    }
    counts
}

fn labelled<'a>(name: &'a str, label: &str) -> Option<&'a str> {
    let at = name.find(&format!("{label}=\""))? + label.len() + 2;
    name[at..].split('"').next()
}
