//! The bounds of a search: who takes part, how often, and which faults happen.
//!
//! Several small scopes, each searched to its end, say more than a large one that is not.

use super::promises::Promises;
use super::state::{EPOCHS, IDS, LINES, PROCESSES, TERMS};
use super::timing::Timing;

/// Bounds of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Which member each process is; two with one id are a restart, or two at once.
    pub processes: &'static [u8],
    /// The numbers of the lease.
    pub timing: Timing,
    /// Lives that each process may begin.
    pub lives: u8,
    /// Lines that may be drawn for each id.
    pub lines: u8,
    /// The highest term.
    pub terms: u8,
    /// The highest epoch; 0 leaves the ledger out.
    pub epochs: u8,
    /// Outcomes are unknown: answers get lost, writes land late or never.
    pub unknown: bool,
    /// Processes crash.
    pub crash: bool,
    /// Deaths can be proved.
    pub proof: bool,
    /// Members lapse before their time.
    pub lapse: bool,
    /// Members leave.
    pub leave: bool,
    /// Members release what they hold.
    pub release: bool,
    /// How many records an operator deletes.
    pub deletions: u8,
    /// Strangers touch records.
    pub strangers: bool,
    /// Ledger writes land late.
    pub late_pages: bool,
    /// An operator may lose the page.
    pub page_loss: bool,
    /// Whether I6 is asserted too: from every state, the cluster gets going again.
    pub heals: bool,
}

/// One member, one process, nothing but time.
const QUIET: Scope = Scope {
    name: "quiet",
    about: "one member whose every write is answered",
    processes: &[0],
    timing: Timing::TIGHT,
    lives: 2,
    lines: 1,
    terms: 3,
    epochs: 0,
    unknown: false,
    crash: false,
    proof: false,
    lapse: false,
    leave: false,
    release: false,
    deletions: 0,
    strangers: false,
    late_pages: false,
    page_loss: false,
    heals: false,
};

impl Scope {
    /// One process, many lives, every kind of unknown outcome.
    pub const LEASE: Self = Self {
        name: "lease",
        about: "one process, three lives, a longer lease: unknown outcomes, strangers, leaving, crash; I6 too",
        timing: Timing::LONG,
        lives: 3,
        terms: 4,
        unknown: true,
        strangers: true,
        lapse: true,
        leave: true,
        crash: true,
        heals: true,
        ..QUIET
    };

    /// Two processes with one id.
    pub const TWINS: Self = Self {
        name: "twins",
        about: "two processes with one id, at once or after a crash; unknown outcomes, proof of death, leaving",
        processes: &[0, 0],
        terms: 4,
        lines: 2,
        epochs: 1,
        unknown: true,
        crash: true,
        proof: true,
        leave: true,
        ..QUIET
    };

    /// An operator deletes the record of a member.
    pub const DELETION: Self = Self {
        name: "deletion",
        about: "two processes with one id, whose record an operator deletes; unknown outcomes",
        processes: &[0, 0],
        lines: 2,
        terms: 2,
        unknown: true,
        crash: true,
        deletions: 1,
        ..QUIET
    };

    /// The ledger between two members.
    pub const MOVES: Self = Self {
        name: "moves",
        about: "two members, moves there and back: release, grant, decline, crash",
        processes: &[0, 1],
        lives: 1,
        terms: 1,
        epochs: 4,
        release: true,
        crash: true,
        ..QUIET
    };

    /// A member leaves.
    pub const LEAVING: Self = Self {
        name: "leaving",
        about: "two members, of which one or both leave; unknown outcomes",
        processes: &[0, 1],
        lives: 1,
        terms: 1,
        epochs: 2,
        leave: true,
        release: true,
        unknown: true,
        ..QUIET
    };

    /// Failover.
    pub const FAILOVER: Self = Self {
        name: "failover",
        about: "two members with two lives each: unknown outcomes, strangers, silence, failover, return",
        processes: &[0, 1],
        lives: 2,
        terms: 2,
        epochs: 2,
        unknown: true,
        strangers: true,
        ..QUIET
    };

