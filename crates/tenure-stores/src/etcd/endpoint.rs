//! One endpoint of etcd, and the connection to it.
//!
//! Connecting is a step of its own, before anything is sent: what fails there surely was not sent. A connection on which a
//! call went unanswered is not used again: it may be dead without knowing.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tenure::clock::Clock;
use tenure::store::{StoreError, StoreErrorKind};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint as Dial};

use super::error::KIND;
use super::refusal::Obstacle;
use super::thread::Thread;

/// How often a connection with calls under way is pinged. etcd cuts off whoever pings more often than every 5 s, or while
/// nothing is under way.
const PING_EVERY: Duration = Duration::from_secs(6);
const PING_LIMIT: Duration = Duration::from_secs(2);

/// Room for a whole page of a listing without waiting for the other side.
const WINDOW_BYTES: u32 = 4 * 1024 * 1024;

/// A connection, once it is made.
type Line = Shared<BoxFuture<'static, Result<Channel, Obstacle>>>;

/// Where one of etcd's members answers.
#[derive(Debug)]
pub(super) struct Endpoint {
    name: String,
    dial: Dial,
    line: Mutex<Option<Line>>,
}

impl Endpoint {
    /// The endpoint at `name`, such as `host:2379`; nothing is connected yet.
    pub(super) fn new(name: &str, tls: Option<&ClientTlsConfig>) -> Result<Self, StoreError> {
        let odd = |cause: tonic::transport::Error| {
            let message = "the endpoint can't be used; check its name, and the files of ca, cert and key";
            StoreError::new(StoreErrorKind::Invalid, KIND, "open", name, message).caused_by(cause)
        };
        let scheme = if tls.is_some() { "https" } else { "http" };
        let mut dial = Dial::from_shared(format!("{scheme}://{name}")).map_err(odd)?;
        if let Some(tls) = tls {
            dial = dial.tls_config(tls.clone().domain_name(host(name))).map_err(odd)?;
        }
        let dial = dial
            .tcp_nodelay(true)
            .http2_keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PING_LIMIT)
            .initial_stream_window_size(WINDOW_BYTES)
            .initial_connection_window_size(WINDOW_BYTES);
        Ok(Self { name: name.into(), dial, line: Mutex::default() })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The connection; made within `limit` if there is none. One that failed is met again until [`Self::hang_up`].
    pub(super) async fn connected(
        &self,
        thread: &Thread,
        clock: &Clock,
        limit: Duration,
    ) -> Result<Channel, Obstacle> {
        let dialled = clock.timeout(limit, self.line(thread)).await;
        dialled.unwrap_or_else(|_| Err(Obstacle::passing(format!("no connection within {limit:?}"))))
    }

    /// The connection, or the making of it, which all who come meanwhile wait for. It is made though none of them should look.
    fn line(&self, thread: &Thread) -> Line {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.get_or_insert_with(|| self.dial(thread)).clone()
    }

    fn dial(&self, thread: &Thread) -> Line {
        let dial = self.dial.clone();
        let dialled = thread.begin(async move { dial.connect().await });
        let channel = async move {
            let dialled = dialled.await;
            let dialled =
                dialled.ok_or_else(|| Obstacle::passing("the thread of the connections has ended"))?;
            dialled.map_err(|error| Obstacle::of(&error))
        };
        channel.boxed().shared()
    }

    /// Uses the connection for no further call. Calls that are under way go on.
    pub(super) fn hang_up(&self) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// The name that a certificate must be for.
fn host(name: &str) -> &str {
    let host = name.rsplit_once(':').map_or(name, |(host, _)| host);
    host.trim_start_matches('[').trim_end_matches(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_for_the_host_alone() {
        assert_eq!(host("etcd-0.etcd:2379"), "etcd-0.etcd");
        assert_eq!(host("[::1]:2379"), "::1");
    }
}
