//! Journals from outside: looked at, checked, exported, adopted, with the real binary.

use bytes::Bytes;
use serde_json::{Value, json};
use tenure::journal::{Author, Journal, JournalName, Place, Record, Run, Seq, Writer, WriterLimits};
use tenure::{Epoch, Lineage, ShardId};

use crate::testbed::Testbed;

const FILE: [&str; 2] = ["--journal", "sqlite:journal.db"];

fn place(shard: u32) -> Place {
    Place { journal: "carts".parse::<JournalName>().unwrap(), shard: ShardId(shard) }
}

fn author(lineage: Lineage) -> Author {
    Author { lineage, epoch: Epoch(7), run: Run(1) }
}

async fn journals(bed: &Testbed) -> std::sync::Arc<dyn Journal> {
    tenure_stores::open_journal(&format!("sqlite:{}", bed.path("journal.db").display())).await.unwrap()
}

/// Two shards with a few records; the first has a snapshot.
async fn filled(bed: &Testbed, lineage: Lineage) {
    let journal = journals(bed).await;
    for shard in [3, 5] {
        let opened = Writer::open(&*journal, &place(shard), author(lineage), WriterLimits::default()).await;
        let (writer, _) = opened.unwrap();
        let seq =
            writer.commit(vec![Record::json(&json!({ "added": "apples" })).about("cart-9")]).await.unwrap();
        if shard == 3 {
            writer.shorten(seq, "[1]".into()).await.unwrap();
        }
        writer
            .commit(vec![Record { key: None, version: 1, body: Bytes::from_static(b"\x00\x01") }])
            .await
            .unwrap();
    }
}

/// `tenure journal WORDS` in that folder.
async fn said(bed: &Testbed, words: &[&str]) -> crate::testbed::Did {
    bed.tenure(&[&["journal"], words, &FILE].concat()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn journals_are_counted_and_found_sound() {
    let bed = Testbed::new();
    filled(&bed, Lineage(1)).await;
    let lines = said(&bed, &["stat", "--json"]).await.well();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    let told = |line: &Value| {
        [&line["shard"], &line["entries"], &line["last"], &line["snapshot"]["upto"]].map(Clone::clone)
    };
    assert_eq!(told(&lines[0]), [json!(3), json!(1), json!(3), json!(2)]);
    assert_eq!(told(&lines[1]), [json!(5), json!(3), json!(3), Value::Null]);
    let table = said(&bed, &["stat"]).await.well();
    assert!(table.contains("JOURNAL") && table.contains("3 bytes"), "{table}");
    let checked = said(&bed, &["check"]).await.well();
    assert_eq!(
        checked,
        "  ok  carts of shard 3: 1 entry, 1 record, a snapshot of 3 bytes\n  ok  carts of shard 5: 3 entries, 2 records\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_is_exported_as_lines_of_json() {
    let bed = Testbed::new();
    filled(&bed, Lineage(1)).await;
    let lines = said(&bed, &["export", "carts", "--shard", "3"]).await.well();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = lines.iter().map(|line| (&line["kind"], &line["seq"])).collect();
    assert_eq!(kinds, [(&json!("snapshot"), &json!(2)), (&json!("record"), &json!(3))]);
    assert_eq!((&lines[0]["body"], &lines[1]["bytes"]), (&json!([1]), &json!("AAE=")));
    let lines = said(&bed, &["export", "carts", "--shard", "5"]).await.well();
    assert!(lines.contains(r#""key":"cart-9","version":1,"body":{"added":"apples"}"#), "{lines}");
    let which = said(&bed, &["export"]).await.failed(2);
    assert!(which.contains("carts of shard 3, carts of shard 5"), "{which}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_is_gone_is_named() {
    let bed = Testbed::new();
    filled(&bed, Lineage(1)).await;
    let file = rusqlite::Connection::open(bed.path("journal.db")).unwrap();
    assert_eq!(file.execute("DELETE FROM entry WHERE shard = 5 AND seq = 2", []).unwrap(), 1);
    let checked = said(&bed, &["check"]).await;
    assert_eq!(checked.code, 1, "{checked:?}");
    assert!(
        checked.out.contains("ok  carts of shard 3") && checked.out.contains("NO  carts of shard 5"),
        "{checked:?}"
    );
    assert!(checked.out.contains("entry 2 is gone"), "{checked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn journals_of_another_founding_are_adopted_after_a_word() {
    let bed = Testbed::new();
    let members = bed.members(&["a"]).await;
    for member in members {
        member.leave().await.unwrap();
    }
    filled(&bed, Lineage(1)).await;
    assert!(said(&bed, &["adopt"]).await.failed(2).contains("nobody is there to confirm; say --yes"));
    let planned = said(&bed, &["adopt", "--dry-run"]).await.well();
    assert!(planned.contains("carts of shard 3 would go on under"), "{planned}");
    let done = said(&bed, &["adopt", "--yes", "--json"]).await.well();
    let first: Value = serde_json::from_str(done.lines().next().unwrap()).unwrap();
    let lineage: Lineage = serde_json::from_value(first["to"].clone()).unwrap();
    let again = said(&bed, &["adopt", "--yes"]).await;
    assert!(again.code == 0 && again.err.contains("already"), "{again:?}");
    let journal = journals(&bed).await;
    let (_, kept) =
        Writer::open(&*journal, &place(5), author(lineage), WriterLimits::default()).await.unwrap();
    assert_eq!(kept.records().count(), 2);
    assert!(journal.open(&place(5), author(Lineage(1))).await.is_err());
    assert_eq!(journal.read(&place(5), Seq(1), 10).await.unwrap().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_not_made() {
    let bed = Testbed::new();
    for words in [&["stat"][..], &["check"], &["export", "carts"]] {
        let said = said(&bed, words).await;
        assert!(said.code != 0 && said.err.contains("journal.db"), "{said:?}");
        assert!(!bed.path("journal.db").exists());
    }
    let none = bed.tenure(&["journal", "check", "--journal", "file:none"]).await.failed(3);
    assert!(none.contains("can't open file:none: nothing is there"), "{none}");
    filled(&bed, Lineage(1)).await;
    let none = said(&bed, &["check", "basket"]).await.failed(4);
    assert!(none.contains("it has 2 journals, named carts"), "{none}");
    let none = bed.tenure(&["journal", "stat", "--journal", "etcd://a:secret@b:2379/c"]).await.failed(2);
    assert!(none.contains("give the journal a place of its own") && !none.contains("secret"), "{none}");
}
