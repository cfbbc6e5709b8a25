//! What people did to the cluster by other ways than this dashboard: kept in the store, and told here like our own deeds.

use std::time::Duration;

use tenure::Error;
use tenure::cluster::{Act, Came, Cluster};

use crate::shared::Shared;
use crate::view::{Deed, DeedKind};

/// So long an act may go without a word of what came of it: it may still be under way.
const PENDING: Duration = Duration::from_secs(30);

/// Tells what is kept in the store and was not told yet.
pub(super) async fn tell(shared: &Shared, cluster: &mut Cluster) -> Result<(), Error> {
    let acts = cluster.acts().await?;
    let now_ms = shared.now_ms();
    for deed in acts.into_iter().filter_map(|act| deed(act, now_ms)) {
        shared.tell(|board, _| board.did(deed));
    }
    Ok(())
}

/// The act as a deed, once it is known what came of it, or that will never be said.
fn deed(act: Act, now_ms: u64) -> Option<Deed> {
    let refused = match act.came {
        Some(Came::Done) => None,
        Some(Came::Refused(why)) => Some(why),
        None if now_ms.saturating_sub(act.at_ms) < PENDING.as_millis() as u64 => return None,
        None => Some("nobody said what came of it".into()),
    };
    let (id, at_ms, who, by, why) = (act.id, act.at_ms, act.who, act.by, act.why);
    Some(Deed { id, at_ms, who, by, what: DeedKind::from(act.what.as_str()), why, refused })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(came: Option<Came>) -> Act {
        let [id, who, by, what, why] =
            ["1", "eve@host", "command line", "drain a", "disk"].map(str::to_owned);
        Act { id, at_ms: 1_000, who, by, what, why, came }
    }

    #[test]
    fn an_act_is_a_deed_once_it_is_known_what_came_of_it() {
        let done = deed(act(Some(Came::Done)), 1_000).unwrap();
        assert_eq!((done.what, done.refused), (DeedKind::Drain { member: "a".into() }, None));
        let refused = deed(act(Some(Came::Refused("no".into()))), 1_000).unwrap();
        assert_eq!(refused.refused.as_deref(), Some("no"));
        assert_eq!(deed(act(None), 2_000), None);
        assert_eq!(deed(act(None), 40_000).unwrap().refused.as_deref(), Some("nobody said what came of it"));
    }
}
