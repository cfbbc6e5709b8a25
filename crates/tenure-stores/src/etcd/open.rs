//! Opening: the address is understood, and etcd asked something harmless, so that what is wrong shows at once.

use std::io;
use std::time::Duration;

use futures_util::future::join_all;
use tenure::clock::Clock;
use tenure::store::{StoreError, StoreErrorKind};

use super::circle::Circle;
use super::client::Client;
use super::endpoint::Endpoint;
use super::error::{KIND, Trouble};
use super::keyring::Keyring;
use super::own::Own;
use super::range::count;
use super::refusal::Mishap;
use super::sight::Sight;
use super::thread::Thread;
use super::tls;
use super::url::{Options, parse};
use crate::trouble::StoreTrouble;

/// How long the other endpoints have to show that they belong to the same cluster.
const SOON: Duration = Duration::from_millis(250);

/// A client that has been answered once, and how many records it found.
pub(super) async fn open(address: &str) -> Result<(Client, u64), StoreError> {
    let options = parse(address, |name| std::env::var(name).ok())?;
    let advice = tls::advice(options.tls.as_ref());
    let client = client(options)?;
    let found = greet(&client).await;
    let failed = |trouble: Trouble| trouble.advised(advice).on("open", &crate::shown(address));
    Ok((client, found.map_err(failed)?))
}

async fn greet(client: &Client) -> Result<u64, Trouble> {
    let answer = client.range(count(&client.root)).await?;
    compare(client).await?;
    Ok(u64::try_from(answer.count).unwrap_or(0))
}

/// Endpoints of two clusters in one address would give each process the one or the other, and two owners to every shard.
/// Those that do not answer now are found out when they are used.
async fn compare(client: &Client) -> Result<(), Trouble> {
    let others = client.circle.others().map(|turn| client.clock.timeout(SOON, client.greet(turn)));
    for end in join_all(others).await {
        if let Ok(Err(Mishap::Estranged(estranged))) = end {
            return Err(Trouble::Estranged(estranged));
        }
    }
    Ok(())
}

fn client(options: Options) -> Result<Client, StoreError> {
    let tls = options.tls.as_ref().map(tls::configure).transpose()?;
    let endpoint = |name: &String| Endpoint::new(name, tls.as_ref());
    let endpoints = options.endpoints.iter().map(endpoint).collect::<Result<_, _>>()?;
    Ok(Client {
        root: options.root,
        circle: Circle::new(endpoints),
        keyring: Keyring::new(options.user),
        sight: Sight::default(),
        own: Own::new(),
        clock: Clock::boot(),
        patience: options.patience,
        thread: Thread::start().map_err(no_thread)?,
    })
}

fn no_thread(cause: io::Error) -> StoreError {
    let message = "the system refuses a thread or a descriptor; raise its limits";
    StoreError::new(StoreErrorKind::Unavailable, KIND, "open", "a thread", message).caused_by(cause)
}

/// That nothing is there yet, to somebody who only looks.
pub(super) fn empty(address: &str, root: &str) -> StoreError {
    let message = format!("there is nothing under {root}; check the prefix, or start a member there");
    StoreError::new(StoreErrorKind::Invalid, KIND, "open", crate::shown(address), message)
}
