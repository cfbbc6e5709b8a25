//! The way out (L5): saying `gone`, and taking a join back that may yet land (L1). Every way is bounded.

use super::{Act, GONE_TRIES, Keeper, LeasePhase};
use crate::ids::Life;
use crate::message::When;
use crate::moment::Moment;
use crate::record::{MemberRecord, MemberState, Version};

impl Keeper {
    /// Detaches for ever and says `gone` (L5). Every guard must be closed already.
    pub fn go(&mut self, now: Moment) {
        if let LeasePhase::Held { life, version, .. } = &self.phase {
            let version = Some(version.clone());
            self.phase = LeasePhase::Going { life: life.clone(), version, tries: 0, join: None };
            self.config.rules.detach(&self.lease);
            self.next_at = now;
        }
    }

    /// Joins no more (L1). A join that may yet land is awaited, or kept from landing, so that nobody takes it for a lease;
    /// then, or at once if there is none, [`Act::Gone`] follows.
    pub fn withdraw(&mut self, now: Moment, out: &mut Vec<Act>) {
        if !self.is_joining() {
            return;
        }
        let Some((incarnation, when)) = self.applied.take() else { return self.over(out) };
        let life = Life::new(self.config.id.clone(), incarnation);
        self.phase = LeasePhase::Going { life, version: None, tries: 0, join: Some(when) };
        self.next_at = now;
    }

    pub(super) fn say_gone(&mut self, now: Moment, out: &mut Vec<Act>) {
        let LeasePhase::Going { life, version, tries, .. } = &mut self.phase else { return };
        *tries += 1;
        let incarnation = life.incarnation();
        if let Some(version) = version.take() {
            self.write(now, incarnation, MemberState::Gone, When::Is(version), out);
        }
    }

    /// A read brought nothing to go by. Whoever is going tries so often and no more, whatever the reason (L5).
    pub(super) fn tried_in_vain(&mut self, out: &mut Vec<Act>) {
        if let LeasePhase::Going { tries, .. } = &mut self.phase {
            *tries += 1;
            if *tries >= GONE_TRIES {
                self.over(out);
            }
        }
    }

    pub(super) fn resolve_going(
        &mut self,
        now: Moment,
        found: Option<(Version, MemberRecord)>,
        out: &mut Vec<Act>,
    ) {
        let there = found.as_ref().map(|(version, _)| version.clone());
        let open = found.filter(|(_, record)| self.is_ours(record));
        if let Some((_, record)) = &open {
            self.adopt(record);
        }
        match (&mut self.phase, open) {
            (LeasePhase::Going { tries, .. }, _) if *tries >= GONE_TRIES => self.over(out),
            (LeasePhase::Going { version, .. }, Some((read, _))) => {
                *version = Some(read);
                self.next_at = now;
            }
            (LeasePhase::Going { life, tries, join: Some(when), .. }, None)
                if is_met(when, there.as_ref()) =>
            {
                // The join has not landed, and still can. What lands in its place keeps it out.
                *tries += 1;
                let (incarnation, when) = (life.incarnation(), when.clone());
                self.write(now, incarnation, MemberState::Gone, when, out);
            }
            _ => self.over(out),
        }
    }

    pub(super) fn over(&mut self, out: &mut Vec<Act>) {
        self.lease.close();
        self.phase = LeasePhase::Over;
        out.push(Act::Gone);
    }
}

/// Whether a write under this condition would land on what is there.
fn is_met(when: &When, there: Option<&Version>) -> bool {
    match when {
        When::Absent => there.is_none(),
        When::Is(version) => there == Some(version),
    }
}
