//! What is typed, and from there to the end of the show.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::time::Duration;

use super::driver::Driver;
use super::interface::Interface;
use super::page::{self, Page};
use super::script::Script;
use super::show::Show;
use super::summary::summary;
use super::visitors;
use crate::command::time;
use crate::exit::{Exit, Failure};
use crate::talk;

/// Run a local cluster to watch and to break
///
/// Starts members as processes of their own, on a store in a temporary folder, and shows who owns which shard. Kill, freeze,
/// stop and add members with keys, and see the shards move. Without a terminal, events are printed as lines. Nothing stays
/// behind when it ends.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure up
  tenure up --members 5 --shards 256
  tenure up --for 20s --no-page")]
pub(crate) struct Args {
    /// How many members to start with
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    members: u32,
    /// How many shards the cluster has
    #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: u32,
    /// How long a lease lasts: a member that is frozen for so long loses its shards
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time::ttl)]
    ttl: Duration,
    /// Play by itself for this long, without keys: one member is killed, one added, one frozen; then a summary
    #[arg(long = "for", value_name = "TIME", value_parser = time::show_length)]
    length: Option<Duration>,
    /// Where to serve the page that shows the same; on loopback [default: 127.0.0.1:7400, or any port if that is taken]
    #[arg(long, value_name = "ADDR", value_parser = crate::command::access::address)]
    listen: Option<SocketAddr>,
    /// Serve no page
    #[arg(long, conflicts_with = "listen")]
    no_page: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        crate::runtime::block_on(self.play())
    }

    async fn play(self) -> Result<Exit, Failure> {
        let show = self.perform().await?;
        talk::data(&summary(&show))?;
        Ok(if show.tally.overlaps.is_empty() { Exit::Done } else { Exit::No })
    }

    /// When this returns, the processes are gone, the folder too, and the terminal is as it was.
    async fn perform(&self) -> Result<Show, Failure> {
        let show = Show::new(self.shards, self.ttl, self.length.is_none());
        // First the ears: from here on a signal ends the show in order, with what was begun.
        let mut interface = if is_watched() { Interface::picture()? } else { Interface::lines()? };
        // Before anything is begun: a port that is taken leaves nothing behind.
        let listener = if self.no_page { None } else { Some(page::listener(self.listen).await?) };
        let (window, visitors) = visitors::doors();
        let mut driver = Driver::set(show, self.length.map(Script::new), visitors).await?;
        let page = match listener {
            None => None,
            Some(listener) => Some(Page::open(listener, driver.folder(), window).await?),
        };
        if let Some(page) = &page {
            talk::say(&format!("watch it at {}", page.address));
            driver.show.page = Some(page.address.clone());
        }
        driver.play(self.members as usize, &mut interface).await?;
        if let Some(page) = page {
            page.close().await;
        }
        Ok(driver.show.clone())
    }
}

fn is_watched() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}
