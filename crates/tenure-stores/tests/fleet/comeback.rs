//! Whether a member has come back from a lapse. Blows that hit it again as soon as it wakes may kill it each time before it could:
//! so its first freeze for longer than a lease is let run its course.

/// What is known of one member.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Comeback {
    /// It was not frozen for so long yet.
    #[default]
    Ahead,
    /// It goes on after such a freeze; by then its beats had this many bytes.
    Due { written: u64 },
    /// It has acted again.
    Seen,
}

impl Comeback {
    /// The member is about to go on after a freeze for longer than a lease.
    pub fn wake(&mut self, written: u64) {
        if *self == Self::Ahead {
            *self = Self::Due { written };
        }
    }

    /// Looks whether it acts again.
    pub fn look(&mut self, written: u64) {
        if matches!(self, Self::Due { written: before } if written > *before) {
            *self = Self::Seen;
        }
    }

    /// Whether the member may be struck. One that never acted would not be missed while it is frozen for `long`.
    pub fn allows(self, long: bool, written: u64) -> bool {
        match self {
            Self::Ahead => !long || written > 0,
            Self::Due { .. } => false,
            Self::Seen => true,
        }
    }
}
