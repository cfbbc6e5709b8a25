//! I7 for PostgreSQL's notifications, which anybody may send: whatever they say is a rumour, never a record.

use tenure_core::ids::MemberId;
use tenure_core::record::MemberRecord;
use tenure_fuzz::Target;

use super::*;

const WHOLE: [&str; 3] = [
    "orders/ledger/00000",
    "orders/members/a 1-0/2C-7-x 7b2276223a317d",
    "orders/members/b 1-FFFFFFFF/FFFFFFFF-7-forged ",
];

/// The server lets text alone through.
fn hears(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    let hint = hint(text);
    assert!(hint.record.is_none(), "what anybody may say is no record: {hint:?}");
    let id: MemberId = "a".parse().expect("a name");
    if let Some(rumour) = &hint.rumour {
        let _ = MemberRecord::decode(&id, &rumour.value, std::time::Duration::MAX);
    }
    hint.key.is_some()
}

#[test]
fn fuzz_postgres_notification() {
    Target::new("postgres-notification", WHOLE).runs(4_000).run(hears);
}
