//! The figures of a cluster, as the dashboard sees it.

use tenure::metric::Metric;

pub(super) const SEEN: Metric = Metric::gauge("cluster.seen", "1 if the store answers and has the cluster");
pub(super) const SEEN_AGE: Metric =
    Metric::gauge("cluster.seen_age", "How long ago the store last answered").in_seconds();
pub(super) const SHARDS: Metric = Metric::gauge("cluster.shards", "Shards of the cluster");
pub(super) const UNOWNED: Metric = Metric::gauge("cluster.unowned_shards", "Shards that nobody owns");
pub(super) const MOVING: Metric = Metric::gauge("cluster.moving_shards", "Shards that have an heir");
pub(super) const FAILING: Metric = Metric::gauge(
    "cluster.failing_shards",
    "Shards that are owned to no avail: their work fails and is tried again, or does not end",
);
pub(super) const PROBLEMS: Metric =
    Metric::gauge("cluster.problems", "Records that can't be understood, and the like: a person must look");
pub(super) const MEMBERS: Metric = Metric::gauge("cluster.members", "Members, by state").by(&["state"]);
pub(super) const MEMBER_SHARDS: Metric =
    Metric::gauge("cluster.member_shards", "Shards that a member owns").by(&["member"]);
pub(super) const MEMBER_LEASE_LEFT: Metric = Metric::gauge(
    "cluster.member_lease_left",
    "What is left of a member's lease, as others count; below 0 it may be deposed",
)
.in_seconds()
.by(&["member"]);
pub(super) const RENEWALS: Metric = Metric::counter("cluster.renewals", "Renewals of leases, as seen");
pub(super) const LATE_RENEWALS: Metric = Metric::counter(
    "cluster.late_renewals",
    "Renewals so late that one before them must have failed, as seen",
);
pub(super) const MOVES: Metric = Metric::counter("cluster.moves", "Tenures that ended as planned");
pub(super) const LOSSES: Metric =
    Metric::counter("cluster.losses", "Tenures that ended otherwise: their owner died, was silent or lapsed");
pub(super) const WITHOUT_OWNER: Metric = Metric::times(
    "cluster.without_owner",
    "Times from the last sign of a shard's owner to the next owner, at most",
);
pub(super) const STORE_CALLS: Metric =
    Metric::counter("cluster.store_calls", "The dashboard's own calls to the store")
        .by(&["operation", "outcome"]);
pub(super) const VIEWERS: Metric = Metric::gauge("cluster.viewers", "Streams of the dashboard that are open");

/// The figures of a cluster, as the dashboard sees it.
pub const CLUSTER: [Metric; 17] = [
    SEEN,
    SEEN_AGE,
    SHARDS,
    UNOWNED,
    MOVING,
    FAILING,
    PROBLEMS,
    MEMBERS,
    MEMBER_SHARDS,
    MEMBER_LEASE_LEFT,
    RENEWALS,
    LATE_RENEWALS,
    MOVES,
    LOSSES,
    WITHOUT_OWNER,
    STORE_CALLS,
    VIEWERS,
];
