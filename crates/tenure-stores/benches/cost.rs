//! What a cluster costs its store while nothing moves, and what Amazon would bill for that:
//! `cargo bench -p tenure-stores --features all --bench cost -- --store ADDRESS`.
//!
//! Each member has a handle of its own, as members in different processes have. Calls are counted by the layer in front
//! of the store. Where the store is an S3 server without TLS, a proxy counts the requests that those calls become; they
//! are what is billed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::layer::Metered;
use tenure::store::{Operation, SharedStore};
use tenure::{BoxError, Member, Shard};
use tenure_bed::proxy::Proxy;

const TTL: Duration = Duration::from_secs(10);

/// Amazon's list price in us-east-1, in dollars per request: a PUT and a LIST cost the same.
const WRITE: f64 = 0.005 / 1000.0;
const READ: f64 = 0.0004 / 1000.0;
const MINUTES_PER_MONTH: f64 = 30.0 * 24.0 * 60.0;

type Store = Arc<Metered<SharedStore>>;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1);
    let folder = tempfile::tempdir().expect("a folder");
    let embedded = format!("sqlite:{}", folder.path().join("cost.db").display());
    let address = value("--store").cloned().unwrap_or(embedded);
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let span = Duration::from_secs(if quick { 15 } else { 120 });
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(run(&address, span));
}

async fn run(address: &str, span: Duration) {
    println!("{}, ttl {TTL:?}, counted for {span:?}", tenure_stores::shown(address));
    for (members, shards) in [(3, 16), (3, 4096)] {
        let bill = measure(address, span, members, shards).await;
        println!("{members} members, {shards} shards: {bill}");
    }
    let bill = measure(address, span, 10, 1000).await;
    println!("10 members, 1000 shards: {bill}");
    println!("at Amazon's list price, for 10 members and 1000 shards:");
    println!("  {:38} {:>9.2} $ a month", "tenure, ttl 10 s", bill.dollars());
    for (name, rival) in rivals(1000.0) {
        println!("  {name:38} {:>9.2} $ a month", rival.dollars());
    }
}

/// Designs that keep a lease for every shard.
fn rivals(shards: f64) -> [(&'static str, Bill); 2] {
    let each = |seconds: f64| shards * 60.0 / seconds;
    let by_shard = Bill { put: each(TTL.as_secs_f64() / 3.0), ..Bill::default() };
    let buquet = Bill { put: each(10.0), get: each(10.0), ..Bill::default() };
    [
        ("a lease per shard, ttl 10 s, every ttl/3", by_shard),
        ("buquet: GET and PUT per shard per 10 s", buquet),
    ]
}

/// Requests per minute.
#[derive(Debug, Default)]
struct Bill {
    put: f64,
    get: f64,
    list: f64,
    delete: f64,
    /// Whether these are requests, or the calls that cause them.
    of_requests: bool,
}

impl Bill {
    fn dollars(&self) -> f64 {
        // DELETE is free.
        MINUTES_PER_MONTH * ((self.put + self.list) * WRITE + self.get * READ)
    }
}

impl std::fmt::Display for Bill {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { put, get, list, delete, of_requests } = self;
        let what = if *of_requests { "requests" } else { "calls" };
        write!(f, "{put:.1} PUT, {get:.1} GET, {list:.1} LIST, {delete:.1} DELETE {what} per minute")
    }
}

async fn measure(address: &str, span: Duration, members: usize, shards: u32) -> Bill {
    let proxy = proxy_before(address).await;
    let address = proxy.as_ref().map_or_else(|| address.to_owned(), |proxy| by_way_of(address, proxy));
    let cluster = format!("cost-{:08x}", fastrand::u32(..));
    let fleet = Fleet::start(&address, &cluster, members, shards).await;
    let before = fleet.counts(proxy.as_ref());
    Clock::boot().sleep(span).await;
    let after = fleet.counts(proxy.as_ref());
    fleet.leave().await;
    let minutes = span.as_secs_f64() / 60.0;
    let count = |counts: &BTreeMap<String, u64>, name: &str| counts.get(name).copied().unwrap_or_default();
    let rate = |name: &str| (count(&after, name) - count(&before, name)) as f64 / minutes;
    Bill {
        put: rate("PUT"),
        get: rate("GET"),
        list: rate("LIST"),
        delete: rate("DELETE"),
        of_requests: proxy.is_some(),
    }
}

/// Members that are at rest.
struct Fleet {
    members: Vec<Arc<Member>>,
    stores: Vec<Store>,
}

impl Fleet {
    async fn start(address: &str, cluster: &str, members: usize, shards: u32) -> Self {
        let mut fleet = Self { members: Vec::new(), stores: Vec::new() };
        for index in 0..members {
            let opened = tenure_stores::open(address).await.expect("a store");
            let store = Arc::new(Metered::new(opened, Clock::boot()));
            let builder = Member::builder(Arc::clone(&store)).cluster(cluster).shards(shards).lease_ttl(TTL);
            let member = Arc::new(builder.member_id(format!("m{index}")).start().await.expect("a member"));
            let running = Arc::clone(&member);
            tokio::spawn(async move { running.run(wait).await });
            fleet.members.push(member);
            fleet.stores.push(store);
        }
        fleet.settle(shards as usize / members).await;
        fleet
    }

    /// Waits until everybody has its share, and for a ttl more.
    async fn settle(&self, share: usize) {
        let settled = |member: &Arc<Member>| member.metrics().tenures.abs_diff(share) <= 1;
        while !self.members.iter().all(settled) {
            Clock::boot().sleep(Duration::from_millis(200)).await;
        }
        Clock::boot().sleep(2 * TTL).await;
    }

    /// Requests so far where they are counted, else calls.
    fn counts(&self, proxy: Option<&Proxy>) -> BTreeMap<String, u64> {
        if let Some(proxy) = proxy {
            return proxy.requests();
        }
        let calls = |operation: Operation| {
            let of = |store: &Store| store.snapshot().of(operation).calls();
            (operation.name().to_ascii_uppercase(), self.stores.iter().map(of).sum())
        };
        Operation::ALL.into_iter().map(calls).collect()
    }

    async fn leave(self) {
        for member in self.members {
            // The next fleet has a cluster of its own, whatever becomes of this one.
            let _ = member.leave().await;
        }
    }
}

async fn wait(shard: Shard) -> Result<(), BoxError> {
    shard.drained().await;
    Ok(())
}

/// A proxy that counts requests, if the address names a server that one can stand before.
async fn proxy_before(address: &str) -> Option<Proxy> {
    let server = plain_endpoint(address)?.strip_prefix("http://")?.trim_end_matches('/').parse().ok()?;
    Some(Proxy::start_http(server).await.expect("a proxy"))
}

fn by_way_of(address: &str, proxy: &Proxy) -> String {
    let mut url = url::Url::parse(address).expect("it was one before");
    let others: Vec<_> = url.query_pairs().into_owned().filter(|(name, _)| name != "endpoint").collect();
    let way = format!("http://{}", proxy.address());
    url.query_pairs_mut().clear().extend_pairs(others).append_pair("endpoint", &way);
    url.into()
}

fn plain_endpoint(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok().filter(|url| url.scheme() == "s3")?;
    url.query_pairs().find(|(name, _)| name == "endpoint").map(|(_, endpoint)| endpoint.into_owned())
}
