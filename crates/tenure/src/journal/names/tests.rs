//! Journals of names on a bucket in memory that delays and forgets to answer, as object storage does.

use std::collections::BTreeMap;

use bytes::Bytes;
use tenure_core::ids::{Epoch, Lineage, ShardId};

use super::bucket::Bucket;
use super::*;
use crate::journal::{Damage, Depot, Fault, Kind, Record, Run, Shortened, Since, Writer, WriterLimits};
use crate::journal_suite;
use crate::store::When;
use crate::testing::journal::{JournalSubject, rules};

async fn in_a_bucket() -> JournalSubject {
    in_bucket(Bucket::taking_turns(1))
}

fn in_bucket(bucket: Bucket) -> JournalSubject {
    JournalSubject::new(Names::new(bucket.clone(), "")).with_second_handle(Names::new(bucket, ""))
}

journal_suite!(in_a_bucket);

#[tokio::test]
async fn whatever_turns_the_calls_of_racing_owners_take_nothing_is_lost() {
    for seed in 0..100 {
        let subject = in_bucket(Bucket::taking_turns(seed));
        rules::owners_that_race_lose_nothing(&subject).await;
        let subject = in_bucket(Bucket::taking_turns(seed));
        rules::an_adoption_amid_a_race_loses_nothing(&subject).await;
    }
}

#[tokio::test]
async fn nothing_is_lost_either_where_writes_land_late_or_never() {
    for (seed, every) in [(1, 3), (2, 4), (3, 5), (4, 7)] {
        let unsure = || {
            let bucket = Bucket::taking_turns(seed);
            bucket.with(|contents| contents.unsure = Some(every));
            in_bucket(bucket)
        };
        rules::owners_that_race_lose_nothing(&unsure()).await;
        rules::an_adoption_amid_a_race_loses_nothing(&unsure()).await;
    }
}

/// Two heirs and an owner that shortens, whatever turns their calls take: an heir finds the whole, or is told that it is none.
#[tokio::test]
async fn an_heir_finds_the_whole_whatever_happens_while_it_opens() {
    for seed in 0..200 {
        let bucket = Bucket::taking_turns(seed);
        let journal = Names::new(bucket.clone(), "journals/");
        let (writer, _) = opened(&bucket, 1).await;
        for number in 1..=3_u64 {
            writer.commit(vec![Record::json(&number)]).await.unwrap();
        }
        let ahead = journal.ahead(&place()).await.unwrap();
        let former = async {
            let mut stored = vec![1, 2, 3];
            for number in 4..=9_u64 {
                let Ok(seq) = writer.commit(vec![Record::json(&number)]).await else { break };
                stored.push(number);
                let state = serde_json::to_vec(&stored).unwrap();
                writer.shorten(seq, state.into()).await.unwrap();
            }
            stored
        };
        let heir = |epoch: u64, ahead: Ahead| {
            let journal = journal.clone();
            async move { journal.open_after(ahead, author(epoch, epoch.into())).await }
        };
        let heirs = futures_util::future::join(heir(2, ahead.clone()), heir(3, ahead));
        let (stored, (second, third)) = futures_util::future::join(former, heirs).await;
        let third = numbers(&third.expect("nobody is higher").kept);
        assert_eq!(third[..stored.len()], stored, "seed {seed}");
        if let Ok(second) = second {
            let second = numbers(&second.kept);
            assert_eq!(third[..second.len()], second, "seed {seed}");
        }
    }
}

fn place() -> Place {
    Place { journal: "counter".parse().unwrap(), shard: ShardId(3) }
}

fn author(epoch: u64, run: u128) -> Author {
    Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(run) }
}

fn numbers(kept: &Kept) -> Vec<u64> {
    let state = kept
        .snapshot
        .iter()
        .flat_map(|snapshot| serde_json::from_slice::<Vec<u64>>(&snapshot.state).unwrap());
    let tail = kept.records().map(|record| serde_json::from_slice::<u64>(&record.body).unwrap());
    state.chain(tail).collect()
}

async fn opened(bucket: &Bucket, epoch: u64) -> (Writer, Kept) {
    let journal = Names::new(bucket.clone(), "journals/");
    Writer::open(&journal, &place(), author(epoch, epoch.into()), WriterLimits::default()).await.unwrap()
}

