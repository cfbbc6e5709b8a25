//! Everything there is at one instant: the store, the processes, writes under way, and the facts that can be known.
//!
//! All of it is small numbers, so that a state is a few hundred bytes and two equal states are equal bytes. Times are ages in
//! ticks, never dates, and stop growing once growing makes no difference: so the search comes to an end.

use super::facts::Facts;
use super::incarnation::{Epochs, Incarnation};
use super::scope::Scope;

/// Most member ids.
pub(super) const IDS: usize = 3;
/// Most processes.
pub(super) const PROCESSES: usize = 3;
/// Most lines of an id.
pub(super) const LINES: usize = 5;
/// Most terms of a line.
pub(super) const TERMS: usize = 8;
/// Room for epochs; epoch 0 is nobody's.
pub(super) const EPOCHS: usize = 10;

/// The state of everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// `members/<id>`, by id.
    pub registers: [Register; IDS],
    /// The ledger: one page with one shard.
    pub page: Page,
    /// A page write that is under way: what it expects, and what it writes.
    pub late_page: Option<(Page, Page)>,
    /// The processes; which member each is, the scope says.
    pub processes: [Process; PROCESSES],
    /// What can be known.
    pub facts: Facts,
    /// How many records an operator has deleted.
    pub deletions: u8,
}

/// A key of the store that holds a member's record, and what the quickest observer has seen of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Register {
    /// What is stored.
    pub record: Option<Record>,
    /// Ticks since this version landed.
    pub age: u8,
    /// Ticks since the attempt that wrote it was sent.
    pub sent: u8,
    /// Ticks since the first version of this incarnation landed; counted only for mutants with stale observers.
    pub first_age: u8,
    /// How many lines have been drawn.
    pub lines_drawn: u8,
    /// By line: 0 while its record is there or never was, else 1 + ticks since it vanished.
    pub lost: [u8; LINES],
    /// Ticks since a read first found nothing here; counted only for a mutant.
    pub bare: u8,
}

/// A member's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Line and term.
    pub who: Incarnation,
    /// The process that wrote it.
    pub process: u8,
    /// Active, gone or deposed.
    pub stand: Stand,
    /// The released epochs it carries.
    pub released: Epochs,
}

/// The state of a record. `leaving` is not told apart from `active`: no rule of safety does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stand {
    /// Its member may be acting.
    Active,
    /// Its member has left, or was proved dead.
    Gone,
    /// It was silent, and somebody else said so.
    Deposed,
}

/// The holding of the one shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Page {
    /// False once an operator has lost the page.
    pub present: bool,
    /// The owner.
    pub owner: Holder,
    /// The heir.
    pub heir: Holder,
    /// The highest epoch ever given.
    pub top: u8,
}

impl Page {
    /// The page as it is created.
    pub const NEW: Self = Self { present: true, owner: Holder::NONE, heir: Holder::NONE, top: 0 };
}

/// Somebody in the ledger, and the epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holder {
    /// The holder.
    pub who: Incarnation,
    /// Its epoch.
    pub epoch: u8,
}

impl Holder {
    /// No entry.
    pub const NONE: Self = Self { who: Incarnation::NOBODY, epoch: 0 };

    /// Whether somebody is named.
    pub fn is_some(self) -> bool {
        self.epoch > 0
    }
}

/// One running program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Process {
    /// Where it is in its life.
    pub phase: ProcessPhase,
    /// Whom it is, or tries to become; kept when dead, for proof of death.
    pub who: Incarnation,
    /// Ticks that its lease is still valid; 0 is none.
    pub lease: u8,
    /// Whether the newest version it knows to be its own is the one stored.
    pub current: bool,
    /// The attempt whose answer it waits for.
    pub awaited: Option<Flight>,
    /// An attempt it no longer waits for, which may still land.
    pub orphan: Option<Flight>,
    /// Epochs it has released in this life: W1's memory.
    pub released: Epochs,
    /// How many lives it has begun.
    pub lives: u8,
    /// An epoch that it takes for its own, although the write may not have landed; only for a mutant.
    pub believes: u8,
    /// The highest term it has ever sent; kept only for a mutant.
    pub highest_term: u8,
    /// Ticks since it last sent an attempt; counted only for a mutant.
    pub last_sent: u8,
}

/// Where a process is in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ProcessPhase {
    /// Not started, or detached with its work ended: no lease.
    #[default]
    Idle,
    /// It has sent a join and does not know whether it landed.
    Joining,
    /// It has a lease.
    Member,
    /// It has sent `gone`.
    Left,
    /// It has crashed.
    Dead,
}

/// A write of a process to its own record, under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flight {
    /// How far it has come.
    pub flown: Flown,
    /// What it writes.
    pub record: Record,
    /// Ticks since it was sent.
    pub sent: u8,
    /// Its precondition.
    pub when: When,
}

/// How far a write has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flown {
    /// Sent; may land.
    Sent,
    /// Landed; the answer is on its way.
    Landed,
    /// Refused; the answer is on its way.
    Refused,
}

/// The precondition of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Create-if-absent.
    Absent,
    /// Replace-if-version; the version is the one stored since it was sent. Any change refuses it.
    Unchanged,
    /// None; only for a mutant.
    Always,
}

impl State {
    /// The beginning: an empty ledger, no records, nobody running.
    pub fn first() -> Self {
        Self {
            registers: [Register::default(); IDS],
            page: Page::NEW,
            late_page: None,
            processes: [Process::default(); PROCESSES],
            facts: Facts::default(),
            deletions: 0,
        }
    }

    /// The register of process `p`'s id.
    pub fn register_of(&self, scope: &Scope, p: usize) -> &Register {
        &self.registers[scope.id_of(p)]
    }
}