    /// Late answers.
    pub const PAUSE: Self = Self {
        name: "pause",
        about: "two members with one life each, a longer lease: late and lost answers, silence, failover",
        processes: &[0, 1],
        timing: Timing::LONG,
        lives: 1,
        terms: 1,
        epochs: 2,
        unknown: true,
        ..QUIET
    };

    /// A restart with the same id.
    pub const RESTART: Self = Self {
        name: "restart",
        about: "a member restarts with its id beside another member: release, crash, proof of death",
        processes: &[0, 0, 1],
        lives: 1,
        terms: 2,
        epochs: 3,
        crash: true,
        proof: true,
        release: true,
        ..QUIET
    };

    /// Three members.
    pub const THREE: Self = Self {
        name: "three",
        about: "three members, one life each: release, crash",
        processes: &[0, 1, 2],
        lives: 1,
        terms: 1,
        epochs: 3,
        release: true,
        crash: true,
        ..QUIET
    };

    /// Ledger writes that land late, and a ledger that is lost.
    pub const LATE_PAGES: Self = Self {
        name: "late pages",
        about: "two members; ledger writes land late, and an operator may lose the page",
        processes: &[0, 1],
        lives: 1,
        terms: 1,
        epochs: 3,
        release: true,
        late_pages: true,
        page_loss: true,
        ..QUIET
    };

    /// A deleted record and the ledger.
    pub const ORPHANS: Self = Self {
        name: "orphans",
        about: "a record is deleted while its member lives; another process takes the id, beside another member; I6 too",
        processes: &[0, 0, 1],
        lives: 1,
        lines: 2,
        terms: 2,
        epochs: 2,
        crash: true,
        deletions: 1,
        heals: true,
        ..QUIET
    };

    /// Getting going again.
    pub const HEALING: Self = Self {
        name: "healing",
        about: "two members: release, crash, a deleted record; then faults stop, and I6 is asserted too",
        processes: &[0, 1],
        lives: 1,
        lines: 1,
        terms: 1,
        epochs: 2,
        crash: true,
        release: true,
        deletions: 1,
        heals: true,
        ..QUIET
    };

    /// All scopes of the ordinary tests.
    pub const ALL: [Self; 12] = [
        Self::LEASE,
        Self::TWINS,
        Self::DELETION,
        Self::MOVES,
        Self::LEAVING,
        Self::FAILOVER,
        Self::PAUSE,
        Self::RESTART,
        Self::THREE,
        Self::LATE_PAGES,
        Self::ORPHANS,
        Self::HEALING,
    ];

    /// Whether the state has room for these bounds, with what I6 adds to them.
    pub fn validate(&self) -> Result<(), String> {
        let bounds = [
            ("processes", self.processes.len(), PROCESSES),
            ("ids", self.ids().count(), IDS),
            ("lines", usize::from(self.lines) + 1, LINES),
            ("terms", usize::from(self.terms) + 2, TERMS),
            ("epochs", usize::from(self.epochs) + 4, EPOCHS - 1),
        ];
        match bounds.into_iter().find(|(_, asked, most)| asked > most) {
            None => Ok(()),
            Some((what, asked, most)) => {
                Err(format!("{what} need room for {asked}, there is room for {most}: lower them"))
            }
        }
    }

    /// What a search of this scope asserts.
    pub fn promises(&self) -> Promises {
        if self.heals { Promises::ALL } else { Promises::SAFETY }
    }

    /// The member that process `p` is.
    pub fn id_of(&self, p: usize) -> usize {
        self.processes[p].into()
    }

    /// All ids that take part.
    pub fn ids(&self) -> std::ops::RangeInclusive<usize> {
        0..=self.processes.iter().copied().max().unwrap_or(0).into()
    }

    /// The processes of one id.
    pub fn processes_of(&self, id: usize) -> impl Iterator<Item = usize> + use<> {
        let processes = self.processes;
        (0..processes.len().min(PROCESSES)).filter(move |p| usize::from(processes[*p]) == id)
    }
}