#[tokio::test]
async fn what_was_committed_is_there_for_the_next_owner_and_the_last_one_is_refused() {
    let bucket = Bucket::default();
    let (first, kept) = opened(&bucket, 7).await;
    assert!(numbers(&kept).is_empty());
    for number in 1..=3_u64 {
        first.commit(vec![Record::json(&number)]).await.unwrap();
    }
    let (second, kept) = opened(&bucket, 8).await;
    assert_eq!(numbers(&kept), [1, 2, 3]);
    let error = first.commit(vec![Record::json(&4)]).await.unwrap_err();
    assert_eq!(error.fenced_by(), Some(Epoch(8)));
    second.commit(vec![Record::json(&5)]).await.unwrap();
    let (_, kept) = opened(&bucket, 9).await;
    assert_eq!(numbers(&kept), [1, 2, 3, 5]);
}

#[tokio::test]
async fn a_lower_epoch_does_not_open() {
    let bucket = Bucket::default();
    let (_writer, _) = opened(&bucket, 8).await;
    let journal = Names::new(bucket, "journals/");
    let error = journal.open(&place(), author(7, 7)).await.unwrap_err();
    assert_eq!(error.fenced_by(), Some(Epoch(8)));
    let stranger = Author { lineage: Lineage(2), ..author(9, 9) };
    let error = journal.open(&place(), stranger).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::Foreign(Lineage(1)))), "{error}");
}

