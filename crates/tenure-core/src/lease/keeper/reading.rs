//! What a fresh read of our own record says, above all after a write whose outcome is not known (L2).

use super::{Act, GONE_TRIES, Keeper, Phase};
use crate::flaw::Flaw;
use crate::member::{Fault, LapseReason, Notice, Reply, Versioned, When};
use crate::moment::Moment;
use crate::record::{MemberRecord, MemberState, Version};

impl Keeper {
    pub(super) fn read_replied(&mut self, now: Moment, reply: Reply, out: &mut Vec<Act>) {
        self.next_at = now + self.config.timing.acquire_retry_interval;
        let found = match reply {
            Reply::Found(found) => Some(found),
            Reply::Absent => None,
            Reply::Failed(fault) => return self.read_failed(fault, out),
            Reply::Unchanged | Reply::Members(_) | Reply::Stored(_) | Reply::Deleted | Reply::Conflict => {
                return self.tried_in_vain(out);
            }
        };
        let record = match self.decode(found.as_ref()) {
            Ok(record) => record,
            Err(notice) => {
                out.push(Act::Tell(notice));
                return self.tried_in_vain(out);
            }
        };
        let found = found.map(|found| found.version).zip(record);
        match &self.phase {
            Phase::Joining => self.join_over(now, found, out),
            Phase::Held { .. } => self.resolve(now, found, out),
            Phase::Going { .. } => self.resolve_going(now, found, out),
            Phase::Idle | Phase::Over => {}
        }
    }

    fn decode(&self, found: Option<&Versioned>) -> Result<Option<MemberRecord>, Notice> {
        let Some(found) = found else { return Ok(None) };
        MemberRecord::decode(&self.config.id, &found.value, self.ttl_max)
            .map(Some)
            .map_err(Notice::Unreadable)
    }

    fn read_failed(&mut self, fault: Fault, out: &mut Vec<Act>) {
        if let Fault::Denied(why) = &fault {
            out.push(Act::Tell(Notice::Refused(why.clone())));
        }
        match self.phase {
            Phase::Going { .. } => self.tried_in_vain(out),
            Phase::Idle | Phase::Joining | Phase::Held { .. } | Phase::Over => self.failed(fault.why(), out),
        }
    }

    /// A read brought nothing to go by. Whoever is going tries so often and no more, whatever the reason (L5).
    fn tried_in_vain(&mut self, out: &mut Vec<Act>) {
        if let Phase::Going { tries, .. } = &mut self.phase {
            *tries += 1;
            if *tries >= GONE_TRIES {
                self.over(out);
            }
        }
    }

    /// L2: what a fresh read says about a renewal whose outcome is not known.
    fn resolve(&mut self, now: Moment, found: Option<(Version, MemberRecord)>, out: &mut Vec<Act>) {
        let Some((read, record)) = found else { return self.lapse(LapseReason::Ousted, out) };
        if !self.is_ours(&record) {
            return self.lapse(LapseReason::Ousted, out);
        }
        if record.seq < self.landed_seq && !self.config.flaws.has(Flaw::SeqGoesBack) {
            out.push(Act::Tell(Notice::Rollback(format!(
                "our own record shows seq {} after {} was stored",
                record.seq, self.landed_seq
            ))));
            return self.lapse(LapseReason::Ousted, out);
        }
        self.adopt(&record);
        let newest = self.attempts.newest().map(|(seq, _)| seq);
        self.renewed(now, record.seq, read.clone(), out);
        if let Phase::Held { version, doubt, .. } = &mut self.phase {
            (*version, *doubt) = (read.clone(), false);
        }
        // Whatever the newest attempt said may not be in the record: say it again now.
        if newest.is_none_or(|newest| newest != record.seq) {
            self.next_at = now + self.pause();
        } else {
            self.written = self.revision_of(&record);
        }
        out.push(Act::Wrote(read, Box::new(record)));
    }

    fn is_ours(&self, record: &MemberRecord) -> bool {
        let life = match &self.phase {
            Phase::Held { life, .. } | Phase::Going { life, .. } => life,
            Phase::Idle | Phase::Joining | Phase::Over => return false,
        };
        record.incarnation() == life.incarnation()
            && record.process == self.config.process
            && record.state.is_open()
    }

    /// Whether all that we want to say is in the record.
    fn revision_of(&self, record: &MemberRecord) -> u64 {
        let state = if self.said.leaving { MemberState::Leaving } else { MemberState::Active };
        let said = self.record(record.incarnation(), state, record.seq);
        let said = MemberRecord { at_ms: record.at_ms, ..said };
        if said == *record { self.revision } else { self.written }
    }

    fn resolve_going(&mut self, now: Moment, found: Option<(Version, MemberRecord)>, out: &mut Vec<Act>) {
        let there = found.as_ref().map(|(version, _)| version.clone());
        let open = found.filter(|(_, record)| self.is_ours(record));
        if let Some((_, record)) = &open {
            self.adopt(record);
        }
        match (&mut self.phase, open) {
            (Phase::Going { tries, .. }, _) if *tries >= GONE_TRIES => self.over(out),
            (Phase::Going { version, .. }, Some((read, _))) => {
                *version = Some(read);
                self.next_at = now;
            }
            (Phase::Going { life, tries, join: Some(when), .. }, None) if is_met(when, there.as_ref()) => {
                // The join has not landed, and still can. What lands in its place keeps it out.
                *tries += 1;
                let (incarnation, when) = (life.incarnation(), when.clone());
                self.write(now, incarnation, MemberState::Gone, when, out);
            }
            _ => self.over(out),
        }
    }
}

/// Whether a write under this condition would land on what is there.
fn is_met(when: &When, there: Option<&Version>) -> bool {
    match when {
        When::Absent => there.is_none(),
        When::Is(version) => there == Some(version),
    }
}
