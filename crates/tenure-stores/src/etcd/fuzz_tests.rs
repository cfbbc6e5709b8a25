//! I7 for etcd's watch: whatever comes over the wire, each change is told as a hint about a key of ours, or as "look at everything".

use prost::Message;
use tenure_fuzz::Target;

use super::*;
use crate::etcd::message::{Header, KeyValue};
use crate::etcd::sight::Sight;

fn event(kind: EventKind, key: &'static str, mod_revision: i64) -> Event {
    let value = Bytes::from_static(br#"{"v":1,"state":"gone"}"#);
    let kv = KeyValue { key: Bytes::from_static(key.as_bytes()), mod_revision, value };
    Event { kind: kind.into(), kv: Some(kv) }
}

fn whole() -> [Vec<u8>; 3] {
    let header = Some(Header { cluster_id: 7, revision: 41 });
    let events = vec![
        event(EventKind::Put, "tenure/orders/members/a", 41),
        event(EventKind::Delete, "tenure/orders/ledger/00000", 40),
    ];
    [
        WatchResponse { header, events, fragment: true, ..WatchResponse::default() },
        WatchResponse { header, compact_revision: 40, ..WatchResponse::default() },
        WatchResponse {
            header,
            canceled: true,
            cancel_reason: "etcdserver: permission denied".into(),
            ..WatchResponse::default()
        },
    ]
    .map(|answer| answer.encode_to_vec())
}

/// Everything that is done with an answer, but for waiting.
fn reads(bytes: &[u8]) -> bool {
    let Ok(answer) = WatchResponse::decode(bytes) else { return false };
    let (header, root) = (answer.header.unwrap_or_default(), Root::new("tenure"));
    let (sight, seen) = (Sight::default(), following(header.revision));
    let _ = (
        sight.recognise(header.cluster_id),
        sight.note(seen, Some(&header)),
        cancelled(&answer.cancel_reason),
    );
    assert!(following(header.revision.max(answer.compact_revision)) >= answer.compact_revision);
    for event in answer.events {
        let ours = event.kv.as_ref().and_then(|kv| root.key(&kv.key));
        let hint = hint_of(event, &root);
        assert_eq!(hint.key, ours);
        assert!(hint.record.is_none() || hint.key.is_some(), "a record of no key: {hint:?}");
    }
    true
}

#[test]
fn fuzz_etcd_watch() {
    Target::new("etcd-watch", whole()).run(reads);
}

/// An answer made of the fields of some JSON: their edges are seldom met by bytes that are cut and struck.
fn made_of(json: &[u8]) -> Option<WatchResponse> {
    let fields: serde_json::Value = serde_json::from_slice(json).ok()?;
    let number = |value: &serde_json::Value| value.as_i64().or_else(|| value.as_u64().map(u64::cast_signed));
    let text = |value: &serde_json::Value| value.as_str().map(ToOwned::to_owned);
    let events = fields["events"].as_array()?.iter().map(|event| {
        let kv = KeyValue {
            key: text(&event["key"])?.into(),
            mod_revision: number(&event["revision"])?,
            value: text(&event["value"])?.into(),
        };
        Some(Event { kind: number(&event["kind"])? as i32, kv: Some(kv) })
    });
    Some(WatchResponse {
        header: Some(Header { cluster_id: 7, revision: number(&fields["revision"])? }),
        canceled: fields["canceled"].as_bool()?,
        compact_revision: number(&fields["compact"])?,
        cancel_reason: text(&fields["reason"])?,
        fragment: false,
        events: events.collect::<Option<_>>()?,
    })
}

#[test]
fn fuzz_etcd_watch_fields() {
    let event = r#"{"kind":0,"key":"tenure/orders/members/a","revision":41,"value":"{}"}"#;
    let whole = format!(r#"{{"revision":41,"canceled":false,"compact":0,"reason":"","events":[{event}]}}"#);
    Target::new("etcd-watch-fields", [whole])
        .run(|json| made_of(json).is_some_and(|answer| reads(&answer.encode_to_vec())));
}

#[test]
fn behind_the_last_revision_there_is_none() {
    assert_eq!((following(41), following(i64::MAX)), (42, i64::MAX));
}
