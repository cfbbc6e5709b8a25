//! What the proxy does to the bytes that pass through it.

use std::time::Duration;

/// How a proxy behaves at present. Connections that exist obey a new mode at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Forwards both ways.
    #[default]
    Pass,
    /// Holds everything for this long, each way; a mode that is set meanwhile decides over what is held.
    Delay(Duration),
    /// Takes connections and bytes, and gives nothing to anybody: packets are dropped, and no end is told.
    BlackHole,
    /// Closes every connection and refuses new ones.
    Cut,
    /// Forwards requests and swallows the answers.
    DropAnswers,
    /// Loses one answer: the next bytes from a client are forwarded, what the server answers is discarded until it falls
    /// silent, then that one connection is closed. All others, and those to come, [`Pass`](Self::Pass): so does the proxy
    /// from the moment that the request came by.
    DropAnswerThenCut,
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    ToServer,
    ToClient,
}

/// What becomes of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Forwarded,
    Held(Duration),
    Lost,
}

impl Mode {
    /// What becomes of bytes that go this way.
    pub(super) fn fate(self, way: Way) -> Fate {
        match (self, way) {
            (Self::Pass | Self::DropAnswerThenCut, _) | (Self::DropAnswers, Way::ToServer) => Fate::Forwarded,
            (Self::Delay(time), _) => Fate::Held(time),
            (Self::BlackHole | Self::Cut, _) | (Self::DropAnswers, Way::ToClient) => Fate::Lost,
        }
    }

    /// Whether bytes get through both ways: a stream that lacks some must not go on then.
    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Pass | Self::Delay(_) | Self::DropAnswerThenCut)
    }
}
