//! The board: told what was seen, it says what changed.

use std::collections::VecDeque;
use std::sync::Arc;

use tenure::cluster::Survey;
use tenure_core::record::Meta;

use super::PictureBase;
use super::cell::{Cell, Painter};
use super::member_index::MemberIndex;
use super::members::{self, Extras, turn};
use super::renewals::Renewals;
use super::series::{Outside, Series};
use super::tenancy::Tenure;
use super::timeline::{self, Parting, Timeline};
use crate::json::StreamEvent;
use crate::view::{
    Blind, Deed, End, Kind, Member, MemberState, Members, Sight, SightState, Turn, Turns, UNKNOWN,
};

/// So many deeds, turns of members and times of blindness are remembered.
const REMEMBERED: usize = 500;

/// So many forgotten members are kept in the picture; then their places are given up, and everybody gets a new picture.
const FORGOTTEN_MAX: usize = 1000;

/// What a look saw.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// What all members agree on.
    pub(crate) meta: Meta,
    /// The cluster.
    pub(crate) survey: Arc<Survey>,
}

/// Everything that viewers can ask for.
#[derive(Debug)]
pub(crate) struct Board {
    pub(super) seq: u64,
    pub(super) began_ms: u64,
    pub(super) seen: Option<Seen>,
    pub(super) seen_ms: Option<u64>,
    pub(super) state: (SightState, u64, Option<String>),
    pub(super) index: MemberIndex,
    pub(super) members: Vec<Member>,
    pub(super) cells: Vec<Cell>,
    pub(super) timeline: Timeline,
    pub(super) renewals: Renewals,
    pub(super) series: Series,
    pub(super) turns: VecDeque<Turn>,
    pub(super) deeds: VecDeque<Deed>,
    pub(super) blind: VecDeque<Blind>,
    pub(super) base: PictureBase,
    extras: Extras,
}

impl Board {
    /// A board that has nothing on it yet.
    pub(crate) fn new(at_ms: u64, base: PictureBase) -> Self {
        Self {
            seq: 0,
            began_ms: at_ms,
            seen: None,
            seen_ms: None,
            state: (SightState::Starting, at_ms, Some("the cluster was not looked at yet".into())),
            index: MemberIndex::default(),
            members: Vec::new(),
            cells: Vec::new(),
            timeline: Timeline::default(),
            renewals: Renewals::default(),
            series: Series::default(),
            turns: VecDeque::new(),
            deeds: VecDeque::new(),
            blind: VecDeque::new(),
            base,
            extras: Extras::default(),
        }
    }

    /// The last look that succeeded.
    pub(crate) fn last_seen(&self) -> Option<&Seen> {
        self.seen.as_ref()
    }

    /// How long before `at_ms` that was.
    pub(crate) fn seen_ago_ms(&self, at_ms: u64) -> Option<u64> {
        Some(at_ms.saturating_sub(self.seen_ms?))
    }

    /// A look at `at_ms` saw this.
    pub(crate) fn saw(&mut self, at_ms: u64, seen: Seen, extras: Extras) -> Vec<StreamEvent> {
        self.extras = extras;
        if self.is_another(&seen) {
            return self.begin_anew(at_ms, seen);
        }
        let problems = self.seen.as_ref().map(|seen| seen.survey.problems.clone());
        let changed = problems.as_ref() != Some(&seen.survey.problems);
        let (before_ms, survey) = (self.seen_ms.unwrap_or(at_ms), Arc::clone(&seen.survey));
        self.seen = Some(seen);
        self.seen_ms = Some(at_ms);
        let mut events = self.answered(at_ms, changed);
        let former = std::mem::take(&mut self.members);
        self.members = members::members(at_ms, &survey, &self.extras, &mut self.index, &former);
        let cells = self.see_cells(&survey);
        // Shards may have named members that have no record.
        self.members = members::members(at_ms, &survey, &self.extras, &mut self.index, &former);
        events.extend(self.tell_members(at_ms, &former));
        events.extend(self.tell_turns(at_ms, &former));
        events.extend(self.tell_cells(at_ms, before_ms, &former, cells));
        self.series.unowned(at_ms, u32::try_from(survey.unowned.len()).unwrap_or(u32::MAX));
        events
    }

    /// Whether this is not the cluster that is shown, or its index is full of members that are no more.
    fn is_another(&self, seen: &Seen) -> bool {
        let forgotten = self.members.iter().filter(|member| member.state == MemberState::Forgotten).count();
        let shape = |seen: &Seen| (seen.meta.lineage, seen.meta.shards);
        let same = |known: &Seen| shape(known) == shape(seen);
        !self.seen.as_ref().is_some_and(same) || forgotten > FORGOTTEN_MAX
    }

