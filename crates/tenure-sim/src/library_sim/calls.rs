//! What goes between the processes and the store: calls, answers, hints, proofs of death.

use tenure::store::Hint;
use tenure_core::ids::Process;
use tenure_core::message::CallId;
use tenure_core::record::{Key, Version};

use super::LibrarySim;
use super::ask::{Ask, path, probe};
use super::connection::Call;
use super::run::Happening;
use crate::network::{Departure, Flight, News, carry};
use crate::store::{Landed, Write};
use crate::surroundings::{Harness, ProcessNo, Surroundings};
use crate::words;

impl<'a> Harness<'a> for LibrarySim<'a> {
    fn around(&mut self) -> &mut Surroundings<'a> {
        &mut self.around
    }

    fn write(&mut self, by: Option<ProcessNo>, write: Write<'_>) -> Option<Version> {
        let key = write.key;
        let name = by.map(|no| self.processes[no].name.as_str());
        let Landed { version, .. } = self.around.land(name, write)?;
        self.hint(key);
        if self.around.is_to_undrain(key) {
            self.later(self.around.shape.ttl() / 100, Happening::Undrain);
        }
        Some(version)
    }

    fn acting(&self) -> Option<String> {
        let pieces = self.with.book.pieces();
        let acting = pieces.iter().find(|piece| piece.acts());
        acting.map(|piece| self.processes[piece.process].name.clone())
    }
}

impl LibrarySim<'_> {
    /// A request leaves its process. The library itself gives up on it when its time is over.
    pub(super) fn send(&mut self, Call { from, ask, asker }: Call) {
        let call = CallId(self.askers.len() as u64);
        self.askers.push(Some(asker));
        self.note_of(from, || format!("→ call {}: {}", call.0, ask.told()));
        let over = self.processes[from].time_over(self.around.now);
        let Departure { copy, flight, .. } = self.around.depart(from, call, ask, over);
        for (at, flight) in copy.into_iter().chain(flight) {
            self.queue.put(at, Happening::Arrival(Box::new(flight)));
        }
    }

    /// A request reaches the store.
    pub(super) fn arrive(&mut self, flight: Flight<Ask>) {
        if self.around.outlasts_healing(&flight) {
            return;
        }
        let fate = self.around.fate_of(&flight);
        let Flight { from, call, request, answered, .. } = flight;
        let answer = fate.answer(|| match request.request() {
            Some(request) => carry(self, from, request),
            None => probe(&mut self.probes, self.around.now, &request),
        });
        if let Some(reply) = answer {
            self.queue.put(answered, Happening::Answer { to: from, call, reply: Box::new(reply) });
        }
    }

    /// An answer reaches its process. One that has ended, or given up, asks no more.
    pub(super) fn answer(&mut self, to: ProcessNo, call: CallId, reply: tenure_core::message::Reply) {
        self.note_of(to, || format!("call {}: {}", call.0, words::reply(&reply)));
        if let Some(asker) = self.askers[call.0 as usize].take() {
            let _ = asker.send(reply);
        }
    }

    /// Tells everybody who runs that something changed, as far as hints get through.
    fn hint(&mut self, key: &Key) {
        if self.around.has_no_hints() {
            return;
        }
        for to in 0..self.processes.len() {
            if !self.processes[to].lives() {
                continue;
            }
            let Some(way) = self.around.hint_way() else { continue };
            let hint = Hint::of(path(key));
            let hint = match self.around.news_of(key) {
                News::Changed => hint,
                News::Told(_, record) => hint.with(record),
                News::Rumour(_, record) => Hint { rumour: Some(record), ..hint },
            };
            self.later(way, Happening::Hinted(to, hint));
        }
    }

    /// A witness may tell of a death, sooner or later.
    pub(super) fn may_be_proven(&mut self, process: Process) {
        if self.around.chance.in_10k(self.around.faults.proofs) {
            let way = self.around.chance.below(self.around.shape.ttl() / 10);
            self.later(way, Happening::Proven(process));
        }
    }

    /// A witness tells of a death.
    pub(super) fn proven(&mut self, process: Process) {
        self.dead.send_modify(|dead| {
            dead.insert(process);
        });
    }
}
