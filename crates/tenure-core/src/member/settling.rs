//! What follows from what is known: seats are taken, others closed, pages written, the way out gone.

use super::claim::Claims;
use super::closing::close;
use super::knowledge::{Ends, Knowledge};
use super::leaving::Leaving;
use super::machine::Machine;
use super::planner::{Advice, Looked};
use super::scribe::Scribe;
use crate::ids::{Epoch, ShardId};
use crate::lease::Word;
use crate::message::{Action, Ending};
use crate::moment::Moment;
use crate::rules::Farewell;

impl Machine {
    /// Takes every seat that the ledger gives us and lets go what is promised to others, if anything was learnt.
    pub(super) fn take_seats(&mut self, now: Moment, out: &mut Vec<Action>) {
        let may_begin = self.is_confirmed();
        let knowledge = self.knowledge(now).filter(|it| it.ends.life.is_some() && may_begin);
        let Some(known) = knowledge.map(|it| it.known()) else {
            return;
        };
        if !self.seats.learns(known) {
            return;
        }
        let overruled = self.claims(now).map_or_else(Vec::new, |claims| self.seats.overruled(&claims));
        self.with_seats(now, out, |seats, ground, deeds| seats.stop(overruled, ground, deeds));
        let claims = self.claims(now).map_or_else(Vec::new, |claims| claims.all());
        self.with_seats(now, out, |seats, ground, deeds| seats.take(claims, ground, deeds));
        self.hurry_looks();
    }

    pub(super) fn claims(&self, now: Moment) -> Option<Claims<'_>> {
        let knowledge = self.knowledge(now)?;
        Some(Claims { life: knowledge.ends.life?, knowledge, grants: self.seats.grants() })
    }

    /// G1: a release leaves the record once the page has moved on; our own memory of it stays.
    pub(super) fn forget_released(&mut self) {
        let Some(book) = &self.book else { return };
        let (rules, is_written) = (self.config.rules, self.keeper.is_settled());
        let said = self.keeper.said().released();
        let done: Vec<(ShardId, Epoch)> = said
            .filter(|(shard, epoch)| rules.may_forget(book.holding(*shard), *epoch, is_written))
            .collect();
        if done.is_empty() {
            return;
        }
        self.releases.outlast_the_record(rules);
        self.keeper.forget_released(&done);
    }

    pub(super) fn close_others(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.closings.rest();
        if !self.is_confirmed() || !self.config.rules.may_close_others(self.keeper.life().is_some()) {
            return;
        }
        let ends = Ends::new(now, &self.config, self.keeper.life(), &self.roster, &self.releases);
        let due = self.closings.advance(&ends, &self.planner);
        let calls = due.into_iter().filter_map(|(id, state)| close(&ends, id, state, self.wall_ms)).collect();
        self.call_all(calls, out);
    }

    pub(super) fn take_steps(&mut self, now: Moment, out: &mut Vec<Action>) {
        let life = self.config.rules.counts_by(self.keeper.life(), self.keeper.under_way());
        let ends = Ends::new(now, &self.config, life.as_ref(), &self.roster, &self.releases);
        self.planner.count(&ends);
        let forgiven = self.planner.forgive(&ends);
        let looked = Looked { whole: self.look.seen_whole, members_asked: self.look.members_asked };
        let ready = life.is_some() && self.is_confirmed() && self.leaving.is_none() && looked.whole.is_some();
        let book = self.book.as_ref().filter(|book| ready && book.is_read());
        let advice = book.map(|book| self.planner.advise(&Knowledge { ends, book }, &looked));
        forgiven.into_iter().for_each(|shard| self.keeper.say(Word::Forgives(shard)));
        self.follow(now, advice.unwrap_or_default(), out);
    }

    fn follow(&mut self, now: Moment, advice: Advice, out: &mut Vec<Action>) {
        if advice.look {
            self.look.hint(now);
        }
        if advice.drafts.is_empty() {
            return;
        }
        let view = self.planner.active_ids().cloned().collect();
        let scribe = Scribe { config: &self.config, view, wall_ms: self.wall_ms };
        let Some(book) = &mut self.book else { return };
        let mut calls = Vec::new();
        for draft in advice.drafts {
            match scribe.write(book, draft) {
                Ok(call) => calls.extend(call),
                Err(what) => out.extend(self.told.spent(what).map(Action::Notice)),
            }
        }
        self.call_all(calls, out);
    }

    pub(super) fn leave(&mut self, now: Moment, hurry: bool) {
        self.leaving.get_or_insert_with(|| Leaving::new(now)).hurry(hurry);
        self.keeper.say(Word::Leaving);
        self.seats.reconsider();
    }

    pub(super) fn advance_leaving(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some(leaving) = &mut self.leaving else { return };
        let has_others = self.planner.has_others(&self.config.id);
        if self.keeper.life().is_none() {
            return self.leave_without_lease(now, out);
        }
        let farewell = leaving.farewell(now, &self.config.timing, has_others);
        self.give_up(now, farewell, out);
        if self.config.rules.may_go(self.seats.is_empty()) {
            self.keeper.go(now);
        }
    }

    fn leave_without_lease(&mut self, now: Moment, out: &mut Vec<Action>) {
        if !self.seats.is_empty() {
            return;
        }
        if self.config.rules.may_end(self.keeper.is_idle()) {
            self.end(Ending::Left, out);
        } else {
            self.with_keeper(now, out, |keeper, acts| keeper.withdraw(now, acts));
        }
    }

    pub(super) fn give_up(&mut self, now: Moment, farewell: Farewell, out: &mut Vec<Action>) {
        self.with_seats(now, out, |seats, ground, deeds| match farewell {
            Farewell::HandOn => {}
            Farewell::Drain => seats.drain_all(ground, deeds),
            Farewell::Interrupt => seats.interrupt_all(ground, deeds),
        });
    }
}
