//! What can be said to `tenure dashboard`, and what comes of it.

use std::net::SocketAddr;
use std::path::PathBuf;

use tenure_dashboard::serve::{Tls, allowed};
use tenure_dashboard::{AuditLog, Dashboard, DashboardBuilder, Hosts, Tokens};

use super::serving::{Serving, bound};
use crate::command::{ClusterOptions, run};
use crate::exit::{Exit, Failure};
use crate::stops::{ASKED, Stops};
use crate::{runtime, store, talk};

/// Show a cluster as a page in a browser
///
/// Looks at the cluster without joining, and serves a page that shows who owns what, what moved and why. The store must hold
/// something already, so that a mistyped address is an error; the cluster need not be there yet. With a token file, whoever has a
/// token may drain, fence, move and note; what they do is told on standard error.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Where to listen; `:7400` is on loopback. Elsewhere needs tokens and TLS
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7400", value_parser = run::address)]
    listen: SocketAddr,
    /// Who may act: a name and a token on each line
    #[arg(long, value_name = "FILE", env = "TENURE_TOKEN_FILE", hide_env_values = true)]
    token_file: Option<PathBuf>,
    /// Where to append who did what and why, a line of JSON for each
    #[arg(long, value_name = "FILE", env = "TENURE_AUDIT_LOG", hide_env_values = true)]
    audit_log: Option<PathBuf>,
    /// A certificate, as PEM
    #[arg(long, value_name = "FILE", env = "TENURE_TLS_CERT", hide_env_values = true, requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its key, as PEM
    #[arg(long, value_name = "FILE", env = "TENURE_TLS_KEY", hide_env_values = true, requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// A name that the page may be asked for by, besides those of this machine; may be said several times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(self.show())
    }

    async fn show(self) -> Result<Exit, Failure> {
        let tls = self.tls()?;
        allowed(self.listen, self.token_file.is_some(), tls.is_some()).map_err(|error| usage(&error))?;
        let dashboard = self.builder().await?.start();
        let listener = bound(self.listen).await?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        let address = listener.local_addr().unwrap_or(self.listen);
        // Whoever sees the address may send the signal.
        let mut stops = Stops::listen(&ASKED)?;
        talk::say(&format!("showing {} at {scheme}://{address}/", self.cluster.cluster));
        let serving = Serving::begin(listener, tls, dashboard);
        stops.next().await;
        serving.end().await;
        Ok(Exit::Done)
    }

    async fn builder(&self) -> Result<DashboardBuilder, Failure> {
        let store = store::open_existing(&self.cluster.store).await?;
        let shown = tenure_stores::shown(&self.cluster.store).into_owned();
        let builder = Dashboard::builder(store, self.cluster.cluster.clone()).address(shown);
        Ok(builder.tokens(self.tokens()?).audit_log(self.audit_log()?).hosts(self.hosts()))
    }

    fn tls(&self) -> Result<Option<Tls>, Failure> {
        let files = self.tls_cert.as_ref().zip(self.tls_key.as_ref());
        files.map(|(certificate, key)| Tls::read(certificate, key)).transpose().map_err(|error| usage(&error))
    }

    fn tokens(&self) -> Result<Tokens, Failure> {
        let tokens = self.token_file.as_deref().map(Tokens::read).transpose();
        Ok(tokens.map_err(|error| usage(&error))?.unwrap_or_default())
    }

    fn audit_log(&self) -> Result<AuditLog, Failure> {
        let log = self.audit_log.as_deref().map(AuditLog::open).transpose();
        Ok(log.map_err(|error| usage(&error))?.unwrap_or_default())
    }

    /// Whoever listens on an address may be asked for by it.
    fn hosts(&self) -> Hosts {
        let own = Some(self.listen.ip()).filter(|ip| !ip.is_unspecified()).map(|ip| ip.to_string());
        own.iter().chain(&self.host).fold(Hosts::local(), |hosts, name| hosts.and(name.as_str()))
    }
}

/// A setting that can't be used, with its causes.
fn usage(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        message.push_str(&format!(": {next}"));
        cause = next.source();
    }
    Failure::new(Exit::Usage, message)
}
