//! The cluster as the view needs it, from the library's own look at it, which writes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tenure::cluster::{Cluster, HoldingView, MemberStatus, MemberView, Survey};
use tenure::store::SharedStore;
use tenure::{ErrorKind, MemberId};
use tenure_core::ids::Incarnation;

use super::fleet;
use crate::exit::Failure;

/// What a member's record says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has a lease.
    Active,
    /// It has one, and hands its shards on.
    Leaving,
    /// It left, or its death was proven.
    Gone,
    /// It was silent, and another closed it.
    Deposed,
}

impl Standing {
    /// Whether it has a lease.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Active | Self::Leaving)
    }

    fn of(view: &MemberView) -> Self {
        match view.state {
            MemberStatus::Leaving => Self::Leaving,
            MemberStatus::Gone => Self::Gone,
            MemberStatus::Deposed => Self::Deposed,
            MemberStatus::Active
            | MemberStatus::Drained
            | MemberStatus::Silent
            | MemberStatus::Unreadable => Self::Active,
        }
    }
}

/// A member's record, as far as the view needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    /// What it says of its member.
    pub(super) standing: Standing,
    /// Which life of the member.
    pub(super) life: Option<Incarnation>,
    /// How long ago it was renewed.
    pub(super) age: Duration,
}

/// Who may act for one shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Seat {
    /// Nobody.
    #[default]
    Vacant,
    /// This member.
    Held(MemberId),
    /// The first, until it has finished; then the second.
    Moving(MemberId, MemberId),
}

impl Seat {
    /// Who may act now.
    pub(super) fn owner(&self) -> Option<&MemberId> {
        match self {
            Self::Vacant => None,
            Self::Held(owner) | Self::Moving(owner, _) => Some(owner),
        }
    }
}

/// One look at the whole cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClusterView {
    /// Every member's lease.
    pub(super) leases: BTreeMap<MemberId, Lease>,
    /// Every shard, in order.
    pub(super) seats: Vec<Seat>,
}

impl ClusterView {
    fn of(survey: &Survey) -> Self {
        let lease = |view: &MemberView| Lease {
            standing: Standing::of(view),
            life: view.incarnation,
            age: Duration::from_millis(view.renewed_ago_ms),
        };
        let leases = survey.members.iter().map(|view| (view.id.clone(), lease(view))).collect();
        let mut seats = vec![Seat::Vacant; survey.shards as usize];
        for view in &survey.holdings {
            seats[view.shard.0 as usize] = seat(view, &leases);
        }
        Self { leases, seats }
    }
}

/// Once the owner has ended, the heir has it, written down as owner or not yet.
fn seat(view: &HoldingView, leases: &BTreeMap<MemberId, Lease>) -> Seat {
    let lives = |id: &&MemberId| leases.get(*id).is_some_and(|lease| lease.standing.is_open());
    match (&view.owner, view.heir.as_ref().filter(lives)) {
        (Some(owner), Some(heir)) => Seat::Moving(owner.clone(), heir.clone()),
        (Some(only), None) | (None, Some(only)) => Seat::Held(only.clone()),
        (None, None) => Seat::Vacant,
    }
}

/// Looks at the cluster in a store, as soon as there is one.
#[derive(Debug)]
pub(super) struct Observer {
    store: SharedStore,
    cluster: Option<Cluster>,
}

impl Observer {
    /// Will look at the cluster in `store`.
    pub(super) fn new(store: SharedStore) -> Self {
        Self { store, cluster: None }
    }

    /// Looks. A cluster that is not founded yet shows nothing, and neither does a store that is busy: the next look may.
    pub(super) async fn look(&mut self) -> Result<Option<ClusterView>, Failure> {
        match self.try_look().await {
            Err(error) if error.kind() == ErrorKind::Unavailable => Ok(None),
            cluster_view => Ok(cluster_view?),
        }
    }

    async fn try_look(&mut self) -> Result<Option<ClusterView>, tenure::Error> {
        if self.cluster.is_none() {
            self.cluster = Cluster::find(Arc::clone(&self.store), &fleet::cluster()).await?;
        }
        let Some(cluster) = &mut self.cluster else { return Ok(None) };
        cluster.look().await.map(|cluster_view| Some(ClusterView::of(&cluster_view.survey)))
    }
}
