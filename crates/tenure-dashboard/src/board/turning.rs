//! What became of a member from one look to the next.

use crate::view::{Member, Turn};

/// What became of it, if that is worth a sentence: renewals and shards are not.
pub(super) fn turn(at_ms: u64, was: Option<&Member>, is: &Member) -> Option<Turn> {
    let anew = was.is_some_and(|was| is.lease.open && is_another_life(was, is));
    let same = was.is_some_and(|was| was.state == is.state);
    if same && !anew {
        return None;
    }
    let from = was.map(|was| was.state);
    Some(Turn { at_ms, member: is.id.clone(), from, to: is.state, anew, by: is.by.clone() })
}

fn is_another_life(was: &Member, is: &Member) -> bool {
    was.incarnation.is_some() && is.incarnation.is_some() && was.incarnation != is.incarnation
}
