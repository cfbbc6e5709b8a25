//! What a handle is for: which tables it needs, how long its statements may take, and what it asks of the server.
//!
//! Ownership and journals share all that is known of connections, primaries and fail-overs. They differ in this alone.

use std::time::Duration;

use super::layout::Layout;

/// What connections are used for.
#[derive(Debug)]
pub(super) struct Duty {
    /// The tables that are used.
    pub(super) layout: Layout,
    /// How long one statement may take.
    pub(super) patience: Duration,
    /// Whether a server is refused that answers before a write is on its disk.
    pub(super) must_sync: bool,
}

/// Records of ownership. With a dead server behind it, a member that renews a lease of ten seconds still has the time to find
/// another one. What a crash of the server takes away is guarded against by the protocol.
pub(super) const OWNERSHIP: Duty =
    Duty { layout: Layout::RECORDS, patience: Duration::from_secs(2), must_sync: false };

/// Appends to journals, of up to some megabytes.
pub(super) const APPENDS: Duty =
    Duty { layout: Layout::JOURNALS, patience: Duration::from_secs(5), must_sync: true };

/// Whatever moves snapshots, which are much longer: nobody's append waits behind it.
pub(super) const SNAPSHOTS: Duty = Duty { patience: Duration::from_secs(60), ..APPENDS };
