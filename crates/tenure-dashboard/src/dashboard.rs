//! The dashboard: made from a store and a cluster's name, mounted wherever there is a router.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use tenure::store::{SharedStore, Store};
use tenure::{ClusterName, Member};

use crate::audit::AuditLog;
use crate::board::PictureBase;
use crate::guard::Gate;
use crate::observer::OfBoard;
use crate::playground::Playground;
use crate::shared::{Setup, Shared};
use crate::view::{Can, StorePlace};
use crate::{ask, observer, route};

/// Says what a dashboard shows and allows.
#[derive(Debug)]
pub struct DashboardBuilder {
    store: SharedStore,
    cluster: ClusterName,
    address: String,
    setup: Setup,
}

impl DashboardBuilder {
    /// The store's address as people may see it: without secrets.
    #[must_use]
    pub fn address(mut self, shown: impl Into<String>) -> Self {
        self.address = shown.into();
        self
    }

    /// Who may ask for what. By default the people of this machine may look, and none may act.
    #[must_use]
    pub fn gate(mut self, gate: Gate) -> Self {
        self.setup.gate = Arc::new(gate);
        self
    }

    /// Where it is written down who did what and why, besides the program's log.
    #[must_use]
    pub fn audit_log(mut self, audit: AuditLog) -> Self {
        self.setup.audit = audit;
        self
    }

    /// Members' processes that may be disturbed.
    #[must_use]
    pub fn playground(mut self, playground: Arc<dyn Playground>) -> Self {
        self.setup.playground = Some(playground);
        self
    }

    /// The member of this process: its figures are part of `/metrics` and of the health.
    #[must_use]
    pub fn member(mut self, member: Arc<Member>) -> Self {
        self.setup.member = Some(member);
        self
    }

    /// Begins to look. Must be called within a tokio runtime.
    pub fn start(self) -> Dashboard {
        let can = Can { act: self.setup.gate.has_people(), playground: self.setup.playground.is_some() };
        let store = StorePlace { kind: self.store.kind(), address: self.address };
        let base = PictureBase { cluster: self.cluster.to_string(), store, can };
        let shared = Arc::new(Shared::new(self.cluster, self.store, base, self.setup));
        tokio::spawn(observer::observe(Arc::clone(&shared)));
        let source = Arc::new(OfBoard::new(Arc::clone(&shared)));
        let asking = ask::asking(shared.cluster.clone(), source, shared.over.clone());
        Dashboard { shared, asking }
    }
}

/// A dashboard that looks at its cluster until it is dropped.
pub struct Dashboard {
    shared: Arc<Shared>,
    asking: Router,
}

impl fmt::Debug for Dashboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dashboard").field("cluster", &self.shared.cluster).finish_non_exhaustive()
    }
}

impl Dashboard {
    /// A dashboard for `cluster` in `store`. Neither needs to be there yet.
    pub fn builder(store: impl Store, cluster: ClusterName) -> DashboardBuilder {
        let address = store.kind().to_owned();
        let gate = Arc::new(Gate::new(cluster.clone()));
        let setup = Setup { gate, audit: AuditLog::default(), playground: None, member: None };
        DashboardBuilder { store: Arc::new(store), cluster, address, setup }
    }

    /// All routes, to be served or mounted. The page uses relative addresses, so it may be mounted anywhere; its own path
    /// must end with `/`.
    pub fn router(&self) -> Router {
        route::routes(Arc::clone(&self.shared), self.asking.clone())
    }

    /// Ends all streams, so that a server can end in order.
    pub fn stop(&self) {
        self.shared.over.cancel();
    }

    /// Waits until every deed that was begun is over and written down, also if no client waits for it.
    pub async fn settled(&self) {
        self.shared.deeds.close();
        self.shared.deeds.wait().await;
    }
}

impl Drop for Dashboard {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A dashboard that only shows, as a router that looks for as long as the process lives. Must be called within a tokio
/// runtime.
pub fn router(store: impl Store, cluster: ClusterName) -> Router {
    let dashboard = std::mem::ManuallyDrop::new(Dashboard::builder(store, cluster).start());
    dashboard.router()
}

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz_tests;
