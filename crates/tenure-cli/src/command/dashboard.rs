//! `tenure dashboard`: the cluster as a page, for as long as it runs.

use std::net::SocketAddr;
use std::path::PathBuf;

use tenure_dashboard::serve::{Tls, allowed, serve};
use tenure_dashboard::{AuditLog, Dashboard, DashboardBuilder, Gate};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::ClusterOptions;
use super::access::{Access, address, bound, usage};
use crate::exit::{Exit, Failure};
use crate::signals::StopSignals;
use crate::{runtime, talk};

/// Show a cluster as a page in a browser
///
/// Looks at the cluster without joining, and serves a page that shows who owns what, what moved and why. The store must hold
/// something already, so that a mistyped address is an error; the cluster need not be there yet. With a token file, whoever has a
/// token may look, drain, move and note, or fence, by role; what they do is told on standard error and kept in the store.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure dashboard
  tenure dashboard --listen :8080 --token-file people.txt
  tenure dashboard --listen 0.0.0.0:7400 --token-file people.txt --tls-cert cert.pem --tls-key key.pem")]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Where to listen; `:7400` is on loopback. Elsewhere needs tokens and TLS
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7400", value_parser = address)]
    listen: SocketAddr,
    /// Where to append who did what and why, a line of JSON for each
    #[arg(long, value_name = "FILE", env = "TENURE_AUDIT_LOG", hide_env_values = true)]
    audit_log: Option<PathBuf>,
    #[command(flatten)]
    access: Access,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(self.show())
    }

    async fn show(self) -> Result<Exit, Failure> {
        let tls = self.access.tls()?;
        allowed(self.listen, self.access.has_people(), tls.is_some()).map_err(|error| usage(&error))?;
        let gate = self.access.gate(&self.cluster.cluster, self.listen)?;
        let listener = bound(self.listen, "--listen").await?;
        let dashboard = self.builder(gate).await?.start();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let address = listener.local_addr().unwrap_or(self.listen);
        // Once people see the address they may send the signal.
        let mut stops = StopSignals::listen()?;
        talk::say(&format!("showing {} at {scheme}://{address}/", self.cluster.cluster));
        let serving = Serving::begin(listener, tls, dashboard);
        stops.next().await;
        serving.end().await;
        Ok(Exit::Done)
    }

    async fn builder(&self, gate: Gate) -> Result<DashboardBuilder, Failure> {
        let address = &self.cluster.store;
        // Without a token file it is for looking alone: then it looks on, and needs no right to write.
        let store = if self.access.has_people() {
            tenure_stores::open_existing(address).await
        } else {
            tenure_stores::look(address).await
        }?;
        let shown = tenure_stores::shown(&self.cluster.store).into_owned();
        let builder = Dashboard::builder(store, self.cluster.cluster.clone()).address(shown);
        Ok(builder.gate(gate).audit_log(self.audit_log()?))
    }

    fn audit_log(&self) -> Result<AuditLog, Failure> {
        let log = self.audit_log.as_deref().map(AuditLog::open).transpose();
        Ok(log.map_err(|error| usage(&error))?.unwrap_or_default())
    }
}

/// A dashboard that is being served.
#[derive(Debug)]
pub(crate) struct Serving {
    dashboard: Dashboard,
    over: CancellationToken,
    task: JoinHandle<()>,
}

impl Serving {
    /// Serves `dashboard`.
    pub(crate) fn begin(listener: TcpListener, tls: Option<Tls>, dashboard: Dashboard) -> Self {
        let over = CancellationToken::new();
        let task = tokio::spawn(serve(listener, tls, dashboard.router(), over.clone()));
        Self { dashboard, over, task }
    }

    /// Ends the streams, then what is under way; deeds come to their end and are written down, also if no client waits for them.
    pub(crate) async fn end(self) {
        self.dashboard.stop();
        self.over.cancel();
        // A panic there is told by then.
        let _ = self.task.await;
        self.dashboard.settled().await;
    }
}
