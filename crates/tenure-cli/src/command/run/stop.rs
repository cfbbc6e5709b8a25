//! Being told to stop: the first signal leaves, the second one hurries.

use tenure::Member;

use crate::signals::StopSignals;
use crate::talk;

/// Leaves the cluster; at the next signal, at once.
pub(super) async fn leave(member: &Member, stops: &mut StopSignals) -> Result<(), tenure::Error> {
    talk::say("leaving: handing all shards on; signal again to hurry");
    tokio::select! {
        left = member.leave() => return left,
        () = stops.next() => {}
    }
    talk::say("leaving at once");
    member.leave_at_once().await
}
