//! Processes as a kernel treats them: signals, death signals, namespaces, timers, adoption; and what they share.

use std::collections::VecDeque;
use std::time::Duration;

use tenure_core::moment::Moment;
use tenure_core::warden::{JobId, Order, Report, Term};

use super::flaw::HelperFlaw;
use crate::chance::Chance;

/// Memory and sockets between the processes. They outlive everybody.
#[derive(Debug, Default)]
pub(super) struct Slate {
    pub(super) term: Term,
    pub(super) guard: Option<Moment>,
    pub(super) reaper_pulse: u64,
    pub(super) warden_pulse: u64,
    pub(super) orders: VecDeque<Order>,
    pub(super) reports: VecDeque<Report>,
    /// The reaper is to look at once.
    pub(super) hint: bool,
}

/// One of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Member = 0,
    Reaper = 1,
    Warden = 2,
}

/// A process of ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) alive: bool,
    pub(super) frozen: bool,
    /// In uninterruptible sleep: neither runs nor dies.
    pub(super) stuck: bool,
    /// When the signal that kills it reaches it.
    killed: Option<Moment>,
    /// Since when it is as it is.
    pub(super) since: Moment,
}

impl Task {
    pub(super) fn is_awake(&self) -> bool {
        self.alive && !self.frozen && !self.stuck && self.killed.is_none()
    }
}

/// How far a command's process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not the command yet: it looks at the slate at that moment.
    Nascent(Moment),
    Acting,
    /// It acts no more, and is gone at that moment.
    Dying(Moment),
    Dead,
}

/// Whose child a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    Ours(Who),
    /// Nobody who cares.
    Init,
}

/// A process of a command: its first one, or the worker that left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kid {
    pub(super) job: JobId,
    pub(super) life: u64,
    pub(super) leader: bool,
    pub(super) state: State,
    pub(super) parent: Parent,
    /// Whether the warden has waited for it.
    pub(super) reaped: bool,
}

/// The kernel, the lock and everything that runs.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) now: Moment,
    pub(super) chance: Chance,
    pub(super) flaw: Option<HelperFlaw>,
    /// Whether there is no namespace.
    pub(super) open: bool,
    pub(super) allowance: Duration,
    pub(super) tasks: [Task; 3],
    pub(super) timer: Option<Moment>,
    pub(super) kids: Vec<Kid>,
    pub(super) word: bool,
    /// The member has left the cluster.
    pub(super) left: bool,
}

impl Kernel {
    pub(super) fn new(mut chance: Chance, flaw: Option<HelperFlaw>, allowance: Duration) -> Self {
        let task = Task { alive: true, frozen: false, stuck: false, killed: None, since: Moment::ZERO };
        let open = flaw == Some(HelperFlaw::NoNamespace) || chance.in_10k(3_000);
        let (tasks, now) = ([task; 3], Moment::ZERO);
        Self {
            now,
            chance,
            flaw,
            open,
            allowance,
            tasks,
            timer: None,
            kids: Vec::new(),
            word: false,
            left: false,
        }
    }

    pub(super) fn has(&self, flaw: HelperFlaw) -> bool {
        self.flaw == Some(flaw)
    }

    pub(super) fn task(&self, who: Who) -> Task {
        self.tasks[who as usize]
    }

    /// A moment within the next milliseconds.
    pub(super) fn soon(&mut self) -> Moment {
        self.now + Duration::from_millis(self.chance.below(3))
    }

    /// SIGKILL.
    pub(super) fn kill(&mut self, who: Who) {
        let soon = self.soon();
        self.tasks[who as usize].killed.get_or_insert(soon);
    }

    /// SIGSTOP or SIGCONT.
    pub(super) fn freeze(&mut self, who: Who, frozen: bool) {
        let task = &mut self.tasks[who as usize];
        if task.frozen != frozen {
            (task.frozen, task.since) = (frozen, self.now);
        }
    }

    /// It ends by itself.
    pub(super) fn exit(&mut self, who: Who) {
        self.bury(who);
    }

