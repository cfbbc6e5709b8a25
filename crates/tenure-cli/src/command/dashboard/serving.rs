//! A dashboard that is being served, and its end in order.

use tenure_dashboard::Dashboard;
use tenure_dashboard::serve::{Tls, serve};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

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

    /// Ends the streams, then what is under way; deeds come to their end and are written down, though nobody should wait for them.
    pub(crate) async fn end(self) {
        self.dashboard.stop();
        self.over.cancel();
        // A panic there is told by then.
        let _ = self.task.await;
        self.dashboard.settled().await;
    }
}
