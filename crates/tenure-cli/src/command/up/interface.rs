//! How the show speaks and listens: lines, or a picture on a terminal; in both, signals end it.

use std::time::Duration;

use tenure::clock::Clock;

use super::screen::Screen;
use super::show::{LogEntry, Press, Show};
use crate::exit::Failure;
use crate::signals::StopSignals;
use crate::talk;

/// Speaks to the person who watches.
#[derive(Debug)]
pub(super) struct Interface {
    stops: StopSignals,
    screen: Option<Screen>,
}

impl Interface {
    /// Speaks in lines.
    pub(super) fn lines() -> Result<Self, Failure> {
        Ok(Self { stops: StopSignals::listen()?, screen: None })
    }

    /// Draws on the terminal.
    pub(super) fn picture() -> Result<Self, Failure> {
        let stops = StopSignals::listen()?;
        Ok(Self { stops, screen: Some(Screen::open()?) })
    }

    /// Waits for a key or a signal, at most for `pause`.
    pub(super) async fn listen(&mut self, clock: &Clock, pause: Duration) -> Result<Option<Press>, Failure> {
        let key = async {
            match &mut self.screen {
                Some(screen) => screen.press().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            press = key => Ok(Some(press)),
            () = self.stops.next() => Ok(Some(Press::Quit)),
            () = clock.sleep(pause) => Ok(None),
        }
    }

    /// Shows how things stand.
    pub(super) fn tell(&mut self, show: &mut Show) -> Result<(), Failure> {
        match &mut self.screen {
            Some(screen) => screen.draw(show),
            None => talk::data(&show.log.take_fresh().iter().map(line).collect::<String>()),
        }
    }
}

fn line(entry: &LogEntry) -> String {
    format!("{:>8.3}  {}\n", entry.at.as_secs_f64(), entry.text)
}