    /// SIGKILL to a command's process. Some take their time to be gone.
    pub(super) fn kill_kid(&mut self, index: usize) {
        let slow = self.chance.in_10k(300);
        let longest = if slow { 3_000 } else { 3 };
        let gone = self.now + Duration::from_millis(self.chance.below(longest));
        let kid = &mut self.kids[index];
        if matches!(kid.state, State::Nascent(_) | State::Acting) {
            kid.state = State::Dying(gone);
        }
    }

    /// The command's processes that live and are of interest.
    pub(super) fn living(&self, which: impl Fn(&Kid) -> bool) -> Vec<usize> {
        let lives = |kid: &Kid| kid.state != State::Dead && which(kid);
        self.kids.iter().enumerate().filter(|(_, kid)| lives(kid)).map(|(index, _)| index).collect()
    }

    /// Whether a process of ours is gone, with all that its end takes with it: the first process of a namespace outlasts the rest.
    pub(super) fn is_gone(&self, who: Who) -> bool {
        let last = who != Who::Warden || self.open || self.living(|_| true).is_empty();
        !self.task(who).alive && last
    }

    /// Everything that is due at this moment.
    pub(super) fn tick(&mut self, slate: &Slate) {
        if self.timer.is_some_and(|timer| timer <= self.now) {
            self.timer = None;
            self.kill(Who::Reaper);
        }
        for who in [Who::Member, Who::Reaper, Who::Warden] {
            let task = self.task(who);
            if task.alive && task.killed.is_some_and(|at| at <= self.now) && !task.stuck {
                self.bury(who);
            }
        }
        (0..self.kids.len()).for_each(|index| self.grow(index, slate));
    }

    fn bury(&mut self, who: Who) {
        self.tasks[who as usize].alive = false;
        match who {
            Who::Member => {}
            Who::Reaper => {
                self.timer = None;
                if !self.has(HelperFlaw::NoDeathSignal) {
                    self.kill(Who::Warden);
                }
                self.adopt(Who::Reaper);
            }
            Who::Warden => self.lose_warden(),
        }
    }

    fn lose_warden(&mut self) {
        let open = self.open;
        // The kernel ends direct children, or all of a namespace.
        for index in self.living(|kid| !open || (kid.leader && kid.parent == Parent::Ours(Who::Warden))) {
            self.kill_kid(index);
        }
        self.adopt(Who::Warden);
    }

    /// The children of one who died go to the next who adopts.
    fn adopt(&mut self, from: Who) {
        let heirs = [Who::Reaper, Who::Member].into_iter().filter(|who| *who != from);
        let heir = heirs.filter(|who| self.task(*who).alive).map(Parent::Ours).next();
        let to = heir.unwrap_or(Parent::Init);
        self.kids.iter_mut().filter(|kid| kid.parent == Parent::Ours(from)).for_each(|kid| kid.parent = to);
    }

    fn grow(&mut self, index: usize, slate: &Slate) {
        let kid = self.kids[index];
        match kid.state {
            State::Nascent(at) if at <= self.now => self.begin(index, slate),
            State::Dying(gone) if gone <= self.now => self.kids[index].state = State::Dead,
            State::Nascent(_) | State::Acting | State::Dying(_) | State::Dead => {}
        }
    }

    /// A child-to-be looks at the slate, and becomes the command, whose worker leaves.
    fn begin(&mut self, index: usize, slate: &Slate) {
        let (kid, term) = (self.kids[index], slate.term);
        let guarded = slate.guard.is_some() || self.has(HelperFlaw::GuardNotAsked);
        let of_this_life = term.life == kid.life || self.has(HelperFlaw::LivesNotTold);
        if !(of_this_life && guarded && self.now < term.until - self.allowance) {
            self.kids[index].state = State::Dead;
            return;
        }
        self.kids[index].state = State::Acting;
        self.kids.push(Kid { leader: false, state: State::Acting, ..kid });
    }
}
