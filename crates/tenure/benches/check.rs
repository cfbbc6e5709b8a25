//! What a guard costs: `shard.check()` next to one read of the boot-time clock, in the same run.
//!
//! The check is that read and two loads; it should cost at most 1.3 times the read alone.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use tenure::clock::Clock;
use tenure::store::Memory;
use tenure::{Event, Member, Shard};

/// A shard that holds for as long as its member lives.
async fn held() -> (Member, Shard) {
    let builder = Member::builder(Memory::new()).cluster("bench").shards(1);
    let member = builder.lease_ttl(Duration::from_secs(3600)).start().await.expect("the member starts");
    let mut events = member.events().await.expect("nobody else listens");
    loop {
        if let Event::Gained(shard) = events.next().await.expect("a shard comes") {
            return (member, shard);
        }
    }
}

fn check(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (_member, shard) = runtime.block_on(held());
    let clock = Clock::boot();
    let mut group = criterion.benchmark_group("guard");
    group.bench_function("boot_time_read", |bencher| bencher.iter(|| black_box(&clock).now()));
    group.bench_function("shard_check", |bencher| bencher.iter(|| black_box(&shard).check()));
    group.finish();
}

criterion_group!(benches, check);
criterion_main!(benches);
