//! Looking at the store: all pages, then all members, in that order (C3).
//!
//! A look begins at every hint about more than one member's renewal and, without hints, at every poll. One look at a
//! time; a hint that comes during a look starts another right after it.
//!
//! Looks cost [breath](super::breath): a few follow each other at once, then no faster than breath comes back.

use std::time::Duration;

use super::breath::Breath;
use crate::moment::Moment;

/// Where the present look is, and when the next one begins.
#[derive(Debug)]
pub(super) struct Look {
    under_way: Option<UnderWay>,
    /// When the last look began.
    begun_at: Moment,
    next_at: Moment,
    breath: Breath,
    /// The store failed: no hint starts a look before this.
    rests_until: Moment,
    again: bool,
    /// When the last whole look was begun.
    pub seen_whole: Option<Moment>,
    /// When the listing of the last whole look was asked for.
    pub members_asked: Moment,
}

#[derive(Debug)]
struct UnderWay {
    begun_at: Moment,
    pages_left: u32,
    /// The members are listed when no more pages than this are left.
    listing_after: u32,
    listing_asked: Option<Moment>,
    whole: bool,
}

impl UnderWay {
    fn next(&mut self, now: Moment) -> Next {
        if self.pages_left > self.listing_after || self.listing_asked.is_some() {
            return Next::Nothing;
        }
        self.listing_asked = Some(now);
        Next::List
    }
}

/// What to do next in a look.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    Nothing,
    List,
}

impl Look {
    /// Looks that come `poll` after each other while nothing happens.
    pub(super) fn new(poll: Duration) -> Self {
        Self {
            breath: Breath::over(poll),
            under_way: None,
            begun_at: Moment::ZERO,
            next_at: Moment::ZERO,
            rests_until: Moment::ZERO,
            again: false,
            seen_whole: None,
            members_asked: Moment::ZERO,
        }
    }

    pub(super) fn hint(&mut self, now: Moment) {
        if self.under_way.is_some() {
            self.again = true;
        } else {
            self.next_at = now.max(self.earliest());
        }
    }

    /// Before this no look begins, whatever is hinted.
    fn earliest(&self) -> Moment {
        self.rests_until.max(self.breath.earliest())
    }

    /// Somebody waits for news: the next look begins no later than this after the last one.
    pub(super) fn hurry(&mut self, poll: Duration) {
        let at = (self.begun_at + poll).max(self.earliest());
        self.next_at = self.next_at.min(at);
    }

    /// The store failed: whoever asks it again at once, and again, makes it worse.
    pub(super) fn rest(&mut self, until: Moment) {
        self.rests_until = self.rests_until.max(until);
    }

    /// Whether the store is left in peace for a while.
    pub(super) fn rests(&self, now: Moment) -> bool {
        now < self.rests_until
    }

    pub(super) fn deadline(&self) -> Option<Moment> {
        self.under_way.is_none().then_some(self.next_at)
    }

    pub(super) fn is_due(&self, now: Moment) -> bool {
        self.under_way.is_none() && now >= self.next_at
    }

    /// Asks for so many pages, of which so many are answered before the members are asked for.
    pub(super) fn begin(&mut self, now: Moment, pages: u32, before_listing: u32) -> Next {
        self.again = false;
        self.begun_at = now;
        self.breath.take(now);
        let (pages_left, listing_after) = (pages, pages - before_listing);
        let look = UnderWay { begun_at: now, pages_left, listing_after, listing_asked: None, whole: true };
        self.under_way.insert(look).next(now)
    }

    /// A page was answered; after the last one come the members.
    pub(super) fn page_answered(&mut self, now: Moment, good: bool) -> Next {
        let Some(look) = &mut self.under_way else { return Next::Nothing };
        look.pages_left = look.pages_left.saturating_sub(1);
        look.whole &= good;
        look.next(now)
    }

    pub(super) fn is_at_last_page(&self) -> bool {
        self.under_way.as_ref().is_none_or(|look| look.pages_left <= 1)
    }

    /// When the listing under way was asked for.
    pub(super) fn listing_asked(&self) -> Option<Moment> {
        self.under_way.as_ref().and_then(|look| look.listing_asked)
    }

    /// The members were answered: the look is over. The next one counts from when this one began.
    pub(super) fn end(&mut self, now: Moment, good: bool, poll: Duration, retry: Duration) {
        let Some(look) = self.under_way.take() else { return };
        let whole = look.whole && good;
        if whole {
            self.seen_whole = Some(look.begun_at);
            self.members_asked = look.listing_asked.unwrap_or(look.begun_at);
        }
        if !whole {
            self.rest(now + retry);
        }
        let next_at = match () {
            () if self.again || !whole => now,
            () => look.begun_at + poll,
        };
        self.next_at = next_at.max(now).max(self.earliest());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLL: Duration = Duration::from_millis(800);

    /// A whole look of one page, answered at once.
    fn look(look: &mut Look, now: Moment) {
        look.begin(now, 1, 1);
        look.page_answered(now, true);
        look.end(now, true, POLL, POLL);
    }

    #[test]
    fn a_few_looks_follow_each_other_at_once_and_then_no_faster_than_breath_comes_back() {
        let (mut looks, start) = (Look::new(POLL), Moment::from_nanos(1_000_000_000_000));
        let (mut now, mut at_once, mut begun) = (start, 0, 0);
        while now < start + POLL * 4 {
            look(&mut looks, now);
            looks.hint(now);
            begun += 1;
            at_once += u32::from(now == start);
            now = looks.deadline().unwrap();
        }
        assert_eq!((at_once, begun), (9, 40));
    }

    #[test]
    fn a_store_that_failed_is_left_in_peace_whatever_is_hinted() {
        let (mut looks, now) = (Look::new(POLL), Moment::from_nanos(1_000_000_000_000));
        looks.rest(now + POLL);
        looks.hint(now);
        assert_eq!(looks.deadline(), Some(now + POLL));
    }
}
