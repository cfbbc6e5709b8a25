//! Opening: the address is understood, and etcd asked something harmless, so that what is wrong shows at once.

use std::io;

use tenure::clock::Clock;
use tenure::store::{StoreError, StoreErrorKind};

use super::circle::Circle;
use super::client::Client;
use super::endpoint::Endpoint;
use super::fault::store_error;
use super::keyring::Keyring;
use super::own::Own;
use super::range::count;
use super::sight::Sight;
use super::thread::Thread;
use super::tls;
use super::url::{Options, parse, presentable};

/// A client that has been answered once, and how many records it found.
pub(super) async fn open(address: &str) -> Result<(Client, u64), StoreError> {
    let client = client(parse(address, |name| std::env::var(name).ok())?)?;
    let answer = client.range(count(&client.root)).await;
    let answer = answer.map_err(|trouble| trouble.on("open", &presentable(address)))?;
    Ok((client, u64::try_from(answer.count).unwrap_or(0)))
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
    store_error(StoreErrorKind::Unavailable, "open", "a thread", message).caused_by(cause)
}

/// That nothing is there yet, to somebody who only looks.
pub(super) fn empty(address: &str, root: &str) -> StoreError {
    let message = format!("there is nothing under {root}; check the prefix, or start a member there");
    store_error(StoreErrorKind::Invalid, "open", presentable(address), message)
}
