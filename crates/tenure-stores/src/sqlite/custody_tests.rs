//! What others can write is refused; what is made is ours alone.

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn place_in(folder: &Path) -> DatabaseFile {
    DatabaseFile::find(&folder.join("tenure.db")).unwrap()
}

fn refusal(place: &DatabaseFile) -> String {
    Custodian::of(place).unwrap_err().to_string()
}

#[test]
fn a_folder_of_ones_own_is_fine() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Custodian::of(&place_in(folder.path())).unwrap().is_us());
}

#[test]
fn a_folder_that_others_can_write_in_is_refused_with_its_cure() {
    let folder = tempfile::tempdir().unwrap();
    let place = place_in(folder.path());
    for loose in [0o777, 0o775, 0o757] {
        set_mode(folder.path(), loose);
        let told = refusal(&place);
        assert!(told.contains(&format!("(mode {loose:o})")) && told.contains("chmod go-w"), "{told}");
    }
}

#[test]
fn a_sticky_folder_is_fine_for_files_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o1777);
    assert!(Custodian::of(&place_in(folder.path())).is_ok());
}

#[test]
fn a_file_that_others_can_write_is_refused_with_its_cure() {
    let folder = tempfile::tempdir().unwrap();
    let place = place_in(folder.path());
    for file in [place.file().to_owned(), place.log(), place.index(), place.journal(), place.drawn()] {
        Custodian::us().make_file(&file).unwrap();
        set_mode(&file, 0o620);
        let told = refusal(&place);
        assert!(told.contains(&format!("chmod go-w {}", file.display())), "{told}");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_link_in_the_place_of_a_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = place_in(folder.path());
    for file in [place.log(), place.drawn()] {
        std::os::unix::fs::symlink("/dev/null", &file).unwrap();
        assert!(refusal(&place).contains("is a link, a pipe or the like"));
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn what_is_made_is_ours_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (file, locks) = (folder.path().join("file"), folder.path().join("locks"));
    Custodian::us().make_file(&file).unwrap();
    make_folder(&locks).unwrap();
    assert_eq!((mode(&file), mode(&locks)), (0o600, 0o700));
}

#[test]
fn a_file_that_is_there_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"x").unwrap();
    set_mode(&file, 0o644);
    Custodian::us().make_file(&file).unwrap();
    assert_eq!((mode(&file), fs::read(&file).unwrap()), (0o644, b"x".to_vec()));
}

#[test]
fn a_folder_that_others_can_enter_is_shut() {
    let folder = tempfile::tempdir().unwrap();
    let locks = folder.path().join("locks");
    fs::create_dir(&locks).unwrap();
    set_mode(&locks, 0o755);
    make_folder(&locks).unwrap();
    assert_eq!(mode(&locks), 0o700);
}

#[test]
fn a_link_in_the_place_of_a_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("locks"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    make_folder(&link).unwrap_err();
}

#[test]
fn only_a_plain_file_of_ours_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    Custodian::us().make_file(&file).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let opened = |path: &Path| open_ours(path, OpenOptions::new().read(true)).is_ok();
    assert!(opened(&file) && !opened(&link) && !opened(folder.path()));
    set_mode(&file, 0o622);
    assert!(!opened(&file), "others can write it");
}
