//! A dashboard that is being served, and its end in order.

use std::net::SocketAddr;

use tenure_dashboard::Dashboard;
use tenure_dashboard::serve::{Tls, serve};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::exit::{Exit, Failure};

/// Listens on `address`.
pub(crate) async fn bound(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        Failure::new(Exit::Usage, format!("can't listen on {address}; choose another --listen"))
            .because(error)
    })
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

    /// Ends the streams, then what is under way.
    pub(crate) async fn end(self) {
        self.dashboard.stop();
        self.over.cancel();
        // A panic there is told by then.
        let _ = self.task.await;
    }
}
