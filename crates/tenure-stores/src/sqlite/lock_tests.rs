//! Locks of living processes can't be had; those of ended ones can, by everybody at once.

use super::*;

const ALICE: Process = Process(0xa11ce);
const BOB: Process = Process(0xb0b);

fn age(directory: &Path, process: Process, by: Duration) {
    let file = File::open(path_of(directory, process)).unwrap();
    let then = file.metadata().unwrap().modified().unwrap() - by;
    file.set_modified(then).unwrap();
}

#[test]
fn a_living_process_is_not_dead() {
    let directory = tempfile::tempdir().unwrap();
    let _held = Held::take(directory.path(), ALICE).unwrap();
    let suspect = Suspect::find(directory.path(), ALICE).unwrap();
    assert!(!suspect.is_dead());
    assert_eq!(suspect.pid(), Pid::from_raw(std::process::id().cast_signed()));
}

#[test]
fn a_registration_that_was_dropped_is_a_death() {
    let directory = tempfile::tempdir().unwrap();
    drop(Held::take(directory.path(), ALICE).unwrap());
    assert!(Suspect::find(directory.path(), ALICE).unwrap().is_dead());
}

#[test]
fn a_shared_registration_outlives_its_owner() {
    let directory = tempfile::tempdir().unwrap();
    let held = Held::take(directory.path(), ALICE).unwrap();
    let mut shared = File::from(held.share().unwrap().unwrap());
    drop(held);
    let suspect = Suspect::find(directory.path(), ALICE).unwrap();
    shared.write_all(LAST_WORD).unwrap();
    assert!(!suspect.is_dead(), "who wrote the last word still runs");
    drop(shared);
    assert!(suspect.is_dead());
}

#[test]
fn a_free_lock_is_no_proof_for_a_process_that_others_act_for() {
    let directory = tempfile::tempdir().unwrap();
    let held = Held::take(directory.path(), ALICE).unwrap();
    let shared = held.share().unwrap();
    let early = Suspect::find(directory.path(), ALICE).unwrap();
    drop((held, shared));
    assert!(!early.is_dead(), "its children may live, with everything closed");
    assert!(!Suspect::find(directory.path(), ALICE).unwrap().is_dead());
}

#[test]
fn what_is_half_written_or_not_understood_is_no_last_word() {
    let directory = tempfile::tempdir().unwrap();
    let held = Held::take(directory.path(), ALICE).unwrap();
    let mut shared = File::from(held.share().unwrap().unwrap());
    shared.write_all(&LAST_WORD[..5]).unwrap();
    drop((held, shared));
    assert!(!Suspect::find(directory.path(), ALICE).unwrap().is_dead());
}

#[test]
fn a_death_is_proven_to_many_at_once() {
    let directory = tempfile::tempdir().unwrap();
    drop(Held::take(directory.path(), ALICE).unwrap());
    let first = Suspect::find(directory.path(), ALICE).unwrap();
    let second = Suspect::find(directory.path(), ALICE).unwrap();
    assert!(first.is_dead() && second.is_dead());
}

#[test]
fn a_missing_file_proves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    assert!(Suspect::find(directory.path(), ALICE).is_none());
}

#[test]
fn a_process_id_is_never_registered_twice() {
    let directory = tempfile::tempdir().unwrap();
    let held = Held::take(directory.path(), ALICE).unwrap();
    assert!(matches!(Held::take(directory.path(), ALICE), Err(LockError::Taken)));
    drop(held);
    assert!(matches!(Held::take(directory.path(), ALICE), Err(LockError::Taken)));
}

#[test]
fn two_processes_of_one_program_have_locks_of_their_own() {
    let directory = tempfile::tempdir().unwrap();
    let alice = Held::take(directory.path(), ALICE).unwrap();
    let _bob = Held::take(directory.path(), BOB).unwrap();
    drop(alice);
    assert!(Suspect::find(directory.path(), ALICE).unwrap().is_dead());
    assert!(!Suspect::find(directory.path(), BOB).unwrap().is_dead());
}

#[test]
fn nothing_but_the_lock_file_is_left_by_registering() {
    let directory = tempfile::tempdir().unwrap();
    let _held = Held::take(directory.path(), ALICE).unwrap();
    let names: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [ALICE.to_string().as_str()]);
}

#[test]
fn files_of_the_long_dead_are_swept_and_those_of_the_living_never() {
    let directory = tempfile::tempdir().unwrap();
    drop(Held::take(directory.path(), ALICE).unwrap());
    let _bob = Held::take(directory.path(), BOB).unwrap();
    age(directory.path(), ALICE, KEPT * 2);
    age(directory.path(), BOB, KEPT * 2);
    let carol = Process(0xca401);
    let _carol = Held::take(directory.path(), carol).unwrap();
    sweep(directory.path(), carol).unwrap();
    assert!(Suspect::find(directory.path(), ALICE).is_none());
    assert!(!Suspect::find(directory.path(), BOB).unwrap().is_dead());
}

#[test]
fn a_file_without_the_last_word_is_swept_with_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let held = Held::take(directory.path(), ALICE).unwrap();
    drop((held.share().unwrap(), held));
    age(directory.path(), ALICE, KEPT * 2);
    let _bob = Held::take(directory.path(), BOB).unwrap();
    sweep(directory.path(), BOB).unwrap();
    assert!(Suspect::find(directory.path(), ALICE).is_none());
}

#[test]
fn the_proof_of_a_recent_death_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    drop(Held::take(directory.path(), ALICE).unwrap());
    let _bob = Held::take(directory.path(), BOB).unwrap();
    sweep(directory.path(), BOB).unwrap();
    assert!(Suspect::find(directory.path(), ALICE).unwrap().is_dead());
}

#[test]
fn a_copy_restored_while_the_process_lives_proves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let _held = Held::take(directory.path(), ALICE).unwrap();
    let (file, backup) = (path_of(directory.path(), ALICE), directory.path().join("backup"));
    fs::copy(&file, &backup).unwrap();
    fs::rename(&backup, &file).unwrap();
    assert!(Suspect::find(directory.path(), ALICE).is_none());
}

#[test]
fn a_file_that_says_nothing_of_use_proves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    for text in ["", "12", "x y", "1 2 3"] {
        fs::write(path_of(directory.path(), ALICE), text).unwrap();
        assert!(Suspect::find(directory.path(), ALICE).is_none(), "{text:?}");
    }
}
