//! The page of a show: the dashboard, with a token of its own that is part of the address it tells.
//!
//! The token stands after the `#`, which no browser sends to a server: it is in no log and in no request but those that act.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use tenure_dashboard::serve::allowed;
use tenure_dashboard::{Dashboard, Gate, Playground, Tokens};
use tokio::net::TcpListener;

use super::fleet;
use crate::command::access::bound;
use crate::command::dashboard::Serving;
use crate::exit::{Exit, Failure};

/// Where the page is, unless that is taken or another place is said.
const USUAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7400);

/// The page of a show.
#[derive(Debug)]
pub(super) struct Page {
    /// What to open: with the token.
    pub(super) address: String,
    serving: Serving,
}

impl Page {
    /// Serves the page for the cluster in `folder`.
    pub(super) async fn open(
        listener: TcpListener,
        folder: &Path,
        playground: impl Playground,
    ) -> Result<Self, Failure> {
        let at = listener.local_addr().map_err(no_address)?;
        let token = token()?;
        let tokens = Tokens::parse(&format!("up {token} role=admin"));
        let tokens = tokens.map_err(|error| Failure::new(Exit::Bug, error.to_string()))?;
        let store = tenure_stores::open(&fleet::store(folder)).await?;
        let dashboard = Dashboard::builder(store, fleet::cluster()).address(fleet::store(folder));
        let dashboard =
            dashboard.gate(Gate::new(fleet::cluster()).keys(tokens)).playground(Arc::new(playground)).start();
        let address = format!("http://{at}/#token={token}");
        Ok(Self { address, serving: Serving::begin(listener, None, dashboard) })
    }

    /// Ends it in order.
    pub(super) async fn close(self) {
        self.serving.end().await;
    }
}

/// Where the page will be.
pub(super) async fn listener(listen: Option<SocketAddr>) -> Result<TcpListener, Failure> {
    if let Some(address) = listen {
        allowed(address, true, false).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
        return bound(address, "--listen").await;
    }
    match TcpListener::bind(USUAL).await {
        Ok(listener) => Ok(listener),
        Err(_) => bound(SocketAddr::new(USUAL.ip(), 0), "--listen").await,
    }
}

fn token() -> Result<String, Failure> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(Exit::Store, "no random numbers for a token")
            .because(std::io::Error::other(error.to_string()))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn no_address(error: std::io::Error) -> Failure {
    Failure::new(Exit::Store, "can't tell the address of the page").because(error)
}
