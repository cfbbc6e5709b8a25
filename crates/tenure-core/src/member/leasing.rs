//! What our own lease does to everything else: it begins, it lapses, it tells.

use super::calls::Purpose;
use super::machine::Machine;
use crate::ids::Life;
use crate::lease::{Act, Keeper};
use crate::message::{Action, Ending, LapseReason, Notice};
use crate::moment::Moment;
use crate::rules::Farewell;

impl Machine {
    pub(super) fn advance_lease(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.with_keeper(now, out, |keeper, acts| keeper.advance(now, acts));
    }

    pub(super) fn with_keeper(
        &mut self,
        now: Moment,
        out: &mut Vec<Action>,
        act: impl FnOnce(&mut Keeper, &mut Vec<Act>),
    ) {
        let mut acts = Vec::new();
        act(&mut self.keeper, &mut acts);
        for act in acts {
            self.lease_acted(now, act, out);
        }
    }

    fn lease_acted(&mut self, now: Moment, act: Act, out: &mut Vec<Action>) {
        match act {
            Act::Call(request) => self.call(Purpose::Lease, request, out),
            Act::Joined(life) => self.joined(now, life, out),
            Act::Wrote(version, record) => {
                self.told.ours_is_well();
                self.roster.learn(now, self.config.id.clone(), version, *record);
            }
            Act::Lapsed(life, reason) => self.lapsed(now, life, reason, out),
            Act::Gone => self.end(Ending::Left, out),
            Act::Tell(notice) => self.told(now, notice, out),
        }
    }

    fn told(&mut self, now: Moment, notice: Notice, out: &mut Vec<Action>) {
        let failed = matches!(notice, Notice::RenewalFailed { .. });
        if self.config.rules.breaks_watching(failed) {
            self.roster.mistrust(now);
        }
        match notice {
            Notice::Unreadable(error) => self.tell_unreadable([error], out),
            notice => out.push(Action::Notice(notice)),
        }
    }

    fn joined(&mut self, now: Moment, life: Life, out: &mut Vec<Action>) {
        self.releases.clear();
        self.seats.begin();
        self.health.joined();
        self.planner.begin(now);
        self.look.hint(now);
        out.push(Action::Notice(Notice::Joined(life)));
    }

    /// L4: every guard is false before anything else happens; then all work is interrupted.
    fn lapsed(&mut self, now: Moment, life: Life, reason: LapseReason, out: &mut Vec<Action>) {
        let farewell = self.config.rules.farewell_at_lapse();
        if farewell == Farewell::Interrupt {
            self.seats.close_all();
        }
        self.health.lapsed(&self.config);
        self.history.doubt();
        self.closings.forget();
        self.roster.mistrust(now);
        self.give_up(now, farewell, out);
        out.push(Action::Notice(Notice::Lapsed { life, reason }));
    }
}
