//! What can go wrong with etcd, and what its user does about it.
//!
//! The rule: an error says that nothing happened only where that is known; an unanswered write is `Indeterminate`.

use std::fmt;

use tenure::store::{Operation, StoreErrorKind};

use super::refusal::{Obstacle, Refusal};
use super::sight::Estranged;
use crate::trouble::{Cause, StoreTrouble};

/// The name of this kind of store.
pub(super) const KIND: &str = "etcd";

/// Why a call brought no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("no endpoint can be used: {0}")]
    NoEndpoint(Tried),
    #[error("no endpoint can be used: {tried}; {advice}")]
    CutShort { tried: Tried, advice: &'static str },
    #[error("{endpoint} was asked and did not answer: {}", .obstacle.said)]
    Unanswered { endpoint: String, obstacle: Obstacle },
    #[error(
        "etcd does not accept the password of user {0}; correct TENURE_ETCD_USER, TENURE_ETCD_PASSWORD or the address"
    )]
    WrongPassword(String),
    #[error(
        "etcd asks for a user; set TENURE_ETCD_USER and TENURE_ETCD_PASSWORD, or name them in the address"
    )]
    Anonymous,
    #[error(
        "{who} may not read and write {root}; grant it: \
         etcdctl role add tenure; \
         etcdctl role grant-permission tenure --prefix=true readwrite {root}; \
         etcdctl user grant-role {who} tenure"
    )]
    Forbidden { who: String, root: String },
    #[error("etcd is overloaded and refuses calls; try again later")]
    Busy,
    #[error(
        "the value is larger than etcd accepts; make pages smaller, or raise etcd's --max-request-bytes (1.5 MB unless set)"
    )]
    TooLarge,
    #[error(
        "etcd's database is full and takes no writes; run etcdctl compact REVISION, etcdctl defrag and etcdctl alarm disarm, \
         and start etcd with --auto-compaction-retention=1h"
    )]
    Full,
    #[error(
        "etcd found its own data corrupt and takes no calls; repair the member that etcdctl alarm list names"
    )]
    Corrupt,
    #[error("what answers there is not etcd, or older than 3.4; check host and port")]
    Stranger,
    #[error("etcd forgot what was being listed while it was listed; try again")]
    Compacted,
    #[error("etcd refuses: {0}")]
    Refused(String),
    #[error("{0}")]
    Estranged(Estranged),
}

/// How a connection ends whose two sides do not agree on encryption: neither says why.
const ABRUPT: [&str; 5] = ["connection closed", "broken pipe", "eof", "reset", "http2 error"];

/// The endpoints that were asked, and what came of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Tried(Vec<(String, Obstacle)>);

impl Tried {
    pub(super) fn add(&mut self, endpoint: &str, obstacle: Obstacle) {
        self.0.push((endpoint.to_owned(), obstacle));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn is_abrupt(&self) -> bool {
        self.0.iter().any(|(_, obstacle)| ABRUPT.iter().any(|part| obstacle.said.contains(part)))
    }

    fn is_lasting(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|(_, obstacle)| obstacle.lasting)
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (endpoint, obstacle)) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(f, "{separator}{endpoint}: {}", obstacle.said)?;
        }
        Ok(())
    }
}

impl Trouble {
    /// The same, with `advice` if connections ended abruptly.
    pub(super) fn advised(self, advice: &'static str) -> Self {
        match self {
            Self::NoEndpoint(tried) if tried.is_abrupt() => Self::CutShort { tried, advice },
            other => other,
        }
    }

    /// What a refusal means to `who`, whose keys are under `root`.
    pub(super) fn refused(refusal: Refusal, who: Option<&str>, root: &str) -> Self {
        let known = who.map(str::to_owned);
        match refusal {
            Refusal::WrongPassword => Self::WrongPassword(known.unwrap_or_default()),
            Refusal::Anonymous => Self::Anonymous,
            Refusal::Forbidden => {
                Self::Forbidden { who: known.unwrap_or_else(|| "USER".into()), root: root.to_owned() }
            }
            Refusal::Busy => Self::Busy,
            Refusal::TooLarge => Self::TooLarge,
            Refusal::Full => Self::Full,
            Refusal::Corrupt => Self::Corrupt,
            Refusal::Stranger => Self::Stranger,
            Refusal::Compacted => Self::Compacted,
            Refusal::Token => {
                Self::Refused("it does not know the token that it has just given; try again".into())
            }
            Refusal::NoUsers => {
                Self::Refused("it has no users, yet gave a token; report this as a bug".into())
            }
            Refusal::NotHere(text) | Refusal::Other(text) => Self::Refused(text),
        }
    }
}

