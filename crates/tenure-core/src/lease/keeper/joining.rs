//! L1: what the record that is there allows a joiner to do.

use super::wishes::Wishes;
use super::{Act, Keeper};
use crate::ids::{Incarnation, Line, MemberId};
use crate::message::{Notice, When};
use crate::moment::Moment;
use crate::record::{MemberRecord, MemberState, NUMBER_MAX, Version};
use crate::roster::SeenRecord;

impl Keeper {
    /// L1: what the record allows a joiner to do.
    pub(super) fn join_over(
        &mut self,
        now: Moment,
        found: Option<(Version, MemberRecord)>,
        out: &mut Vec<Act>,
    ) {
        let Some((version, record)) = found else {
            let line = Line(self.entropy.bits());
            return self.attempt(now, Incarnation { line, term: 1 }, When::Absent, out);
        };
        let ours = record.process == self.config.process;
        if ours
            && record.state.is_open()
            && self.attempts.newest().is_some()
            && self.late_join(now, &version, &record, out)
        {
            return;
        }
        if ours || !record.state.is_open() || self.may_replace(now, &version, &record) {
            let term = self.next_term(&record);
            if term > NUMBER_MAX {
                return out.push(Act::Tell(Notice::Spent(spent(&self.config.id))));
            }
            self.adopt(&record);
            self.wishes.drained = self.config.rules.stays_drained(self.wishes.drained);
            return self.attempt(now, Incarnation { line: record.line, term }, When::Is(version), out);
        }
        out.push(Act::Tell(Notice::Waiting(record.life(&self.config.id))));
    }

    /// One more than the record's, and than any that this process has lived in: a record that went back in time, against
    /// all rules, must not bring an ended life back.
    fn next_term(&self, record: &MemberRecord) -> u64 {
        self.config.rules.next_term(record.term, self.lived.get(&record.line).copied())
    }

    /// An attempt to join whose reply was lost has landed after all.
    fn late_join(
        &mut self,
        now: Moment,
        version: &Version,
        record: &MemberRecord,
        out: &mut Vec<Act>,
    ) -> bool {
        self.joined(now, record.seq, version.clone(), out);
        let joined = self.life().is_some();
        if joined {
            self.adopt(record);
            out.push(Act::Wrote(version.clone(), Box::new(record.clone())));
        }
        joined
    }

    pub(super) fn adopt(&mut self, record: &MemberRecord) {
        self.wishes = Wishes::of(record);
        self.extra = record.extra.clone();
    }

    fn attempt(&mut self, now: Moment, incarnation: Incarnation, when: When, out: &mut Vec<Act>) {
        self.said.released.clear();
        self.former = None;
        self.applied = Some((incarnation, when.clone()));
        self.write(now, incarnation, MemberState::Active, when, out);
    }

    /// Whether the stranger that holds our id is silent, or proven dead.
    fn may_replace(&mut self, now: Moment, version: &Version, record: &MemberRecord) -> bool {
        let (timing, rules, ttl) = (&self.config.timing, self.config.rules, record.ttl());
        let gap = rules.longest_gap(timing, ttl);
        let known = self.former.take().filter(|former| former.is_of(record.process));
        let former = match known {
            Some(former) => former.again(now, version.clone(), record.clone(), gap, rules),
            None => SeenRecord::first(now, version.clone(), record.clone(), false),
        };
        let silence = rules.silence_before_join(timing, ttl);
        let silent = former.sighting.is_some_and(|sighting| now >= sighting.silent_after(silence));
        self.former = Some(former);
        rules.may_replace(silent, self.dead.contains(&record.process))
    }
}

fn spent(id: &MemberId) -> String {
    format!(
        "the record of member {id} has the last term that there is, {NUMBER_MAX}: start the member under another id"
    )
}
