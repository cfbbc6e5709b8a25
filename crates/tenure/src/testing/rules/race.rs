//! Of those who write at once, one wins, and what is there afterwards is what the winner wrote.

use std::sync::Arc;

use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::step::{create, found, put};
use crate::store::{Version, When, Written};
use crate::testing::Subject;

const RACERS: usize = 16;
const ROUNDS: usize = 4;

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
    let mut winners = results.into_iter().filter_map(|(value, written)| match written {
        Written::Stored(version) => Some((value, version)),
        Written::Conflict => None,
    });
    let (value, version) = winners.next().expect("nobody won");
    assert_eq!(winners.next(), None, "{value} won, and so did another");
    let record = found(subject.store(), key).await;
    assert_eq!((&record.version, &record.value[..]), (&version, value.as_bytes()));
    version
}