impl StoreTrouble for Trouble {
    const STORE: &'static str = KIND;

    fn kind(&self) -> StoreErrorKind {
        match self {
            Self::NoEndpoint(tried) if tried.is_lasting() => StoreErrorKind::Denied,
            Self::NoEndpoint(_)
            | Self::CutShort { .. }
            | Self::Unanswered { .. }
            | Self::Busy
            | Self::Full
            | Self::Compacted => StoreErrorKind::Unavailable,
            Self::WrongPassword(_) | Self::Anonymous | Self::Forbidden { .. } => StoreErrorKind::Denied,
            Self::TooLarge | Self::Refused(_) => StoreErrorKind::Invalid,
            Self::Corrupt | Self::Stranger | Self::Estranged(_) => StoreErrorKind::Incompatible,
        }
    }

    /// What is not the cluster we know carried it out there, if at all. A full etcd writes some of what it refuses.
    fn is_unanswered(&self, operation: Operation) -> bool {
        let is_doubtful =
            matches!(self, Self::Unanswered { .. } | Self::Estranged(_) | Self::Stranger | Self::Full);
        is_doubtful && operation.writes()
    }

    fn into_cause(self) -> Option<Cause> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unanswered() -> Trouble {
        Trouble::Unanswered { endpoint: "a:2379".into(), obstacle: Obstacle::passing("no answer within 1s") }
    }

    #[test]
    fn an_unanswered_write_may_have_landed_and_an_unanswered_read_brought_nothing() {
        let put = unanswered().in_call(Operation::Put, "members/a");
        assert_eq!(put.kind, StoreErrorKind::Indeterminate);
        assert!(
            put.to_string().contains("a:2379 was asked and did not answer: no answer within 1s"),
            "{put}"
        );
        assert_eq!(unanswered().in_call(Operation::Get, "members/a").kind, StoreErrorKind::Unavailable);
    }

    #[test]
    fn a_write_to_another_cluster_may_have_landed_there() {
        let trouble = Trouble::Estranged(Estranged::WentBack { seen: 9, found: 3 });
        assert_eq!(trouble.clone().in_call(Operation::Delete, "a").kind, StoreErrorKind::Indeterminate);
        assert_eq!(trouble.in_call(Operation::Get, "a").kind, StoreErrorKind::Incompatible);
    }

    #[test]
    fn a_write_to_a_full_database_or_to_a_stranger_may_have_landed() {
        for trouble in [Trouble::Full, Trouble::Stranger] {
            assert_eq!(trouble.in_call(Operation::Put, "a").kind, StoreErrorKind::Indeterminate);
        }
        assert_eq!(Trouble::Full.in_call(Operation::Get, "a").kind, StoreErrorKind::Unavailable);
    }

    #[test]
    fn a_missing_permission_comes_with_the_commands_that_grant_it() {
        let error = Trouble::refused(Refusal::Forbidden, Some("orders"), "apps/orders/").on("put", "a");
        assert_eq!(error.kind, StoreErrorKind::Denied);
        let said = error.to_string();
        assert!(said.contains("grant-permission tenure --prefix=true readwrite apps/orders/"), "{said}");
        assert!(said.contains("etcdctl user grant-role orders tenure"), "{said}");
    }

    #[test]
    fn every_endpoint_that_was_tried_is_named() {
        let mut tried = Tried::default();
        tried.add("a:1", Obstacle::passing("Connection refused"));
        tried.add("b:2", Obstacle { said: "its certificate has expired; renew it".into(), lasting: true });
        let error = Trouble::NoEndpoint(tried).on("open", "etcd://a:1,b:2");
        assert_eq!(error.kind, StoreErrorKind::Unavailable, "one of them may come back");
        assert!(error.message.contains("a:1: Connection refused; b:2: its certificate"), "{error}");
    }

    #[test]
    fn what_only_new_settings_can_cure_is_denied() {
        let mut tried = Tried::default();
        tried.add("a:1", Obstacle { said: "its certificate has expired; renew it".into(), lasting: true });
        assert_eq!(Trouble::NoEndpoint(tried).on("open", "a").kind, StoreErrorKind::Denied);
    }
}
