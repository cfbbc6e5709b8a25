//! A machine's calls of the store: sent, answered or over, and the words that an owner sends straight to its heir.

use tenure_core::message::{CallId, Event, Grant, Request};

use super::MachineSim;
use super::queue::Happening;
use crate::clock::Nanos;
use crate::network::{Departure, Flight, Sent, carry};
use crate::promises::settles::service;
use crate::surroundings::ProcessNo;

impl MachineSim<'_> {
    /// A process calls the store.
    pub(crate) fn send(&mut self, no: ProcessNo, call: CallId, request: Request) {
        let write = request.is_write();
        self.watch_sent(no, &request);
        self.note_sent(no, call, &request);
        let calls = self.procs[no].count_call(self.around.now);
        self.around.judge(service::pace(&self.around.truth, &self.procs[no], calls));
        self.procs[no].pending.push((call, write));
        let over = self.time_over(no);
        let Departure { in_time, copy, flight } = self.around.depart(no, call, request, over);
        if !in_time {
            self.queue.put(over, Happening::CallOver { to: no, call, write });
        }
        for (at, flight) in copy.into_iter().chain(flight) {
            self.queue.put(at, Happening::Arrival(Box::new(flight)));
        }
    }

    fn time_over(&self, no: ProcessNo) -> Nanos {
        let proc = &self.procs[no];
        let timeout = proc.timing.call_timeout;
        proc.clock.when(proc.clock.read(self.around.now) + timeout)
    }

    /// A request reaches the store.
    pub(crate) fn arrive(&mut self, flight: Flight) {
        if self.around.outlasts_healing(&flight) {
            return;
        }
        let fate = self.around.fate_of(&flight);
        let Flight { from, call, request, answered, .. } = flight;
        if let Some(reply) = fate.answer(|| carry(self, from, request)) {
            self.queue.put(answered, Happening::Answer { to: from, call, reply: Box::new(reply) });
        }
    }

    /// An owner's word travels straight to the processes of its heir.
    pub(crate) fn send_grant(&mut self, grant: Grant) {
        let copies = 1 + self.around.chance.place(2);
        for _ in 0..copies {
            if self.around.chance.in_10k(self.around.faults.grants_lost) {
                continue;
            }
            let late = self.around.chance.in_10k(self.around.faults.grants_late);
            let way = if late { self.around.faults.delay } else { self.around.faults.hop };
            let at = self.around.now + self.around.chance.span(way);
            self.send_word(grant.heir.id(), at, Event::Grant(grant.clone()));
        }
    }
}
