//! Of those who write at once, one wins, and what is there afterwards is what the winner wrote. And what happens rarely happens in
//! thousands of calls.

use std::sync::Arc;

use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::step::{could_delete, create, delete, found, put, read};
use crate::store::{Read, Removed, Version, Versioned, When, Written};
use crate::testing::Subject;

const RACERS: usize = 16;
const ROUNDS: usize = 4;

/// A removal that looks first and removes then is beaten by a racer in between: not in every round.
const REMOVALS: usize = 24;

/// Of many creates of one key at once, exactly one lands.
pub async fn of_racing_creates_one_wins(subject: &Subject) {
    for round in 0..ROUNDS {
        race(subject, &format!("a/{round}"), round, &When::Absent).await;
    }
}

/// Of many replaces of one version at once, exactly one lands.
pub async fn of_racing_replaces_one_wins(subject: &Subject) {
    let mut version = create(subject.store(), "a", b"start").await;
    for round in 0..ROUNDS {
        version = race(subject, "a", round, &When::Is(version)).await;
    }
}

/// Of removals and replaces of one version at once, exactly one takes effect.
pub async fn of_racing_removals_and_replaces_one_wins(subject: &Subject) {
    let probe = create(subject.store(), "probe", b"").await;
    if !could_delete(subject.store(), "probe", &probe).await {
        return;
    }
    for round in 0..REMOVALS {
        race_to_end(subject, round).await;
    }
}

/// Every other racer removes, the rest replace; in the next round they change places, for some always come first.
async fn race_to_end(subject: &Subject, round: usize) {
    let key = &format!("a/{round}");
    let version = create(subject.store(), key, b"start").await;
    let start = Arc::new(Barrier::new(RACERS));
    let mut racers = JoinSet::new();
    for number in 0..RACERS {
        let store = Arc::clone(if number % 4 < 2 { subject.store() } else { subject.other() });
        let (key, version, start) = (key.to_owned(), version.clone(), Arc::clone(&start));
        racers.spawn(async move {
            start.wait().await;
            if (number + round).is_multiple_of(2) {
                (delete(&store, &key, &version).await == Removed::Deleted).then_some(Read::Absent)
            } else {
                let value = number.to_string();
                let written = put(&store, &key, value.as_bytes(), &When::Is(version)).await;
                won(written).map(|version| Read::Found(Versioned { version, value: value.into() }))
            }
        });
    }
    let left: Vec<Read> = racers.join_all().await.into_iter().flatten().collect();
    assert_eq!(left.len(), 1, "removals and replaces of one version, all of which took effect: {left:?}");
    assert_eq!([read(subject.store(), key, None).await], left[..], "this is there, and that was answered");
}

fn won(written: Written) -> Option<Version> {
    match written {
        Written::Stored(version) => Some(version),
        Written::Conflict => None,
    }
}

/// No two racers write the same, nor what is there already: where versions are hashes of contents, a winner that changed nothing
/// would leave the version as it was, and the next one would win as well.
async fn race(subject: &Subject, key: &str, round: usize, when: &When) -> Version {
    let start = Arc::new(Barrier::new(RACERS));
    let mut racers = JoinSet::new();
    for number in 0..RACERS {
        let store = Arc::clone(if number % 2 == 0 { subject.store() } else { subject.other() });
        let (key, when, start) = (key.to_owned(), when.clone(), Arc::clone(&start));
        racers.spawn(async move {
            start.wait().await;
            let value = format!("{round}/{number}");
            (value.clone(), put(&store, &key, value.as_bytes(), &when).await)
        });
    }
    let results = racers.join_all().await;
    let mut winners =
        results.into_iter().filter_map(|(value, written)| won(written).map(|version| (value, version)));
    let (value, version) = winners.next().expect("nobody won");
    assert_eq!(winners.next(), None, "{value} won, and so did another");
    let record = found(subject.store(), key).await;
    assert_eq!((&record.version, &record.value[..]), (&version, value.as_bytes()));
    version
}

/// Thousands of calls at once through two handles have answers that fit together: see [`Soak`](crate::testing::Soak).
pub async fn thousands_of_calls_make_sense_together(subject: &Subject) {
    let soaked = subject.soak().run(subject.store(), subject.other(), "").await;
    match soaked {
        Ok(tally) => println!("{tally:?}"),
        Err(breach) => panic!("{breach}"),
    }
}
