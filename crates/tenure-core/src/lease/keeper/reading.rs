//! What a fresh read of our own record says, above all after a write whose outcome is not known (L2).

use super::{Act, Keeper, LeasePhase};
use crate::message::{Fault, LapseReason, Notice, Reply, Versioned};
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
            LeasePhase::Joining => self.join_over(now, found, out),
            LeasePhase::Held { .. } => self.resolve(now, found, out),
            LeasePhase::Going { .. } => self.resolve_going(now, found, out),
            LeasePhase::Idle | LeasePhase::Over => {}
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
            LeasePhase::Going { .. } => self.tried_in_vain(out),
            LeasePhase::Idle | LeasePhase::Joining | LeasePhase::Held { .. } | LeasePhase::Over => {
                self.failed(fault.why(), out)
            }
        }
    }

    /// L2: what a fresh read says about a renewal whose outcome is not known.
    fn resolve(&mut self, now: Moment, found: Option<(Version, MemberRecord)>, out: &mut Vec<Act>) {
        let Some((read, record)) = found else { return self.lapse(LapseReason::Ousted, out) };
        if !self.is_ours(&record) {
            return self.lapse(LapseReason::Ousted, out);
        }
        if !self.config.rules.is_own_seq_good(record.seq, self.landed_seq) {
            out.push(Act::Tell(Notice::Rollback(format!(
                "our own record shows seq {} after {} was stored",
                record.seq, self.landed_seq
            ))));
            return self.lapse(LapseReason::Ousted, out);
        }
        self.adopt(&record);
        let newest = self.attempts.newest().map(|(seq, _)| seq);
        self.renewed(now, record.seq, read.clone(), out);
        if let LeasePhase::Held { version, doubt, .. } = &mut self.phase {
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

    pub(super) fn is_ours(&self, record: &MemberRecord) -> bool {
        let life = match &self.phase {
            LeasePhase::Held { life, .. } | LeasePhase::Going { life, .. } => life,
            LeasePhase::Idle | LeasePhase::Joining | LeasePhase::Over => return false,
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
}
