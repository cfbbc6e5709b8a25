//! Events and actions in words, for the log.

use bytes::Bytes;
use serde_json::Value;
use tenure_core::message::{Action, Event, Fault, Outcome, Reply, Request, When};

/// An event, in words.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::Start => "is told to start".into(),
        Event::Reply { call, reply: answer } => format!("call {}: {}", call.0, reply(answer)),
        Event::Hint(Some(key)) => format!("hint: {key}"),
        Event::Heard { id, record } => format!("hears of {id} at {}", record.version.as_str()),
        Event::Rumour { id, record } => format!("is told of {id} at {}", record.version.as_str()),
        Event::Hint(None) => "hint: anything".into(),
        Event::Grant(grant) => format!(
            "is granted {:?}: {} ended {:?}, {} begins {:?}",
            grant.shard, grant.owner, grant.owner_epoch, grant.heir, grant.heir_epoch
        ),
        Event::Ended { shard, epoch, outcome } => match outcome {
            Outcome::Done => format!("work of {shard:?} at {epoch:?} ended"),
            Outcome::Failed(error) => format!("work of {shard:?} at {epoch:?} failed: {error}"),
        },
        Event::Died(process) => format!("learns that {process:?} died"),
        Event::ClockFault(why) => format!("distrusts its clock: {why}"),
        Event::Want(shards) => format!("should own {shards:?}"),
        Event::Leave => "is asked to leave".into(),
        Event::Hurry => "is asked to hurry".into(),
    }
}

/// An action, in words.
pub(crate) fn action(action: &Action) -> String {
    match action {
        Action::Call { call, request: asked } => format!("→ call {}: {}", call.0, request(asked)),
        Action::Warm(seat) => format!("→ warm {:?} at {:?}", seat.shard(), seat.epoch()),
        Action::Act(seat) => format!("→ act for {:?} at {:?}", seat.shard(), seat.epoch()),
        Action::Drain { seat, .. } => format!("→ drain {:?} at {:?}", seat.shard(), seat.epoch()),
        Action::Resume(seat) => format!("→ resume {:?} at {:?}", seat.shard(), seat.epoch()),
        Action::Interrupt(seat) => format!("→ interrupt {:?} at {:?}", seat.shard(), seat.epoch()),
        Action::Cool(seat) => format!("→ cool {:?} at {:?}", seat.shard(), seat.epoch()),
        Action::Grant(grant) => format!("→ grant {:?} {:?} to {}", grant.shard, grant.heir_epoch, grant.heir),
        Action::Abort(shard) => format!("→ abort: the work of {shard:?} does not end"),
        Action::Notice(notice) => format!("→ notice {notice:?}"),
        Action::End(ending) => format!("→ end: {ending:?}"),
    }
}

/// A request, in words.
pub(crate) fn request(request: &Request) -> String {
    match request {
        Request::Get { key, unless } => {
            format!("get {key}{}", unless.as_ref().map_or(String::new(), |v| format!(" unless {v:?}")))
        }
        Request::ListMembers => "list members".into(),
        Request::Put { key, value, when } => {
            let when = match when {
                When::Absent => "if absent".to_string(),
                When::Is(version) => format!("if {version:?}"),
            };
            format!("put {key} {when}: {}", content(value))
        }
        Request::Delete { key, version } => format!("delete {key} if {version:?}"),
    }
}

/// An answer, in words.
pub(crate) fn reply(reply: &Reply) -> String {
    match reply {
        Reply::Absent => "absent".into(),
        Reply::Unchanged => "unchanged".into(),
        Reply::Found(found) => format!("found {:?}: {}", found.version, content(&found.value)),
        Reply::Members(members) => {
            let each = members
                .iter()
                .map(|(id, found)| format!("{id} {:?} {}", found.version, content(&found.value)));
            format!("members: {}", each.collect::<Vec<_>>().join("; "))
        }
        Reply::Stored(version) => format!("stored as {version:?}"),
        Reply::Deleted => "deleted".into(),
        Reply::Conflict => "conflict".into(),
        Reply::Failed(Fault::Unavailable(why)) => format!("unavailable: {why}"),
        Reply::Failed(Fault::Indeterminate(why)) => format!("unknown: {why}"),
        Reply::Failed(Fault::Denied(why)) => format!("denied: {why}"),
    }
}

/// What matters of a record: lives are cut to eight digits, fields that never change are left out.
pub(crate) fn content(value: &Bytes) -> String {
    let Ok(Value::Object(mut record)) = serde_json::from_slice(value) else {
        return format!("nonsense of {} bytes", value.len());
    };
    for dull in ["v", "lineage", "weight", "version", "ttl_ms", "address", "zone", "page_size"] {
        record.remove(dull);
    }
    shorten(Value::Object(record)).to_string()
}

fn shorten(value: Value) -> Value {
    match value {
        Value::String(text) if text.len() == 32 => Value::String(text[..8].into()),
        Value::Array(all) => Value::Array(all.into_iter().map(shorten).collect()),
        Value::Object(all) => {
            Value::Object(all.into_iter().map(|(key, value)| (key, shorten(value))).collect())
        }
        other => other,
    }
}
