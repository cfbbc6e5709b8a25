//! What the end of a call to one endpoint says about the call: was it sent, was it carried out?
//!
//! The rule: whatever is not known to have done nothing may have been carried out. etcd names its refusals by text; those
//! listed here are made before anything is written, but for a full database: etcd notices some of those only after it has
//! written. A timeout, a change of leader, a broken connection leave it open, and so does what does not speak like etcd:
//! whatever stands in between makes up statuses of its own.

use std::error::Error as StdError;

use tonic::{Code, ConnectError, Status, TimeoutExpired};

use super::sight::Estranged;
use super::tls;

/// How a call to one endpoint ended, if not by an answer.
#[derive(Clone, Debug)]
pub(super) enum Mishap {
    /// It never left: another endpoint may be asked.
    NotSent(Obstacle),
    /// It was sent; whether it was carried out is open.
    Unanswered(Obstacle),
    /// etcd said no, and did nothing.
    Refused(Refusal),
    /// It was answered, but not by the cluster as we know it.
    Estranged(Estranged),
}

/// What stands between us and an endpoint.
#[derive(Clone, Debug)]
pub(super) struct Obstacle {
    pub(super) said: String,
    /// Waiting does not help: settings or certificates have to be changed.
    pub(super) lasting: bool,
}

impl Obstacle {
    pub(super) fn passing(said: impl Into<String>) -> Self {
        Self { said: said.into(), lasting: false }
    }

    /// What an error is about: its last cause, or what encryption has to say.
    pub(super) fn of(error: &(dyn StdError + 'static)) -> Self {
        match tls::obstacle(error) {
            Some(said) => Self { said, lasting: true },
            None if causes(error).any(|cause| cause.is::<TimeoutExpired>()) => {
                Self::passing("no answer in time")
            }
            None => Self::passing(last_cause(error).to_string()),
        }
    }
}

/// What etcd refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The token is unknown or too old; a new one may be accepted.
    Token,
    /// It asks who we are.
    Anonymous,
    WrongPassword,
    /// It has no users, so it gives no tokens.
    NoUsers,
    Forbidden,
    /// This member has lost its leader, or may not answer; others may.
    NotHere(String),
    Busy,
    TooLarge,
    /// It may have written all the same.
    Full,
    Corrupt,
    /// A revision that was asked for is forgotten.
    Compacted,
    /// Whatever it is, it is not etcd; what it did with the call is open.
    Stranger,
    Other(String),
}

/// Parts of etcd's texts, with what they mean.
const TEXTS: [(&str, Refusal); 12] = [
    ("invalid auth token", Refusal::Token),
    ("revision of auth store is old", Refusal::Token),
    ("user name is empty", Refusal::Anonymous),
    ("user name not found", Refusal::WrongPassword),
    ("invalid user ID or password", Refusal::WrongPassword),
    ("authentication is not enabled", Refusal::NoUsers),
    ("permission denied", Refusal::Forbidden),
    ("too many requests", Refusal::Busy),
    ("request is too large", Refusal::TooLarge),
    ("received message larger than max", Refusal::TooLarge),
    ("database space exceeded", Refusal::Full),
    ("corrupt cluster", Refusal::Corrupt),
];

/// How texts begin that come from etcd itself, or from its side of the connection.
const VOICES: [&str; 2] = ["etcdserver: ", "grpc: received message larger than max"];

impl Mishap {
    /// Judges how a call ended.
    pub(super) fn of(status: &Status) -> Self {
        if was_never_connected(status) {
            return Self::NotSent(Obstacle::of(status));
        }
        match refusal(status.code(), status.message()) {
            Some(refusal) => Self::Refused(refusal),
            None => Self::Unanswered(Obstacle::of(status)),
        }
    }
}

/// What a status that etcd sent refuses; none if it leaves open what happened.
pub(super) fn refusal(code: Code, text: &str) -> Option<Refusal> {
    if code == Code::Unimplemented {
        return Some(Refusal::Stranger);
    }
    if !VOICES.iter().any(|voice| text.starts_with(voice)) {
        return None;
    }
    let known = TEXTS.iter().find(|(part, _)| text.contains(part));
    if let Some((_, refusal)) = known {
        return Some(refusal.clone());
    }
    match code {
        // Before anything is proposed, a member asks itself whether it has a leader: we tell it to.
        Code::Unavailable if text == "etcdserver: no leader" || text.contains("for learner") => {
            Some(Refusal::NotHere(text.to_owned()))
        }
        Code::OutOfRange if text.contains("compacted") => Some(Refusal::Compacted),
        Code::PermissionDenied => Some(Refusal::Forbidden),
        Code::InvalidArgument | Code::FailedPrecondition | Code::Unauthenticated => {
            Some(Refusal::Other(text.to_owned()))
        }
        _ => None,
    }
}

fn was_never_connected(status: &Status) -> bool {
    causes(status).any(|error| error.is::<ConnectError>())
}

fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn StdError + 'static)| (*error).source())
}

fn last_cause<'a>(error: &'a (dyn StdError + 'static)) -> &'a (dyn StdError + 'static) {
    causes(error).last().unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_that_nothing_happened() {
        let refused = |code, text| refusal(code, text);
        let too_large = refused(Code::InvalidArgument, "etcdserver: request is too large");
        assert_eq!(too_large, Some(Refusal::TooLarge));
        let full = refused(Code::ResourceExhausted, "etcdserver: mvcc: database space exceeded");
        assert_eq!(full, Some(Refusal::Full));
        let token = refused(Code::Unauthenticated, "etcdserver: invalid auth token");
        assert_eq!(token, Some(Refusal::Token));
        let denied = refused(Code::PermissionDenied, "etcdserver: permission denied");
        assert_eq!(denied, Some(Refusal::Forbidden));
        let leaderless = refused(Code::Unavailable, "etcdserver: no leader");
        assert!(matches!(leaderless, Some(Refusal::NotHere(_))));
    }

    #[test]
    fn whatever_leaves_it_open_is_no_refusal() {
        for text in [
            "etcdserver: request timed out",
            "etcdserver: request timed out, possibly due to previous leader failure",
            "etcdserver: request timed out, possibly due to connection lost",
            "etcdserver: leader changed",
            "etcdserver: server stopped",
        ] {
            assert_eq!(refusal(Code::Unavailable, text), None, "{text}");
        }
        assert_eq!(refusal(Code::DeadlineExceeded, "context deadline exceeded"), None);
        assert_eq!(refusal(Code::Cancelled, "Timeout expired"), None);
        assert_eq!(refusal(Code::Unknown, "raft proposal dropped"), None);
    }

    #[test]
    fn what_does_not_speak_like_etcd_refuses_nothing() {
        for code in
            [Code::PermissionDenied, Code::Unauthenticated, Code::InvalidArgument, Code::FailedPrecondition]
        {
            assert_eq!(refusal(code, "RBAC: permission denied"), None, "{code:?}");
        }
    }

    #[test]
    fn a_connection_that_broke_is_unlike_one_that_never_was() {
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let never = Status::from_error(Box::new(ConnectError(Box::new(refused))));
        assert!(matches!(Mishap::of(&never), Mishap::NotSent(_)));
        let reset = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let broken = Status::from_error(Box::new(reset));
        assert!(matches!(Mishap::of(&broken), Mishap::Unanswered(_)));
    }
}
