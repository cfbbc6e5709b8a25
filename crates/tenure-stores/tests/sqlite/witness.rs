//! Proof of death: of the dead at once, of the living and the stopped never.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::{Store, StoreErrorKind, Witness};
use tenure_core::ids::Process;
use tenure_stores::sqlite::SqliteStore;

use crate::child::{CHILD, Other};

const ALICE: Process = Process(0xa11ce);
const BOB: Process = Process(0xb0b);

/// That nothing happens can be seen for a while only.
const A_WHILE: Duration = Duration::from_millis(400);

async fn opened() -> (tempfile::TempDir, PathBuf, Arc<dyn Witness>) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tenure.db");
    let witness = SqliteStore::open(&file).await.unwrap().witness().unwrap();
    (directory, file, witness)
}

async fn is_dead(witness: &Arc<dyn Witness>, process: Process) -> bool {
    Clock::boot().timeout(A_WHILE, witness.death_of(process)).await.is_ok()
}

#[tokio::test]
async fn a_killed_process_is_proven_dead() {
    let (_directory, file, witness) = opened().await;
    let mut other = Other::start("holder", &file);
    let proof = tokio::spawn({
        let witness = Arc::clone(&witness);
        async move { witness.death_of(CHILD).await }
    });
    assert!(!is_dead(&witness, CHILD).await);
    other.kill();
    proof.await.unwrap();
}

#[tokio::test]
async fn a_process_killed_before_anybody_looked_is_proven_dead() {
    let (_directory, file, witness) = opened().await;
    drop(Other::start("holder", &file));
    witness.death_of(CHILD).await;
}

#[tokio::test]
async fn a_living_process_is_not_proven_dead() {
    let (_directory, file, witness) = opened().await;
    let _other = Other::start("holder", &file);
    assert!(!is_dead(&witness, CHILD).await);
}

#[tokio::test]
async fn a_stopped_process_is_not_proven_dead_until_it_is_killed() {
    let (_directory, file, witness) = opened().await;
    let mut other = Other::start("holder", &file);
    other.stop();
    assert!(!is_dead(&witness, CHILD).await);
    other.kill();
    witness.death_of(CHILD).await;
}

#[tokio::test]
async fn a_death_is_proven_to_every_witness() {
    let (_directory, file, first) = opened().await;
    let second = SqliteStore::open(&file).await.unwrap().witness().unwrap();
    drop(Other::start("holder", &file));
    first.death_of(CHILD).await;
    second.death_of(CHILD).await;
    first.death_of(CHILD).await;
}

#[tokio::test]
async fn a_process_that_never_registered_is_never_proven_dead() {
    let (_directory, _file, witness) = opened().await;
    assert!(!is_dead(&witness, ALICE).await);
}

#[tokio::test]
async fn two_handles_of_one_program_are_two_processes() {
    let (_directory, file, first) = opened().await;
    let second = SqliteStore::open(&file).await.unwrap().witness().unwrap();
    let alice = first.register(ALICE).await.unwrap();
    let _bob = second.register(BOB).await.unwrap();
    assert!(!is_dead(&second, ALICE).await);
    drop(alice);
    second.death_of(ALICE).await;
    assert!(!is_dead(&first, BOB).await);
}

#[tokio::test]
async fn a_dropped_registration_wakes_those_who_wait_for_it() {
    let (_directory, _file, witness) = opened().await;
    let alice = witness.register(ALICE).await.unwrap();
    let proof = tokio::spawn({
        let witness = Arc::clone(&witness);
        async move { witness.death_of(ALICE).await }
    });
    drop(alice);
    proof.await.unwrap();
}

#[tokio::test]
async fn a_process_id_is_registered_once() {
    let (_directory, _file, witness) = opened().await;
    drop(witness.register(ALICE).await.unwrap());
    let error = witness.register(ALICE).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Invalid);
    assert!(error.to_string().contains("draw a new process id"), "{error}");
}
