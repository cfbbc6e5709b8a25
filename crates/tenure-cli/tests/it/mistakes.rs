//! Mistakes: each has its exit code, says what is wrong and what to do, and prints no data.

use crate::testbed::Testbed;

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_not_there_is_not_created_by_looking() {
    let bed = Testbed::new();
    let told = bed.tenure(&["status"]).await.failed(3);
    assert!(told.starts_with("error: sqlite: can't open "), "{told}");
    assert!(
        told.contains("there is no such file; name one that is there, or start a member on it"),
        "{told}"
    );
    assert!(told.contains("\n  because: No such file or directory"), "{told}");
    assert!(!bed.path("tenure.db").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_makes_no_sense_names_those_that_do() {
    let bed = Testbed::new();
    let told = bed.tenure(&["status", "--store", "paper:x"]).await.failed(2);
    assert!(told.contains("the scheme \"paper\" is not known here; say one of:\n  sqlite:FILE"), "{told}");
    assert!(bed.tenure(&["status", "--store", "x"]).await.failed(2).contains("has no scheme"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_is_not_there_names_those_that_are() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    let told = bed.tenure(&["status", "--cluster", "orders"]).await.failed(4);
    assert_eq!(
        told,
        "error: there is no cluster orders in sqlite:tenure.db: it has default; name one with --cluster\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_name_is_refused_with_the_rule() {
    let bed = Testbed::new();
    let told = bed.tenure(&["drain", "ä"]).await.failed(2);
    assert!(told.contains("use 1 to 63 of the characters a-z A-Z 0-9 . _ -"), "{told}");
    assert!(bed.tenure(&["status", "--cluster", ""]).await.failed(2).contains("is empty"));
    assert!(bed.tenure(&["plan", "--add", "a:0"]).await.failed(2).contains("is no weight"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_key_of_the_settings_file_is_named_with_the_file() {
    let bed = Testbed::new();
    bed.write("tenure.toml", "cluster = 'x'\nshard = 9\n");
    let told = bed.tenure(&["status"]).await.failed(2);
    assert!(told.contains("settings file tenure.toml has an unknown key `shard`"), "{told}");
    let told = bed.tenure(&["status", "--config", "none.toml"]).await.failed(2);
    assert!(told.contains("settings file none.toml can't be read; name one that is there"), "{told}");
    bed.write("bad.toml", "ttl = 'soon'\n");
    let told = bed.tenure(&["status", "--config", "bad.toml"]).await.failed(2);
    assert!(told.contains("bad.toml has a bad value for `ttl`: \"soon\" is not accepted"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_wins_over_a_variable_and_a_variable_over_the_file() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    bed.write("tenure.toml", "cluster = 'from-file'\n");
    let missing = |output: std::process::Output| String::from_utf8(output.stderr).unwrap();
    let told = missing(bed.program(&["status"]).output().unwrap());
    assert!(told.contains("no cluster from-file in"), "{told}");
    let told = missing(bed.program(&["status"]).env("TENURE_CLUSTER", "from-env").output().unwrap());
    assert!(told.contains("no cluster from-env in"), "{told}");
    let words = ["status", "--cluster", "from-flag"];
    let told = missing(bed.program(&words).env("TENURE_CLUSTER", "from-env").output().unwrap());
    assert!(told.contains("no cluster from-flag in"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_has_enough_is_no_failure() {
    let bed = Testbed::new();
    let mut program = bed.program(&["completions", "bash"]);
    let mut child = program.stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
