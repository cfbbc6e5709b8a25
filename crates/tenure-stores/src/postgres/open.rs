//! Opens a store, or says why not.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;

use super::client::PrimaryConnection;
use super::error::Trouble;
use super::layout;
use super::session::Session;
use super::url::Options;

/// How long the scripts may take, and waiting for somebody else who runs them.
const LAYOUT_MAX: Duration = Duration::from_secs(30);

/// What is done about a schema that is not there, or not up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It is laid out.
    Create,
    /// It is an error.
    Refuse,
}

/// Connects, and makes sure that the tables are as this build knows them.
pub(super) async fn open(
    line: Arc<PrimaryConnection>,
    options: Arc<Options>,
    missing: Missing,
) -> Result<(), Trouble> {
    let session = line.session().await?;
    let found = layout::found(&session, &options).await?;
    let is_behind = found.is_none_or(|number| number < options.duty.layout.newest());
    if missing == Missing::Refuse || !is_behind {
        return layout::check(found, &options);
    }
    lay_out(&session, &options).await?;
    layout::check(layout::found(&session, &options).await?, &options)
}

/// Over a connection of its own to the same server: a transaction belongs to a connection.
async fn lay_out(session: &Session, options: &Options) -> Result<(), Trouble> {
    let server = options.servers.iter().find(|server| server.to_string() == session.server);
    let server = server.ok_or(Trouble::Closed)?;
    // It listens to nobody.
    let (own, _) = Session::connect(options, server, broadcast::Sender::new(1)).await?;
    layout::lay_out(&own.with_patience(LAYOUT_MAX), options).await
}
