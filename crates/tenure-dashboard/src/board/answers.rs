//! What the board answers: the picture, the timeline, the health.

use super::Board;
use super::cell::Painter;
use super::series::STEP_MS;
use super::timeline::{self, REMEMBERED_MS};
use crate::json::StreamEvent;
use crate::metrics::{ClusterFigures, MemberFigures};
use crate::view::{
    Beat, Can, Health, Measured, Member, MemberState, NOBODY, Picture, SightState, StorePlace, Timeline,
};
use tenure::cluster::MemberView;

/// What a picture says that is the same for as long as the dashboard runs.
#[derive(Clone, Debug)]
pub(crate) struct PictureBase {
    /// The cluster's name.
    pub(crate) cluster: String,
    /// Where its records are.
    pub(crate) store: StorePlace,
    /// What can be asked for.
    pub(crate) can: Can,
}

impl Board {
    /// The whole picture.
    pub(crate) fn picture(&self, at_ms: u64) -> Picture {
        let base = &self.base;
        let meta = self.seen.as_ref().map(|seen| &seen.meta);
        let mut painter = Painter::default();
        self.cells.iter().for_each(|cell| painter.add(cell));
        let sight = self.sight();
        Picture {
            seq: self.seq,
            at_ms,
            cluster: base.cluster.clone(),
            store: base.store.clone(),
            problems: sight.problems.clone(),
            sight,
            shard_count: meta.map_or(0, |meta| meta.shards),
            ttl_max_ms: meta.map_or(0, |meta| meta.ttl_max_ms),
            placement: meta.map_or_else(String::new, |meta| meta.placement.clone()),
            spread_zones: meta.is_some_and(|meta| meta.spread_zones),
            members: self.members.clone(),
            shards: painter.finish(self.seq, at_ms),
            can: base.can,
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Who owned what from `from_ms` to `to_ms`.
    pub(crate) fn timeline(&self, at_ms: u64, from_ms: u64, to_ms: u64) -> Timeline {
        let tenures = self.timeline.between(from_ms, to_ms);
        let within = |deed: &&crate::view::Deed| (from_ms..=to_ms).contains(&deed.at_ms);
        Timeline {
            seq: self.seq,
            at_ms,
            from_ms: self.began_ms.max(at_ms.saturating_sub(REMEMBERED_MS)),
            names: self.index.names().iter().map(ToString::to_string).collect(),
            tenures: timeline::spelled(self.seq, at_ms, tenures),
            turns: self
                .turns
                .iter()
                .filter(|turn| (from_ms..=to_ms).contains(&turn.at_ms))
                .cloned()
                .collect(),
            deeds: self.deeds.iter().filter(within).cloned().collect(),
            blind: self.blind.iter().copied().collect(),
        }
    }

    /// How well it goes, with the steps that began at or after `from_ms`.
    pub(crate) fn health(&self, at_ms: u64, from_ms: u64, measured: Option<Measured>) -> Health {
        let unowned = self.seen.as_ref().map_or(0, |seen| seen.survey.unowned.len());
        Health {
            at_ms,
            step_ms: STEP_MS,
            points: self.series.points(from_ms),
            gaps: self.series.gaps(),
            unowned: u32::try_from(unowned).unwrap_or(u32::MAX),
            members: self.renewals.members(),
            measured,
        }
    }

    /// How well the cluster is seen.
    pub(crate) fn sight_state(&self) -> SightState {
        self.state.0
    }

    /// The figures of the cluster.
    pub(crate) fn figures(&self, at_ms: u64) -> ClusterFigures {
        let (survey, totals) = (self.seen.as_ref().map(|seen| &seen.survey), &self.series.totals);
        ClusterFigures {
            seen: self.state.0 == SightState::Seen,
            seen_age_s: at_ms.saturating_sub(self.seen_ms.unwrap_or(self.began_ms)) as f64 / 1e3,
            shards: self.cells.len(),
            unowned: survey.map_or(0, |survey| survey.unowned.len()),
            moving: self.cells.iter().filter(|cell| cell.heir != NOBODY).count(),
            failing: survey.map_or(0, |survey| survey.members.iter().map(MemberView::idle).sum()),
            problems: self.sight().problems.len(),
            members: self
                .members
                .iter()
                .filter(|member| member.state != MemberState::Forgotten)
                .map(|member| of(member, at_ms))
                .collect(),
            renewals: totals.renewals,
            late_renewals: totals.late,
            moves: totals.moves,
            losses: totals.losses,
            gaps: totals.gaps,
            gaps_s: totals.gaps_ms as f64 / 1e3,
        }
    }

    /// Still here.
    pub(crate) fn beat(&self, at_ms: u64) -> StreamEvent {
        StreamEvent::aside("beat", &Beat { seq: self.seq, at_ms, seen_ms: self.seen_ms })
    }
}

fn of(member: &Member, at_ms: u64) -> MemberFigures {
    let end_ms = member.lease.renewed_ms + member.lease.ttl_ms;
    MemberFigures {
        id: member.id.clone(),
        state: member.state,
        shards: member.shards,
        lease_left_s: member.lease.open.then(|| (end_ms as f64 - at_ms as f64) / 1e3),
    }
}
