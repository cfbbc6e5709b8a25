//! I7: whatever bytes a record holds, nobody crashes, and nobody acts on a record that was not understood.
//!
//! A panic anywhere in a machine is caught by the run itself. Here: a write of a member that lands on a record that can't
//! be understood, or where a page was, means that its sender drew a conclusion from what it could not read.

use tenure_core::record::{Key, MemberRecord};

use crate::promises::{Promise, Verdict, Violation};

/// What a write found at its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing.
    Absent,
    /// A record that makes sense.
    Sense,
    /// Bytes that make no sense.
    Nonsense,
}

/// Watches a write of a member that landed.
pub(crate) fn wrote(who: &str, key: &Key, before: Before, ready: bool) -> Verdict {
    match (key, before) {
        (_, Before::Nonsense) => {
            Err((Promise::NonsenseLeftAlone, format!("{who} wrote over {key}, which nobody can understand")))
        }
        (Key::Page(_), Before::Absent) if ready => {
            Err((Promise::NonsenseLeftAlone, format!("{who} created {key} although the cluster was ready")))
        }
        (Key::Meta | Key::Member(_) | Key::Page(_), Before::Absent | Before::Sense) => Ok(()),
    }
}

/// Watches a member record that `who` wrote over one that had gone back in time: whoever finds its own record to be older than
/// it was lapses, and lives on as a new life alone.
pub(crate) fn carried_on(who: &str, old: &MemberRecord, new: &MemberRecord) -> Verdict {
    let same = old.incarnation() == new.incarnation() && old.process == new.process;
    match same && new.state.is_open() {
        true => Err((
            Promise::NonsenseLeftAlone,
            format!("{who} goes on though its own record went back to seq {}", old.seq),
        )),
        false => Ok(()),
    }
}

/// A machine panicked.
pub(crate) fn panicked(panic: &(dyn std::any::Any + Send)) -> Violation {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let message = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Violation { promise: Promise::NonsenseLeftAlone, at: 0, text: format!("a machine panicked: {message}") }
}
