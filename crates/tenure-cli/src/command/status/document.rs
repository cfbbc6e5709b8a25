//! The status as JSON, for programs. Its shape is documented: names stay, new ones may be added.

use super::complaints::Complaints;
use serde::Serialize;
use tenure::cluster::{HoldingView, MemberStatus, MemberView, Survey};
use tenure::{ClusterName, MemberId, ShardId};
use tenure_core::ids::Incarnation;
use tenure_core::record::Failing;

/// The status of a cluster.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    cluster: &'a ClusterName,
    shards: u32,
    members: Vec<Member<'a>>,
    holdings: &'a [HoldingView],
    unowned: &'a [ShardId],
    problems: &'a [String],
    /// What `--check` finds, in words; nothing if all is well.
    wrong: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Member<'a> {
    id: &'a MemberId,
    incarnation: Option<Incarnation>,
    state: MemberStatus,
    weight: u32,
    zone: Option<&'a str>,
    address: Option<&'a str>,
    holds: &'a [ShardId],
    failing: &'a [Failing],
    stuck: &'a [ShardId],
    renewed_ago_ms: u64,
    ttl_ms: u64,
    version: &'a str,
}

impl<'a> Document<'a> {
    pub(super) fn of(cluster: &'a ClusterName, survey: &'a Survey, now_ms: u64) -> Self {
        Self {
            cluster,
            shards: survey.shards,
            members: survey.members.iter().map(member).collect(),
            holdings: &survey.holdings,
            unowned: &survey.unowned,
            problems: &survey.problems,
            wrong: Complaints { survey, now_ms }.all(),
        }
    }

    pub(super) fn text(&self) -> String {
        crate::format::json_lines(self)
    }
}

fn member(view: &MemberView) -> Member<'_> {
    Member {
        id: &view.id,
        incarnation: view.incarnation,
        state: view.state,
        weight: view.weight,
        zone: view.zone.as_deref(),
        address: view.address.as_deref(),
        holds: &view.holds,
        failing: &view.failing,
        stuck: &view.stuck,
        renewed_ago_ms: view.renewed_ago_ms,
        ttl_ms: view.ttl_ms,
        version: &view.version,
    }
}
