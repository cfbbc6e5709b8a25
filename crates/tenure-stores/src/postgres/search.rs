//! Finds the primary among the servers of an address.
//!
//! All are asked at once: after a fail-over the first of them is often a dead machine that answers nobody, and a lease does not
//! wait for it. Of several that call themselves the primary the one of the newest timeline is, so the others get a moment
//! to answer too.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tenure::clock::Clock;
use tenure::store::Hint;
use tokio::sync::broadcast;

use super::error::Trouble;
use super::session::Session;
use super::standing::Standing;
use super::url::Options;

/// How long to wait for the next answer once there is a primary.
const GRACE: Duration = Duration::from_secs(1);

/// A primary, and what it says of itself.
pub(super) type Found = (Session, Standing);

/// Connects to the primary, if there is one that `admit` has nothing against. What is told to it goes to `hints`.
pub(super) async fn primary(
    options: &Options,
    hints: &broadcast::Sender<Hint>,
    admit: impl Fn(&Found) -> Result<(), Trouble>,
) -> Result<Found, Trouble> {
    let ask = |server| Session::connect(options, server, hints.clone());
    let mut asked: FuturesUnordered<_> = options.servers.iter().map(ask).collect();
    let (mut best, mut troubles) = (None, Vec::new());
    // Ends: every server answers, or is given up, once.
    while let Some(answer) = next(&mut asked, best.is_some()).await {
        match answer.and_then(|found| admit(&found).map(|()| found)) {
            Ok(found) => best = Some(newest(best, found)?),
            Err(trouble) => troubles.push(trouble),
        }
    }
    best.ok_or_else(|| all(troubles))
}

async fn next<A: Future<Output = Result<Found, Trouble>>>(
    asked: &mut FuturesUnordered<A>,
    hurry: bool,
) -> Option<Result<Found, Trouble>> {
    if !hurry {
        return asked.next().await;
    }
    Clock::boot().timeout(GRACE, asked.next()).await.ok().flatten()
}

/// Of two primaries of one cluster the newer; two clusters in one address are a mistake that would give shards two owners.
fn newest(best: Option<Found>, found: Found) -> Result<Found, Trouble> {
    match best {
        Some(best) if best.1.system != found.1.system => {
            Err(Trouble::TwoClusters { first: best.0.server.clone(), second: found.0.server.clone() })
        }
        Some(best) if best.1.timeline >= found.1.timeline => Ok(best),
        _ => Ok(found),
    }
}

/// A loss weighs more than whatever the others say; one trouble is told as it is.
fn all(mut troubles: Vec<Trouble>) -> Trouble {
    let lost = troubles.iter().position(|trouble| matches!(trouble, Trouble::Lost { .. }));
    match lost {
        Some(lost) => troubles.swap_remove(lost),
        None if troubles.len() == 1 => troubles.swap_remove(0),
        None => Trouble::NoneOf(troubles),
    }
}
