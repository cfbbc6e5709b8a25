//! What a guard costs: `shard.check()` next to one read of the boot-time clock, in the same run.
//!
//! The check is that read and two loads; it should cost at most 1.3 times the read alone. The ratio is printed last: it is
//! taken from batches in turn, so that a busy machine slows both alike.

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
    println!("guard/ratio  shard_check / boot_time_read = {:.2}", ratio(&clock, &shard));
}

/// The median, over many pairs of batches, of how much longer the check takes.
fn ratio(clock: &Clock, shard: &Shard) -> f64 {
    let pair = |_| {
        let read = batch(clock, || _ = black_box(black_box(clock).now()));
        let check = batch(clock, || _ = black_box(black_box(shard).check()));
        check.as_secs_f64() / read.as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..501).map(pair).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

fn batch(clock: &Clock, mut once: impl FnMut()) -> Duration {
    let began = clock.now();
    for _ in 0..2_000 {
        once();
    }
    clock.now().since(began)
}

criterion_group!(benches, check);
criterion_main!(benches);