    /// Nothing that was known before holds: everybody gets the whole picture.
    fn begin_anew(&mut self, at_ms: u64, seen: Seen) -> Vec<StreamEvent> {
        let survey = Arc::clone(&seen.survey);
        self.index = MemberIndex::default();
        self.cells = vec![Cell::UNSEEN; survey.shards as usize];
        self.timeline = Timeline::new(survey.shards as usize);
        self.renewals = Renewals::default();
        self.turns.clear();
        self.seen = Some(seen);
        self.seen_ms = Some(at_ms);
        // The picture says that, too.
        let _ = self.answered(at_ms, true);
        for view in &survey.members {
            self.index.place(&view.id);
        }
        let changed = self.see_cells(&survey);
        self.members = members::members(at_ms, &survey, &self.extras, &mut self.index, &[]);
        for member in &self.members {
            let _ = self.renewals.saw(member);
        }
        for shard in changed {
            let cell = &self.cells[shard as usize];
            self.timeline.saw(at_ms, shard, cell, |_| Parting { end: End::Lost, sign_ms: at_ms });
        }
        self.seq += 1;
        vec![StreamEvent::of_state(self.seq, "picture", &self.picture(at_ms))]
    }

    /// The store answered: if that is news, it is told.
    fn answered(&mut self, at_ms: u64, changed: bool) -> Vec<StreamEvent> {
        if self.state.0 == SightState::Away {
            self.blind.back_mut().into_iter().for_each(|blind| blind.to_ms = Some(at_ms));
        }
        if self.state.0 != SightState::Seen {
            self.state = (SightState::Seen, at_ms, None);
        } else if !changed {
            return Vec::new();
        }
        vec![self.tell_sight()]
    }

    /// The store does not answer, for this reason.
    pub(crate) fn away(&mut self, at_ms: u64, reason: String) -> Vec<StreamEvent> {
        if self.state.0 == SightState::Away {
            return Vec::new();
        }
        self.blind.push_back(Blind { from_ms: self.seen_ms.unwrap_or(at_ms), to_ms: None });
        let beyond = self.blind.len().saturating_sub(REMEMBERED);
        self.blind.drain(..beyond);
        self.state = (SightState::Away, at_ms, Some(reason));
        vec![self.tell_sight()]
    }

    /// The observer broke, and may have left the board half-changed: nothing on it holds any more.
    pub(crate) fn broke(&mut self, at_ms: u64, reason: String) -> Vec<StreamEvent> {
        let base = self.base.clone();
        let (seq, deeds, blind) =
            (self.seq + 1, std::mem::take(&mut self.deeds), std::mem::take(&mut self.blind));
        *self = Self { seq, began_ms: self.began_ms, deeds, blind, ..Self::new(at_ms, base) };
        self.state = (SightState::Broken, at_ms, Some(reason));
        vec![StreamEvent::of_state(self.seq, "picture", &self.picture(at_ms))]
    }

    /// The store answers, and has no such cluster.
    pub(crate) fn absent(&mut self, at_ms: u64, reason: String) -> Vec<StreamEvent> {
        if self.state.0 == SightState::Absent {
            return Vec::new();
        }
        self.state = (SightState::Absent, at_ms, Some(reason));
        vec![self.tell_sight()]
    }

    /// Somebody did something. What is known already is not told again: the store tells of our own deeds, too.
    pub(crate) fn did(&mut self, deed: Deed) -> Vec<StreamEvent> {
        if self.deeds.iter().any(|known| known.id == deed.id) {
            return Vec::new();
        }
        let event = StreamEvent::aside("deed", &deed);
        let place = self.deeds.partition_point(|known| known.at_ms <= deed.at_ms);
        self.deeds.insert(place, deed);
        let beyond = self.deeds.len().saturating_sub(REMEMBERED);
        self.deeds.drain(..beyond);
        vec![event]
    }

    /// Counters outside of the board stand so.
    pub(crate) fn count(&mut self, at_ms: u64, outside: Outside) {
        self.series.count(at_ms, outside);
    }

    fn tell_sight(&mut self) -> StreamEvent {
        self.seq += 1;
        StreamEvent::of_state(self.seq, "sight", &self.sight())
    }

    /// How well the cluster is seen.
    pub(super) fn sight(&self) -> Sight {
        let (state, since_ms, reason) = self.state.clone();
        let mut problems = self.seen.as_ref().map_or_else(Vec::new, |seen| seen.survey.problems.clone());
        if state == SightState::Broken {
            problems.extend(reason.clone());
        }
        Sight { state, since_ms, seen_ms: self.seen_ms, reason, problems }
    }

