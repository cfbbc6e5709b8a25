//! What a cluster costs its store while nothing moves and when shards move, and what Amazon would bill for that:
//! `cargo bench -p tenure-stores --features all --bench cost -- --store ADDRESS`.
//!
//! Each member has a handle of its own, as members in different processes have. What is counted is what reaches the server:
//! see [`tally`].

mod bill;
mod fleet;
mod tally;

use std::time::Duration;

use bill::{Bill, rivals};
use fleet::Fleet;
use tally::Tally;
use tenure::clock::Clock;

const TTL: Duration = Duration::from_secs(10);

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
        println!("{members} members, {shards} shards, idle: {}", idle(address, span, members, shards).await);
    }
    println!("100 shards move, beyond what idle members ask: {}", moving(address).await);
    if address.starts_with("s3:") {
        price(&idle(address, span, 10, 1000).await);
    }
}

fn price(bill: &Bill) {
    println!("10 members, 1000 shards, idle: {bill}");
    println!("at Amazon's list price:");
    println!("  {:42} {:>9.2} $ a month", "tenure, ttl 10 s", bill.dollars_a_month());
    for (name, rival) in rivals(1000.0) {
        println!("  {name:42} {:>9.2} $ a month", rival.dollars_a_month());
    }
}

/// What members at rest ask in a minute.
async fn idle(address: &str, span: Duration, members: usize, shards: u32) -> Bill {
    let tally = Tally::before(address).await;
    let fleet = Fleet::start(&tally, members, shards).await;
    let bill = during(&tally, &fleet, span).await;
    fleet.leave().await;
    bill.by(span.as_secs_f64() / 60.0)
}

/// What is asked because one of three members leaves and its 100 shards go to the others.
async fn moving(address: &str) -> Bill {
    let tally = Tally::before(address).await;
    let mut fleet = Fleet::start(&tally, 3, 300).await;
    let (before, begun) = (tally.read(&fleet).await, Clock::boot().now());
    fleet.leave_one().await;
    fleet.settle(150).await;
    Clock::boot().sleep(2 * TTL).await;
    let (all, took) = (Bill::between(&before, &tally.read(&fleet).await), Clock::boot().now().since(begun));
    let rest = during(&tally, &fleet, 2 * TTL).await;
    fleet.leave().await;
    all.without(&rest.by((2 * TTL).as_secs_f64() / took.as_secs_f64()))
}

async fn during(tally: &Tally, fleet: &Fleet, span: Duration) -> Bill {
    let before = tally.read(fleet).await;
    Clock::boot().sleep(span).await;
    Bill::between(&before, &tally.read(fleet).await)
}