#[tokio::test]
async fn a_snapshot_stands_for_what_was_and_leaves_fences_behind() {
    let bucket = Bucket::default();
    let (writer, _) = opened(&bucket, 7).await;
    let mut last = Seq(0);
    for number in 1..=5_u64 {
        last = writer.commit(vec![Record::json(&number)]).await.unwrap();
    }
    assert_eq!(writer.shorten(last, Bytes::from_static(b"[1,2,3,4,5]")).await.unwrap(), Shortened::Cleared);
    let fence = "journals/3/counter/log/0000000000000001";
    let logs: Vec<_> = bucket.names().into_iter().filter(|name| name.contains("/log/")).collect();
    assert_eq!(logs, [fence]);
    writer.commit(vec![Record::json(&6)]).await.unwrap();
    let (writer, kept) = opened(&bucket, 8).await;
    assert_eq!(numbers(&kept), [1, 2, 3, 4, 5, 6]);
    writer.shorten(Seq(8), Bytes::from_static(b"[1,2,3,4,5,6]")).await.unwrap();
    let logs = bucket.names().into_iter().filter(|name| name.contains("/log/")).count();
    assert_eq!((logs, bucket.names().iter().filter(|name| name.contains("/snap/")).count()), (2, 1));
    let (_, kept) = opened(&bucket, 9).await;
    assert_eq!(numbers(&kept), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn answers_that_never_came_are_settled_and_nothing_is_stored_twice() {
    for every in 2..=7 {
        let bucket = Bucket::default();
        bucket.with(|contents| contents.unsure = Some(every));
        for epoch in 1..=4 {
            let (writer, kept) = opened(&bucket, epoch).await;
            let before: Vec<u64> =
                (1..epoch).flat_map(|epoch| (0..10).map(move |n| epoch * 100 + n)).collect();
            assert_eq!(numbers(&kept), before);
            for number in 0..10 {
                writer.commit(vec![Record::json(&(epoch * 100 + number))]).await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn parts_blobs_and_adoptions_bear_answers_that_never_came() {
    for every in 2..=7 {
        let bucket = Bucket::default();
        bucket.with(|contents| contents.unsure = Some(every));
        let journal = Names::new(bucket.clone(), "journals/");
        for epoch in 1..=6_u64 {
            let lineage = Lineage(epoch.into());
            let author = Author { lineage, epoch: Epoch(1), run: Run(1) };
            if epoch > 1 {
                let had = journal.adopt(&place(), lineage).await.unwrap();
                assert_eq!(had, Some(Lineage(u128::from(epoch) - 1)));
                assert_eq!(journal.adopt(&place(), lineage).await.unwrap(), None);
            }
            let (writer, kept) =
                Writer::open(&journal, &place(), author, WriterLimits::default()).await.unwrap();
            assert_eq!(numbers(&kept), (1..epoch).collect::<Vec<_>>());
            writer.commit(vec![Record::json(&epoch).about("key")]).await.unwrap();
            let state = Bytes::from(epoch.to_string());
            journal.save_part(&place(), "key", Seq(epoch), state.clone()).await.unwrap();
            assert_eq!(journal.part(&place(), "key").await.unwrap().unwrap().state, state);
            journal.keep(&format!("blob-{epoch}"), state.clone()).await.unwrap();
            assert_eq!(journal.fetch(&format!("blob-{epoch}")).await.unwrap(), Some(state));
        }
        let adoptions = journal.read(&place(), Seq(1), 100).await.unwrap();
        let adoptions = adoptions.iter().filter(|entry| matches!(entry.kind, Kind::Adoption { .. }));
        assert_eq!(adoptions.count(), 5, "an adoption is stored once");
    }
}

/// An operator's tool may end between the fence and the head. Then nobody opens the journal until it is run again.
#[tokio::test]
async fn an_adoption_that_ended_halfway_is_finished_by_the_next() {
    let bucket = Bucket::default();
    let (first, _) = opened(&bucket, 7).await;
    first.commit(vec![Record::json(&1)]).await.unwrap();
    let adoption = Entry::adoption(Seq(3), Lineage(1), Lineage(2), 0);
    let name = "journals/3/counter/log/0000000000000003";
    bucket.write(name, adoption.encode(&place()), When::Absent).await.unwrap();
    let journal = Names::new(bucket, "journals/");
    let foreign = |error| match error {
        JournalError::Ended(Fault::Foreign(lineage)) => lineage,
        other => panic!("{other}"),
    };
    let stranger = Author { lineage: Lineage(2), ..author(1, 1) };
    assert_eq!(foreign(journal.open(&place(), author(8, 8)).await.unwrap_err()), Lineage(2));
    assert_eq!(foreign(journal.open(&place(), stranger).await.unwrap_err()), Lineage(1));
    assert_eq!(foreign(first.commit(vec![Record::json(&2)]).await.unwrap_err()), Lineage(2));
    assert_eq!(journal.adopt(&place(), Lineage(2)).await.unwrap(), Some(Lineage(1)));
    let opened = journal.open(&place(), stranger).await.unwrap();
    assert_eq!((numbers(&opened.kept), opened.next), (vec![1], Seq(5)));
}

#[tokio::test]
async fn a_key_is_read_by_its_own_entries_and_one_look_at_the_head() {
    let bucket = Bucket::default();
    let journal = Names::new(bucket.clone(), "journals/");
    let (writer, _) = Writer::open(&journal, &place(), author(1, 1), WriterLimits::default()).await.unwrap();
    for number in 0..100_u64 {
        let key = if number % 50 == 0 { "rare" } else { "common" };
        writer.commit(vec![Record::json(&number).about(key)]).await.unwrap();
    }
    bucket.asked();
    let found = journal.clone().read_of(&place(), "rare", Seq(0), 10).await.unwrap();
    assert_eq!(found.iter().map(|keyed| keyed.seq.0).collect::<Vec<_>>(), [2, 52]);
    assert_eq!(bucket.asked(), BTreeMap::from([("get", 3)]));
    // The index ends with the claim: what another owner appends would be missing.
    drop(writer);
    tokio::task::yield_now().await;
    let error = journal.read_of(&place(), "rare", Seq(0), 10).await.unwrap_err();
    assert!(matches!(error, JournalError::NotOpen(_)), "{error}");
}

/// A deposed owner's index names entries that others have removed since; what stands there now may be litter.
#[tokio::test]
async fn what_others_have_shortened_is_not_read_by_an_old_index() {
    let bucket = Bucket::default();
    let journal = Names::new(bucket.clone(), "journals/");
    let (writer, _) = Writer::open(&journal, &place(), author(7, 7), WriterLimits::default()).await.unwrap();
    let seq = writer.commit(vec![Record::json(&1).about("key")]).await.unwrap();
    let litter = bucket.with(|contents| contents.objects.clone());
    let (second, _) = opened(&bucket, 8).await;
    second.shorten(seq, Bytes::from_static(b"[1]")).await.unwrap();
    bucket.with(|contents| {
        contents.objects.extend(litter.into_iter().filter(|(name, _)| name.contains("/log/")))
    });
    let error = journal.read_of(&place(), "key", Seq(0), 10).await.unwrap_err();
    assert!(matches!(error, JournalError::Shortened { start } if start == seq.next()), "{error}");
    assert_eq!(journal.read_of(&place(), "key", seq, 10).await.unwrap(), []);
}

#[tokio::test]
async fn places_are_found_with_few_listings_however_long_the_journals() {
    let bucket = Bucket::default();
    let journal = Names::new(bucket.clone(), "journals/");
    for shard in 0..3 {
        let place = Place { shard: ShardId(shard), ..place() };
        let opened = Writer::open(&journal, &place, author(1, 1), WriterLimits::default()).await;
        let (writer, _) = opened.unwrap();
        for number in 0..2_500_u64 {
            writer.commit(vec![Record::json(&number)]).await.unwrap();
        }
    }
    bucket.asked();
    assert_eq!(journal.places(None, 10).await.unwrap().len(), 3);
    assert_eq!(bucket.asked(), BTreeMap::from([("list", 4)]));
}

#[tokio::test]
async fn a_commit_is_one_put_however_many_wait_and_an_idle_journal_asks_nothing() {
    let bucket = Bucket::default();
    let (writer, _) = opened(&bucket, 7).await;
    bucket.asked();
    let commits = (0..100_u64).map(|number| {
        let writer = writer.clone();
        tokio::spawn(async move { writer.commit(vec![Record::json(&number)]).await.unwrap() })
    });
    let seqs: Vec<_> =
        futures_util::future::join_all(commits).await.into_iter().map(Result::unwrap).collect();
    let entries = seqs.iter().collect::<std::collections::BTreeSet<_>>().len() as u64;
    assert_eq!(bucket.asked(), BTreeMap::from([("put", entries)]));
    assert!(entries <= 3, "{entries} entries");
}

#[tokio::test]
async fn a_warm_heir_reads_only_the_tail_again_and_misses_nothing() {
    let bucket = Bucket::default();
    let (first, _) = opened(&bucket, 7).await;
    for number in 1..=5_000_u64 {
        first.commit(vec![Record::json(&number)]).await.unwrap();
    }
    let journal = Names::new(bucket.clone(), "journals/");
    let ahead = journal.ahead(&place()).await.unwrap();
    assert_eq!((numbers(&ahead.kept), ahead.next()), ((1..=5_000).collect(), Seq(5_002)));
    first.commit(vec![Record::json(&5_001)]).await.unwrap();
    let (second, _) = opened(&bucket, 8).await;
    second.commit(vec![Record::json(&5_002)]).await.unwrap();
    bucket.asked();
    let (_, since) =
        Writer::open_after(&journal, ahead, author(9, 9), WriterLimits::default()).await.unwrap();
    // One listing; the three entries that came since, one that is not there, and the head; our fence.
    assert_eq!(bucket.asked(), BTreeMap::from([("list", 1), ("get", 5), ("put", 1)]));
    let Since::More(entries) = since else { panic!("{since:?}") };
    assert_eq!(numbers(&Kept::new(None, entries)), [5_001, 5_002]);
    assert_eq!(second.commit(vec![Record::json(&0)]).await.unwrap_err().fenced_by(), Some(Epoch(9)));
}

#[tokio::test]
async fn a_snapshot_that_came_meanwhile_makes_a_warm_heir_begin_anew() {
    let bucket = Bucket::default();
    let (first, _) = opened(&bucket, 7).await;
    let upto = first.commit(vec![Record::json(&1)]).await.unwrap();
    let journal = Names::new(bucket.clone(), "journals/");
    let ahead = journal.ahead(&place()).await.unwrap();
    first.shorten(upto, Bytes::from_static(b"[1]")).await.unwrap();
    first.commit(vec![Record::json(&2)]).await.unwrap();
    let (_, since) =
        Writer::open_after(&journal, ahead, author(8, 8), WriterLimits::default()).await.unwrap();
    let Since::Anew(kept) = since else { panic!("{since:?}") };
    assert_eq!(numbers(&kept), [1, 2]);
}

#[tokio::test]
async fn what_was_lost_is_told_and_nothing_is_guessed() {
    let bucket = Bucket::default();
    let (writer, _) = opened(&bucket, 7).await;
    for number in 1..=3_u64 {
        writer.commit(vec![Record::json(&number)]).await.unwrap();
    }
    let damaged = |remove: &'static str| {
        let copy = Bucket::default();
        let objects = bucket.with(|contents| contents.objects.clone());
        copy.with(|contents| contents.objects = objects);
        copy.with(|contents| contents.objects.retain(|name, _| !name.ends_with(remove)));
        async move {
            let error = Names::new(copy, "journals/").open(&place(), author(8, 8)).await.unwrap_err();
            let JournalError::Ended(Fault::Damaged(damage)) = error else { panic!("{error}") };
            damage
        }
    };
    assert_eq!(damaged("head").await, Damage::HeadGone);
    assert_eq!(damaged("log/0000000000000003").await, Damage::EntryGone(Seq(3)));
    writer.shorten(Seq(3), Bytes::from_static(b"[1,2]")).await.unwrap();
    let snapshot = bucket.names().into_iter().find(|name| name.contains("/snap/")).unwrap();
    let end: &'static str = Box::leak(snapshot.rsplit('/').next().unwrap().to_owned().into_boxed_str());
    assert_eq!(damaged(end).await, Damage::SnapshotGone(Seq(3)));
}
