//! How the show speaks and listens: lines, or a picture on a terminal; in both, signals end it.

use std::time::Duration;

use tenure::clock::Clock;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::screen::Screen;
use super::show::{Entry, Press, Show};
use crate::exit::{Exit, Failure};
use crate::talk;

/// The signals that end a show.
#[derive(Debug)]
struct Endings([Signal; 3]);

impl Endings {
    fn listen() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(no_signals);
        Ok(Self([
            listen(SignalKind::interrupt())?,
            listen(SignalKind::terminate())?,
            listen(SignalKind::hangup())?,
        ]))
    }

    async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}

/// Speaks to whoever watches.
#[derive(Debug)]
pub(super) struct Voice {
    endings: Endings,
    screen: Option<Screen>,
}

impl Voice {
    /// Speaks in lines.
    pub(super) fn lines() -> Result<Self, Failure> {
        Ok(Self { endings: Endings::listen()?, screen: None })
    }

    /// Draws on the terminal.
    pub(super) fn picture() -> Result<Self, Failure> {
        let endings = Endings::listen()?;
        Ok(Self { endings, screen: Some(Screen::open()?) })
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
            () = self.endings.next() => Ok(Some(Press::Quit)),
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

fn line(entry: &Entry) -> String {
    format!("{:>8.3}  {}\n", entry.at.as_secs_f64(), entry.text)
}

fn no_signals(error: std::io::Error) -> Failure {
    Failure::new(Exit::Store, "can't listen for signals").because(error)
}
