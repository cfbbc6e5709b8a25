//! Whoever recovers a cluster from these records: what is not understood is refused, and what is written everybody can read.

use super::scene::Records;
use crate::ids::{Lineage, Process};
use crate::record::{Key, LedgerPage, MemberRecord};
use crate::recovery::Recovery;

/// More pages than this are not asked for one by one.
const PAGES_ASKED: u32 = 8;

/// Does every step of a recovery with whatever is there.
pub(super) fn recovers(records: &Records) {
    let Some(meta) = records.meta() else { return };
    let recovery = Recovery::new(&meta, Lineage(77));
    for number in 0..meta.pages().min(PAGES_ASKED) {
        records.get(&Key::Page(number)).into_iter().for_each(|found| page(&recovery, number, &found.value));
    }
    for (id, found) in records.members() {
        let Ok(record) = MemberRecord::decode(&id, &found.value, meta.ttl_max()) else { continue };
        let closed = recovery.closed(&record, Process(9), 1_700_000_000_001);
        if let Some(closed) = closed {
            assert_eq!(MemberRecord::decode(&id, &closed.encode(), meta.ttl_max()), Ok(closed));
        }
    }
}

fn page(recovery: &Recovery, number: u32, bytes: &[u8]) {
    let author = "operator".parse().unwrap();
    let Ok(page) = recovery.read_page(number, bytes) else { return };
    let Ok(Some(raised)) = recovery.raised(number, &page, &author) else { return };
    let read = recovery.read_page(number, &raised.encode()).expect("what was raised can be read");
    if let Ok(Some(finished)) = recovery.finished(number, &read) {
        let read = LedgerPage::decode(number, &finished.encode(), &recovery.ready());
        assert_eq!(read.map(|page| page.holdings), Ok(raised.holdings), "everybody can read it");
    }
}