    fn tell_members(&mut self, at_ms: u64, former: &[Member]) -> Option<StreamEvent> {
        let is_news = |member: &&Member| former.get(member.index as usize) != Some(*member);
        let changed: Vec<Member> = self.members.iter().filter(is_news).cloned().collect();
        for renewal in self.members.iter().filter_map(|member| self.renewals.saw(member)) {
            self.series.renewed(at_ms, renewal);
        }
        if changed.is_empty() {
            return None;
        }
        self.seq += 1;
        Some(StreamEvent::of_state(self.seq, "members", &Members { seq: self.seq, at_ms, members: changed }))
    }

    fn tell_turns(&mut self, at_ms: u64, former: &[Member]) -> Option<StreamEvent> {
        let was = |member: &Member| former.get(member.index as usize);
        let turns: Vec<Turn> =
            self.members.iter().filter_map(|member| turn(at_ms, was(member), member)).collect();
        if turns.is_empty() {
            return None;
        }
        self.turns.extend(turns.iter().cloned());
        let beyond = self.turns.len().saturating_sub(REMEMBERED);
        self.turns.drain(..beyond);
        self.seq += 1;
        Some(StreamEvent::of_state(self.seq, "turns", &Turns { seq: self.seq, at_ms, turns }))
    }

    /// Takes the shards as they were seen; tells which changed. A shard that can't be read stays as it was.
    fn see_cells(&mut self, survey: &Survey) -> Vec<u32> {
        let mut changed = Vec::new();
        let mut readable = vec![false; self.cells.len()];
        for view in &survey.holdings {
            let cell = Cell::of(view, &mut self.index);
            let place = view.shard.0 as usize;
            let Some(known) = self.cells.get_mut(place) else { continue };
            readable[place] = true;
            if *known != cell {
                *known = cell;
                changed.push(view.shard.0);
            }
        }
        for (place, known) in (0..).zip(&mut self.cells).filter(|(place, _)| !readable[*place as usize]) {
            if known.owner != UNKNOWN {
                known.owner = UNKNOWN;
                changed.push(place);
            }
        }
        changed
    }

    fn tell_cells(
        &mut self,
        at_ms: u64,
        before_ms: u64,
        former: &[Member],
        changed: Vec<u32>,
    ) -> Vec<StreamEvent> {
        if changed.is_empty() {
            return Vec::new();
        }
        self.seq += 1;
        let mut painter = Painter::default();
        let mut moved: Vec<Tenure> = Vec::new();
        for shard in changed {
            let cell = self.cells[shard as usize].clone();
            painter.add_numbered(shard, &cell);
            moved.extend(self.see_tenure(at_ms, before_ms, former, shard, &cell));
        }
        let cells = StreamEvent::of_state(self.seq, "cells", &painter.finish(self.seq, at_ms));
        if moved.is_empty() {
            return vec![cells];
        }
        self.seq += 1;
        let moves = timeline::spelled(self.seq, at_ms, &moved);
        vec![cells, StreamEvent::of_state(self.seq, "moves", &moves)]
    }

    fn see_tenure(
        &mut self,
        at_ms: u64,
        before_ms: u64,
        former: &[Member],
        shard: u32,
        cell: &Cell,
    ) -> Vec<Tenure> {
        if cell.owner == UNKNOWN {
            return Vec::new();
        }
        let members = &self.members;
        let parting = |tenure: &Tenure| parting(before_ms, former, members, tenure);
        let [ended, began] = self.timeline.saw(at_ms, shard, cell, parting);
        ended.iter().for_each(|tenure| self.series.ended(at_ms, tenure));
        began.iter().for_each(|tenure| self.series.began(at_ms, tenure));
        ended.into_iter().chain(began).collect()
    }
}

/// How the owner of a tenure that ended is. Its last sign is the last look that showed it as the owner, if it lives; if it
/// does not, the last renewal before it was closed.
fn parting(before_ms: u64, former: &[Member], members: &[Member], tenure: &Tenure) -> Parting {
    let place = tenure.owner as usize;
    let (was, is) = (former.get(place), members.get(place));
    let end = match (was, is) {
        (_, None) => End::Lost,
        (_, Some(is)) if matches!(is.state, MemberState::Forgotten | MemberState::Unreadable) => End::Lost,
        (_, Some(is)) if is.state == MemberState::Deposed => End::Deposed,
        (_, Some(is)) if is.state == MemberState::Gone => {
            if is.by.is_some() {
                End::Died
            } else {
                End::Left
            }
        }
        (Some(was), Some(is)) if was.incarnation != is.incarnation => End::Lapsed,
        (_, Some(_)) => End::Moved,
    };
    let renewed_ms = was.map_or(before_ms, |was| was.lease.renewed_ms);
    Parting { end, sign_ms: if end.kind() == Kind::Moves { before_ms } else { renewed_ms } }
}
