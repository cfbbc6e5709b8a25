//! Whoever looks from outside: surveys, news, what-if, and what operators write.

use super::scene::Records;
use crate::ids::{Process, ShardId};
use crate::member::{Reply, Request};
use crate::moment::Moment;
use crate::operator::{self, Mover};
use crate::record::{Key, LedgerPage, MemberRecord, Meta};
use crate::survey::{Newcomer, Onlooker, Survey, Weighed, WhatIf, news};

/// More shards than this are surveyed, and not planned for: that takes long, and does nothing else.
const PLANNED_MAX: u32 = 1000;

/// More pages than this are not asked for one by one.
const PAGES_ASKED: u32 = 8;

/// Looks at all records, and does everything that can be done with what was seen. Whether all of it was understood.
pub(super) fn looks(records: &Records) -> bool {
    let Some(meta) = records.meta() else { return false };
    let (then, now) = (seen(&Records::whole(), records.meta().as_ref()), seen(records, Some(&meta)));
    let (Some(then), Some(now)) = (then, now) else { return false };
    let surveys = [&then, &now].map(|onlooker| onlooker.survey(Moment::from_nanos(2), u64::MAX / 2));
    tell(&surveys[0], &surveys[1]);
    tell(&surveys[1], &surveys[0]);
    if meta.shards <= PLANNED_MAX {
        ask(&meta, &surveys[1]);
        steer(&now, &meta);
    }
    surveys[1].problems.is_empty()
}

fn seen(records: &Records, meta: Option<&Meta>) -> Option<Onlooker> {
    let (mut onlooker, now) = (Onlooker::new(meta?.clone()), Moment::from_nanos(1));
    for number in 0..meta?.pages().min(PAGES_ASKED) {
        let reply =
            records.get(&Key::Page(number)).map_or(Reply::Absent, |found| Reply::Found(found.clone()));
        onlooker.page_read(now, number, reply);
    }
    onlooker.listed(now, now, records.members());
    Some(onlooker)
}

fn tell(before: &Survey, after: &Survey) {
    let told = news(before, after);
    serde_json::to_string(&told).expect("news are JSON");
    serde_json::to_string(after).expect("a survey is JSON");
}

fn ask(meta: &Meta, survey: &Survey) {
    let newcomer = Newcomer { id: "new".parse().unwrap(), weight: u32::MAX, zone: Some("y".into()) };
    let mut questions = vec![WhatIf::default(), WhatIf { add: vec![newcomer], ..WhatIf::default() }];
    for view in &survey.members {
        questions.push(WhatIf { remove: vec![view.id.clone()], ..WhatIf::default() });
        let weigh = vec![Weighed { id: view.id.clone(), weight: u32::MAX }];
        questions.push(WhatIf { weigh, ..WhatIf::default() });
    }
    for question in questions {
        if let Ok(outcome) = question.outcome(meta, survey) {
            serde_json::to_string(&outcome).expect("an outcome is JSON");
        }
    }
}

fn steer(seen: &Onlooker, meta: &Meta) {
    let mover = Mover { author: "operator".parse().unwrap(), at_ms: 1_700_000_000_001 };
    let ids: Vec<_> = seen.roster().entries().map(|(id, _)| id.clone()).collect();
    for id in &ids {
        let drained = [true, false].map(|drained| operator::drain(seen, id, drained).ok().flatten());
        let fenced = operator::fence(seen, id, Process(99), true).ok();
        drained.into_iter().flatten().chain(fenced).for_each(|request| assert_readable(&request, meta));
        for shard in (0..meta.shards.min(16)).chain([u32::MAX]) {
            let moved = operator::promise(seen, ShardId(shard), id, &mover);
            moved.iter().for_each(|request| assert_readable(request, meta));
            let called_off = operator::call_off(seen, &[ShardId(shard)]).unwrap_or_default();
            called_off.iter().for_each(|request| assert_readable(request, meta));
        }
        let called_off = operator::call_off(seen, &operator::promised_away(seen, id)).unwrap_or_default();
        called_off.iter().for_each(|request| assert_readable(request, meta));
    }
}

/// Whatever is written can be read by everybody.
pub(super) fn assert_readable(request: &Request, meta: &Meta) {
    let Request::Put { key, value, .. } = request else { return };
    let readable = match key {
        Key::Meta => Meta::decode(value).map(drop),
        Key::Member(id) => MemberRecord::decode(id, value, meta.ttl_max()).map(drop),
        Key::Page(number) => LedgerPage::decode(*number, value, meta).map(drop),
    };
    assert_eq!(readable, Ok(()), "this was to be written: {}", value.escape_ascii());
}
