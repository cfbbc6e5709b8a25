//! Another user of the machine can neither forge a death nor hide one, nor put files of his own in place of ours.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::{Store, StoreErrorKind};
use tenure_core::ids::Process;
use tenure_stores::sqlite::SqliteStore;

use crate::child::{CHILD, Other};
use crate::stranger::{Nuisance, STRANGER, can_be_a_stranger, common_folder, does};

/// That nothing happens can be seen for a while only.
const A_WHILE: Duration = Duration::from_millis(400);

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[tokio::test]
async fn what_a_member_makes_is_its_users_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("tenure.db")).await.unwrap();
    let _held = store.witness().unwrap().register(CHILD).await.unwrap();
    for name in ["tenure.db", "tenure.db-wal", "tenure.db-shm", "tenure.db-drawn"] {
        assert_eq!(mode(&folder.path().join(name)), 0o600, "{name}");
    }
    let locks = folder.path().join("tenure.db-locks");
    assert_eq!((mode(&locks), mode(&locks.join(CHILD.to_string()))), (0o700, 0o600));
}

#[tokio::test]
async fn a_database_that_is_there_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tenure.db");
    fs::write(&file, b"").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let _store = SqliteStore::open(&file).await.unwrap();
    assert_eq!((mode(&file), mode(&folder.path().join("tenure.db-wal"))), (0o640, 0o640));
}

#[tokio::test]
async fn a_folder_that_others_can_write_in_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let error = SqliteStore::open(folder.path().join("tenure.db")).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.to_string().contains("others can write in its folder"), "{error}");
    assert!(error.to_string().contains("chmod go-w"), "{error}");
}

#[tokio::test]
async fn a_folder_of_locks_that_a_stranger_made_is_refused() {
    if !can_be_a_stranger() {
        return;
    }
    let folder = common_folder();
    assert!(does(folder.path(), "mkdir -m 777 tenure.db-locks"));
    let store = SqliteStore::open(folder.path().join("tenure.db")).await.unwrap();
    let error = store.witness().unwrap().register(CHILD).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.to_string().contains("its folder must belong to this user"), "{error}");
    assert!(fs::read_dir(folder.path().join("tenure.db-locks")).unwrap().next().is_none());
}

#[tokio::test]
async fn a_lock_file_that_a_stranger_put_there_proves_no_death() {
    if !can_be_a_stranger() {
        return;
    }
    let folder = common_folder();
    let file = folder.path().join("tenure.db");
    let store = SqliteStore::open(&file).await.unwrap();
    // Where the folder stood open, before it was shut.
    let locks = folder.path().join("tenure.db-locks");
    fs::create_dir(&locks).unwrap();
    fs::set_permissions(&locks, fs::Permissions::from_mode(0o777)).unwrap();
    let living = Process(0xa11ce);
    let forge = format!(
        "echo x > tenure.db-locks/{living} && echo 1 $(stat -c %i tenure.db-locks/{living}) > tenure.db-locks/{living}"
    );
    assert!(does(folder.path(), &forge));
    let witness = store.witness().unwrap();
    assert!(Clock::boot().timeout(A_WHILE, witness.death_of(living)).await.is_err(), "a forged death");
}

#[tokio::test]
async fn a_stranger_can_neither_forge_nor_hold_a_lock() {
    if !can_be_a_stranger() {
        return;
    }
    let folder = common_folder();
    let file = folder.path().join("tenure.db");
    let store = SqliteStore::open(&file).await.unwrap();
    let mut other = Other::start("holder", &file);
    for deed in [
        format!("rm tenure.db-locks/{CHILD}"),
        format!("echo forged > tenure.db-locks/{CHILD}"),
        "mv tenure.db-locks elsewhere".into(),
        "mv tenure.db elsewhere".into(),
        "ls tenure.db-locks".into(),
        "cat tenure.db".into(),
        "cat tenure.db-wal".into(),
    ] {
        assert!(!does(folder.path(), &deed), "{deed}");
    }
    let held = format!(
        "flock --nonblock tenure.db-locks/{CHILD} true; flock tenure.db-locks/{CHILD} cat & echo; wait"
    );
    let _nuisance = Nuisance::begin(folder.path(), &held);
    other.kill();
    store.witness().unwrap().death_of(CHILD).await;
}

#[tokio::test]
async fn a_stranger_is_refused_by_name_of_the_user() {
    if !can_be_a_stranger() {
        return;
    }
    let folder = common_folder();
    let file = folder.path().join("tenure.db");
    let _store = SqliteStore::open(&file).await.unwrap();
    let told = Other::start_as(STRANGER, "refused", &file).says();
    let words =
        "tenure.db belongs to user 0, and this process is user 65534; all who share the file run as one user";
    assert!(told.contains(words), "{told}");
}

#[tokio::test]
async fn files_that_a_stranger_put_beside_the_database_are_refused() {
    if !can_be_a_stranger() {
        return;
    }
    for suffix in ["", "-wal", "-shm", "-journal", "-drawn"] {
        let folder = common_folder();
        assert!(does(folder.path(), &format!("touch tenure.db{suffix} && chmod 666 tenure.db{suffix}")));
        let error = SqliteStore::open(folder.path().join("tenure.db")).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Denied, "{error}");
        let words = match suffix {
            // Root may look at what is another user's; not at what all can write.
            "" => format!("others can write {}", folder.path().join("tenure.db").display()),
            suffix => format!("tenure.db{suffix} belongs to user {STRANGER}"),
        };
        assert!(error.to_string().contains(&words), "{error}");
    }
}

#[tokio::test]
async fn root_may_look_at_a_users_database_and_leaves_nothing_of_its_own() {
    if !can_be_a_stranger() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    chown(folder.path(), Some(STRANGER), Some(STRANGER)).unwrap();
    let file = folder.path().join("tenure.db");
    let mut other = Other::start_as(STRANGER, "writer", &file);
    other.go_on();
    other.finish();
    drop(other);
    fs::remove_file(folder.path().join("tenure.db-drawn")).unwrap();
    let store = SqliteStore::open(&file).await.unwrap();
    assert_eq!(store.list("members/").await.unwrap().len(), 1);
    assert!(store.witness().is_none(), "the locks are that user's alone");
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().uid(), STRANGER, "{:?}", entry.file_name());
    }
}
