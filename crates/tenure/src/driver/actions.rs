//! Doing what the machine says, in order.
use tenure_core::message::{Action, Event, Notice, Request};
use tenure_core::moment::Moment;

use super::Driver;

impl Driver {
    pub(super) fn carry_out(&mut self, now: Moment, actions: Vec<Action>) {
        for action in actions {
            self.do_one(now, action);
        }
    }

    fn do_one(&mut self, now: Moment, action: Action) {
        let parts = &mut self.parts;
        match action {
            Action::Call { call, request } => {
                self.check_clock(&request);
                self.parts.calls.send(call, request);
            }
            Action::Warm(seat) => parts.workers.warm(seat),
            Action::Act(seat) => parts.workers.act(seat),
            Action::Drain { seat, until } => parts.workers.drain(&seat, now, until),
            Action::Resume(seat) => parts.workers.resume(&seat),
            Action::Interrupt(seat) => parts.workers.interrupt(&seat),
            Action::Cool(seat) => parts.workers.cool(&seat),
            // Nothing carries grants yet: heirs read `released` from the store, which they do where none arrives.
            Action::Grant(_) => {}
            Action::Abort(shard) => {
                parts.abort.now(&format!("the interrupted work of shard {shard} does not end"))
            }
            Action::Notice(notice) => self.notice(now, notice),
            Action::End(ending) => self.ending = Some(ending),
        }
    }

    /// Our own record is written at each renewal: that is when the clock is judged.
    fn check_clock(&mut self, request: &Request) {
        let renews = matches!(request, Request::Put { key, .. } if *key == self.parts.me);
        if !renews {
            return;
        }
        let reading = self.parts.clock.reading();
        if let Err(fault) = self.clock_watch.observe(reading, self.parts.drift, self.parts.margin) {
            self.at_once.push_back(Event::ClockFault(fault));
        }
    }

    fn notice(&mut self, now: Moment, notice: Notice) {
        self.note_stage(&notice);
        self.note_lease(&notice);
        self.parts.reporter.notice(now, notice);
    }
}
