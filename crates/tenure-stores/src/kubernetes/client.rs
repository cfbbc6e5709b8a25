//! Finds out which API server to ask, and who to be; connects.
//!
//! As all clients do: the kubeconfig that the address names, else `KUBECONFIG`, else `~/.kube/config`, else the service account
//! of the Pod. Two of the client's habits are given up: it must not send a write again that may have landed, and it must not
//! wait half a minute for a connection while a lease runs out.

use std::time::Duration;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use super::error::Trouble;
use super::url::Address;

/// How long a connection may take to come about.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// A client as `address` describes it. Nothing is sent yet.
pub(super) async fn connect(address: &Address) -> Result<Client, Trouble> {
    // The first one to install a provider wins; whoever it was, it will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut config = config(address).await?;
    config.default_retry = false;
    config.connect_timeout = Some(CONNECT_LIMIT);
    Client::try_from(config).map_err(|error| Trouble::NoCredentials(error.to_string()))
}

async fn config(address: &Address) -> Result<Config, Trouble> {
    let options = KubeConfigOptions { context: address.context.clone(), ..KubeConfigOptions::default() };
    match (&address.kubeconfig, &address.context) {
        (Some(file), _) => {
            let kubeconfig = Kubeconfig::read_from(file).map_err(unfit)?;
            Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(unfit)
        }
        (None, Some(_)) => Config::from_kubeconfig(&options).await.map_err(unfit),
        (None, None) => Config::infer().await.map_err(|error| {
            Trouble::NoCredentials(format!("{error}; set KUBECONFIG, or run in a Pod with a service account"))
        }),
    }
}

fn unfit(error: kube::config::KubeconfigError) -> Trouble {
    Trouble::NoCredentials(error.to_string())
}
