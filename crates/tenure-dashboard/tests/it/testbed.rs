//! A folder with a store in it, members, and a dashboard beside them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tenure::store::layer::faulty::{Faulty, Outage};
use tenure::{Member, OnStuck};
use tenure_dashboard::{AuditLog, Dashboard, DashboardBuilder, Gate, Tokens, serve};
use tenure_stores::sqlite::SqliteStore;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::client::{Answer, Request};

/// The token of an operator named eve.
pub(crate) const TOKEN: &str = "0123456789abcdef";

/// How many shards there are.
pub(crate) const SHARDS: usize = 8;

/// A folder with a store in it.
#[derive(Debug)]
pub(crate) struct Testbed {
    folder: tempfile::TempDir,
}

impl Testbed {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) async fn store(&self) -> SqliteStore {
        SqliteStore::open(self.path("tenure.db")).await.unwrap()
    }

    /// A member whose work ends as soon as it is asked to.
    pub(crate) async fn member(&self, id: &str) -> Arc<Member> {
        let builder = Member::builder(self.store().await).cluster("orders").shards(SHARDS as u32);
        let builder =
            builder.member_id(id).address(format!("{id}.example:80")).zone("<script>alert('zone')</script>");
        let builder = builder.lease_ttl(Duration::from_secs(2)).on_stuck(OnStuck::Wait);
        let member = Arc::new(builder.start().await.unwrap());
        let working = Arc::clone(&member);
        tokio::spawn(async move {
            let work = |shard: tenure::Shard| async move {
                shard.drained().await;
                Ok(())
            };
            let _ = working.run(work).await;
        });
        member
    }

    /// A dashboard on which eve may act.
    pub(crate) async fn dashboard(&self) -> Served {
        let audit = AuditLog::open(&self.path("audit.jsonl")).unwrap();
        self.served(|builder| builder.gate(gate(&format!("eve {TOKEN} role=admin\n"))).audit_log(audit)).await
    }

    /// A dashboard as `built`.
    pub(crate) async fn served(&self, built: impl FnOnce(DashboardBuilder) -> DashboardBuilder) -> Served {
        let outage = Outage::new();
        let store = Faulty::new(self.store().await, 0).judged_by(outage.clone());
        let builder = Dashboard::builder(store, "orders".parse().unwrap()).address("sqlite:tenure.db");
        let dashboard = built(builder).start();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let over = CancellationToken::new();
        let task = tokio::spawn(serve::serve(listener, None, dashboard.router(), over.clone()));
        Served { dashboard, address, over, task, outage }
    }

    /// The lines of the audit log.
    pub(crate) fn audit(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path("audit.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A gate for these people.
pub(crate) fn gate(people: &str) -> Gate {
    Gate::new("orders".parse().unwrap()).keys(Tokens::parse(people).unwrap())
}

/// A dashboard that is being served.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) dashboard: Dashboard,
    pub(crate) address: SocketAddr,
    pub(crate) over: CancellationToken,
    pub(crate) task: JoinHandle<()>,
    /// Of the dashboard's own way to the store.
    pub(crate) outage: Outage,
}

impl Served {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        Request::get(path).send(self.address).await
    }

    /// Asks without a token.
    pub(crate) async fn ask(&self, path: &str, body: &str) -> Answer {
        Request::post(path, body).send(self.address).await
    }

    /// Asks as eve.
    pub(crate) async fn act(&self, path: &str, body: &str) -> Answer {
        let bearer = format!("Bearer {TOKEN}");
        Request::post(path, body).with("authorization", &bearer).send(self.address).await
    }

    pub(crate) async fn picture(&self) -> Value {
        self.get("/api/v1/picture").await.well()
    }

    /// The picture, as soon as it is as wanted. One that never gets there hangs the test, and is seen.
    pub(crate) async fn until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let picture = self.picture().await;
            if wanted(&picture) {
                return picture;
            }
            tenure::clock::Clock::boot().sleep(Duration::from_millis(20)).await;
        }
    }

    /// The picture, once so many members share all shards evenly and none moves.
    pub(crate) async fn settled(&self, members: usize) -> Value {
        self.until(|picture| {
            let shares: Vec<usize> = (0..members).map(|index| held(picture, index)).collect();
            shares.iter().all(|share| *share >= SHARDS / members) && nothing_moves(picture)
        })
        .await
    }
}

/// How many shards the member at this place owns, by the cells.
pub(crate) fn held(picture: &Value, index: usize) -> usize {
    let owners = picture["shards"]["owner"].as_array().unwrap();
    owners.iter().filter(|owner| **owner == index).count()
}

pub(crate) fn nothing_moves(picture: &Value) -> bool {
    let all = |name: &str| picture["shards"][name].as_array().unwrap().clone();
    all("heir").iter().all(|heir| *heir == -1) && all("owner").iter().all(|owner| owner.as_i64() >= Some(0))
}

/// The member of this name.
pub(crate) fn member<'a>(picture: &'a Value, id: &str) -> &'a Value {
    let mut members = picture["members"].as_array().unwrap().iter();
    members.find(|member| member["id"] == id).unwrap()
}
