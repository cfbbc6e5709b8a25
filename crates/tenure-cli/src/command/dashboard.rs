//! `tenure dashboard`: the cluster as a page, for as long as it runs.

use std::net::SocketAddr;

use tenure_dashboard::{Dashboard, serve};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::{runtime, store, talk};

/// Show a cluster as a page in a browser
///
/// Looks at the cluster without joining, and serves a page that shows who owns what, what moved and why. The cluster need not be
/// there yet.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Where to listen; `:7400` is on loopback
    #[arg(
        long,
        value_name = "ADDR",
        default_value = "127.0.0.1:7400",
        value_parser = super::run::address
    )]
    listen: SocketAddr,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(self.show())
    }

    async fn show(self) -> Result<Exit, Failure> {
        let store = store::open_existing(&self.cluster.store).await?;
        let shown = tenure_stores::shown(&self.cluster.store).into_owned();
        serve::allowed(self.listen, false, false)
            .map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
        let listener = listen(self.listen).await?;
        let bound = listener.local_addr().unwrap_or(self.listen);
        let dashboard = Dashboard::builder(store, self.cluster.cluster.clone()).address(shown).start();
        talk::say(&format!("showing {} at http://{bound}/", self.cluster.cluster));
        let over = CancellationToken::new();
        let serving = tokio::spawn(serve::serve(listener, None, dashboard.router(), over.clone()));
        ended().await?;
        dashboard.stop();
        over.cancel();
        let _ = serving.await;
        Ok(Exit::Done)
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        Failure::new(Exit::Usage, format!("can't listen on {address}; choose another --listen"))
            .because(error)
    })
}

/// Returns when somebody asks for the end.
async fn ended() -> Result<(), Failure> {
    let listen = |kind| {
        signal(kind).map_err(|error| Failure::new(Exit::Store, "can't listen for signals").because(error))
    };
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}
