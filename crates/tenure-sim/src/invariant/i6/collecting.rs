//! A record is removed only when no page names its lives (G2): else who has not read it waits for ttl_max to know them closed.

use tenure_core::ids::MemberId;
use tenure_core::record::Holding;

use crate::oracle::{Invariant, Truth, Verdict};

/// Watches the removal of a member record by `who`.
pub(crate) fn removed(truth: &Truth, who: &str, id: &MemberId) -> Verdict {
    let holdings = truth.pages.iter().flatten().flat_map(|page| &page.holdings);
    match holdings.into_iter().find(|holding| names(holding, id)) {
        Some(holding) => {
            Err((Invariant::I6, format!("{who} removed the record of {id}, whom {holding:?} still names")))
        }
        None => Ok(()),
    }
}

fn names(holding: &Holding, id: &MemberId) -> bool {
    let heir = holding.heir.iter().map(|heir| &heir.life);
    holding.owner.iter().chain(heir).any(|life| life.id() == id)
}
