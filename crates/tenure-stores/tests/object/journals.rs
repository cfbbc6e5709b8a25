//! Journals in a bucket, on the real server and on one that can be asked what came.

use tenure::journal::names::Names;
use tenure::journal::{Author, Journal, Kept, Place, Record, Run, Seq, Shortened, Writer, WriterLimits};
use tenure::store::StoreErrorKind;
use tenure::testing::journal::JournalSubject;
use tenure::testing::journal_suite;
use tenure::{Epoch, Lineage, ShardId};
use tenure_stores::object::JournalBucket;
use tenure_testbed::proxy::{Mode, Proxy};

use crate::address::Address;
use crate::scripted::{Answer, Scripted};
use crate::toy::Toy;

type Bucket = Names<JournalBucket>;

async fn connect(address: &Address) -> Bucket {
    JournalBucket::journal(address.as_str()).await.unwrap()
}

async fn in_a_bucket() -> JournalSubject {
    let address = Address::fresh();
    JournalSubject::new(connect(&address).await).with_second_handle(connect(&address).await)
}

journal_suite!(in_a_bucket);

fn place() -> Place {
    Place { journal: "counter".parse().unwrap(), shard: ShardId(3) }
}

async fn writer(journal: &Bucket, epoch: u64) -> (Writer, Kept) {
    let author = Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) };
    Writer::open(journal, &place(), author, WriterLimits::default()).await.unwrap()
}

fn number(number: u64) -> Vec<Record> {
    vec![Record::json(&number)]
}

async fn stored(journal: &Bucket) -> Vec<u64> {
    let entries = journal.read(&place(), Seq::FIRST, 1_000).await.unwrap();
    let records = entries.iter().flat_map(|entry| &entry.records);
    records.map(|record| serde_json::from_slice(&record.body).unwrap()).collect()
}

#[tokio::test]
async fn an_address_opens_what_it_names() {
    let journal = tenure_stores::open_journal(Address::fresh().as_str()).await.unwrap();
    assert_eq!(journal.kind(), "s3");
    let error = tenure_stores::open_journal("s3:bucket").await.unwrap_err();
    assert!(error.to_string().contains("no bucket is named"), "{error}");
}

#[tokio::test]
async fn an_append_whose_answer_is_lost_is_settled_and_stored_once() {
    let address = Address::fresh();
    let proxy = Proxy::start(address.server()).await.unwrap();
    let journal = connect(&address.by_way_of(proxy.address())).await;
    let (writer, _) = writer(&journal, 1).await;
    for next in 1..=3 {
        proxy.set(Mode::DropAnswerThenCut);
        writer.commit(number(next)).await.unwrap();
    }
    assert_eq!(proxy.answers_lost(), 3);
    assert_eq!(stored(&connect(&address).await).await, [1, 2, 3]);
}

#[tokio::test]
async fn a_deposed_owner_behind_a_cut_learns_that_it_is_over() {
    let address = Address::fresh();
    let proxy = Proxy::start(address.server()).await.unwrap();
    let journal = connect(&address.by_way_of(proxy.address())).await;
    let truth = connect(&address).await;
    let (old, _) = writer(&journal, 1).await;
    old.commit(number(1)).await.unwrap();
    proxy.set(Mode::Cut);
    let (late, ()) = futures_util::join!(old.commit(number(2)), async {
        let (newer, kept) = writer(&truth, 2).await;
        assert_eq!(kept.records().count(), 1);
        newer.commit(number(3)).await.unwrap();
        proxy.set(Mode::Pass);
    });
    assert_eq!(late.unwrap_err().fenced_by(), Some(Epoch(2)));
    assert_eq!(stored(&truth).await, [1, 3]);
}

#[tokio::test]
async fn a_bucket_that_overwrites_in_spite_of_the_condition_is_not_used() {
    for (toy, sin) in [
        (Toy::that_overwrites_on_create(), "created a key that exists"),
        (Toy::that_ignores_versions(), "replaced a version that is no more"),
    ] {
        let server = Scripted::start(move |asked| toy.answer(asked)).await;
        let error = JournalBucket::journal(Address::of(server.address()).as_str()).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Incompatible);
        assert!(error.to_string().contains("store ignores preconditions: do not use"), "{error}");
        assert!(error.to_string().contains(sin), "{error}");
    }
}

#[tokio::test]
async fn a_bucket_whose_rules_take_entries_away_is_not_used() {
    let rules = |prefix: &str| {
        let filter = format!("<Filter><Prefix>{prefix}</Prefix></Filter>");
        format!(
            "<LifecycleConfiguration><Rule><ID>tidy</ID>{filter}<Status>Enabled</Status>\
             <Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>"
        )
    };
    for (prefix, refused) in [("", true), ("p/3/", true), ("q/", false)] {
        let (toy, rules) = (Toy::sound(), rules(prefix));
        let server = Scripted::start(move |asked| match asked.target.contains("lifecycle") {
            true => Answer::say(200, &rules),
            false => toy.answer(asked),
        })
        .await;
        let opened = JournalBucket::journal(Address::of(server.address()).as_str()).await;
        assert_eq!(opened.is_err(), refused, "{prefix}");
        let said = opened.map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(said.contains("lifecycle rule \"tidy\" takes objects away"), refused, "{said}");
        assert!(!said.contains("Signature") && !said.contains("hunter2"), "{said}");
    }
}

#[tokio::test]
async fn a_commit_is_one_put_and_an_idle_journal_asks_nothing() {
    let toy = Toy::sound();
    let server = Scripted::start(move |asked| toy.answer(asked)).await;
    let journal = connect(&Address::of(server.address())).await;
    let (writer, _) = writer(&journal, 1).await;
    let before = server.asked().len();
    for next in 1..=5 {
        writer.commit(number(next)).await.unwrap();
    }
    let asked: Vec<String> = server.asked()[before..].iter().map(|asked| asked.method.clone()).collect();
    assert_eq!(asked, ["PUT"; 5]);
}

#[tokio::test]
async fn what_a_snapshot_stands_for_is_removed_but_for_fences() {
    let address = Address::fresh();
    let journal = connect(&address).await;
    let (writer, _) = writer(&journal, 1).await;
    for next in 1..=3 {
        writer.commit(number(next)).await.unwrap();
    }
    let seq = writer.commit(number(4)).await.unwrap();
    assert_eq!(writer.shorten(seq, "[1,2,3,4]".into()).await.unwrap(), Shortened::Cleared);
    let store = address.open().await;
    let names = tenure::store::Store::list(&store, "3/counter/").await.unwrap();
    let names: Vec<&str> = names.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(names[..2], ["3/counter/head", "3/counter/log/0000000000000001"]);
    assert!(names.len() == 3 && names[2].starts_with("3/counter/snap/0000000000000005-1-"), "{names:?}");
}
