//! What processes are told by others than the store: words of peers, of witnesses, of whoever decides what they should own.

use tenure_core::ids::{MemberId, ShardId};
use tenure_core::message::Event;
use tenure_core::plan::Placement;

use super::MachineSim;
use super::queue::{Dead, Happening};
use crate::clock::Nanos;
use crate::surroundings::ProcessNo;
use crate::surroundings::member_id;

impl MachineSim<'_> {
    /// Sends a word to whoever runs as `id` at `at`.
    pub(crate) fn send_word(&mut self, id: &MemberId, at: Nanos, event: Event) {
        if let Some(member) = (0..self.around.shape.members).find(|member| member_id(*member) == *id) {
            self.queue.put(at, Happening::Word { member, event: Box::new(event) });
        }
    }

    /// A word arrives for whoever runs as `member`.
    pub(crate) fn pass_on(&mut self, member: usize, event: &Event) {
        for to in 0..self.procs.len() {
            if self.procs[to].member == member && self.procs[to].lives() {
                self.deliver(Happening::Told { to, event: Box::new(event.clone()) });
            }
        }
    }

    /// A witness saw `dead` end, and tells some processes of it, sooner or later.
    pub(crate) fn spread_the_word(&mut self, dead: Dead) {
        for to in 0..self.procs.len() {
            if self.procs[to].lives() && self.around.chance.in_10k(self.around.faults.proofs) {
                let slow = self.around.chance.in_10k(5_000);
                let most = if slow { 2 * self.around.shape.ttl() } else { self.around.shape.ttl() / 100 };
                let at = self.around.now + self.around.chance.below(most);
                self.queue.put(at, Happening::Told { to, event: Box::new(Event::Died(dead)) });
            }
        }
    }

    /// A witness tells a process that starts of those that ended before.
    pub(crate) fn tell_of_the_dead(&mut self, to: ProcessNo) {
        for place in 0..self.dead.len() {
            if self.around.chance.in_10k(self.around.faults.proofs) {
                let at = self.around.now + self.around.chance.below(self.around.shape.ttl() / 10);
                let event = Box::new(Event::Died(self.dead[place]));
                self.queue.put(at, Happening::Told { to, event });
            }
        }
    }

    /// Tells a process what it should own, where somebody else decides that.
    pub(crate) fn tell_wants(&mut self, to: ProcessNo) {
        if self.around.shape.placement != Placement::External {
            return;
        }
        let shards = (0..self.around.shape.shards).map(ShardId);
        let member = self.procs[to].member;
        let wanted = shards.filter(|shard| self.wanted_by(*shard) == Some(member)).collect();
        self.queue.put(self.around.now, Happening::Told { to, event: Box::new(Event::Want(wanted)) });
    }

    /// Tells every process what it should own.
    pub(crate) fn tell_all_wants(&mut self) {
        for to in 0..self.procs.len() {
            if self.procs[to].lives() {
                self.tell_wants(to);
            }
        }
    }

    /// Who should own a shard: one of the members that run and stay. One that is drained is asked only where there is no other; and
    /// so is one whose place is still taken by a process that leaves: whoever waits for the place can't serve before that one is gone.
    fn wanted_by(&self, shard: ShardId) -> Option<usize> {
        let staying: Vec<usize> =
            (0..self.around.shape.members).filter(|member| self.has(*member, false)).collect();
        let willing = staying.iter().copied().filter(|member| !self.around.stays_drained(*member));
        let willing: Vec<usize> = willing.collect();
        let free: Vec<usize> = willing.iter().copied().filter(|member| !self.has(*member, true)).collect();
        let members =
            [free, willing, staying].into_iter().find(|members| !members.is_empty()).unwrap_or_default();
        let turn = (shard.0 as usize).wrapping_add(self.wants_turn);
        members.get(turn % members.len().max(1)).copied()
    }

    /// Whether a process of a member lives that leaves, or that does not.
    fn has(&self, member: usize, leaving: bool) -> bool {
        self.procs.iter().any(|proc| proc.member == member && proc.lives() && proc.leaving == leaving)
    }
}
