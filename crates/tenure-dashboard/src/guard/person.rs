//! One line of a token file: who somebody is, how that is proven, and what they may do.
//!
//! `NAME TOKEN [role=viewer|operator|admin] [clusters=A,B] [until=2027-01-31T00:00:00Z]`. In place of a token stands `@certificate`
//! for a client that shows a certificate with that name, or `@proxy` for whom a trusted proxy calls so. A token alone is an operator.

use std::fmt;
use std::time::UNIX_EPOCH;

use ring::digest::{SHA256, digest};
use tenure::{ClusterName, MemberId};

use super::Role;

/// The fewest characters of a token.
const LENGTH_MIN: usize = 16;

/// Who has a token that says nothing of its owner.
const NAMELESS: &str = "operator";

/// How somebody proves who they are.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Proof {
    /// By a token; this is its digest.
    Token([u8; 32]),
    /// By a certificate that has their name.
    Certificate,
    /// By the word of a trusted proxy.
    Proxy,
}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(_) => "Token",
            Self::Certificate => "Certificate",
            Self::Proxy => "Proxy",
        })
    }
}

/// Somebody who may do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Person {
    /// A name that can be written into the ledger.
    pub(super) name: MemberId,
    pub(super) proof: Proof,
    pub(super) role: Role,
    /// `None`: of every cluster.
    pub(super) clusters: Option<Vec<ClusterName>>,
    /// `None`: for ever.
    pub(super) until_ms: Option<u64>,
}

impl Person {
    /// Reads a line. What is wrong with it is said without repeating it: it may be a secret.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let (name, secret) = match (words.next(), words.next()) {
            (Some(secret), None) => (NAMELESS, secret),
            (Some(name), Some(secret)) => (name, secret),
            (None, _) => return Err("is empty".into()),
        };
        let name = name.parse().map_err(|_| "has a name with other characters than a-z A-Z 0-9 . _ -")?;
        let proof = proof(secret)?;
        let mut person = Self { name, proof, role: Role::Operator, clusters: None, until_ms: None };
        words.try_for_each(|word| person.set(word))?;
        Ok(person)
    }

    fn set(&mut self, word: &str) -> Result<(), String> {
        match word.split_once('=') {
            Some(("role", name)) => {
                self.role = Role::parse(name).ok_or("has a role that is none of viewer, operator, admin")?
            }
            Some(("clusters", names)) => {
                let names: Result<Vec<ClusterName>, _> = names.split(',').map(str::parse).collect();
                self.clusters =
                    Some(names.map_err(|_| "names a cluster that can't be one; write clusters=A,B")?);
            }
            Some(("until", time)) => self.until_ms = Some(moment(time)?),
            Some(_) | None => {
                return Err(
                    "has more than a name, a token, role=…, clusters=… and until=… without spaces".into()
                );
            }
        }
        Ok(())
    }

    /// Whether the person may still do anything, at this time by the wall clock.
    pub(super) fn is_due(&self, now_ms: u64) -> bool {
        self.until_ms.is_none_or(|until_ms| now_ms < until_ms)
    }

    /// Whether the person is one of this cluster's.
    pub(super) fn is_of(&self, cluster: &ClusterName) -> bool {
        self.clusters.as_ref().is_none_or(|clusters| clusters.contains(cluster))
    }
}

fn proof(secret: &str) -> Result<Proof, String> {
    match secret {
        "@certificate" => Ok(Proof::Certificate),
        "@proxy" => Ok(Proof::Proxy),
        secret if secret.len() < LENGTH_MIN || secret.starts_with('@') => Err(format!(
            "has no token of at least {LENGTH_MIN} characters without spaces, @certificate or @proxy"
        )),
        secret => Ok(Proof::Token(hash(secret))),
    }
}

fn moment(text: &str) -> Result<u64, String> {
    let whole = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    let time = humantime::parse_rfc3339(&whole);
    let time =
        time.map_err(|_| "has a time that is none; write until=2027-01-31 or until=2027-01-31T18:00:00Z")?;
    let since = time.duration_since(UNIX_EPOCH).map_err(|_| "has a time before 1970")?;
    u64::try_from(since.as_millis()).map_err(|_| "has a time that is too late".into())
}

/// What is kept of a token.
pub(super) fn hash(secret: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_who_how_what_where_and_until_when() {
        let eve =
            Person::parse("eve 0123456789abcdef role=admin clusters=orders,bills until=2027-01-31").unwrap();
        assert_eq!((eve.name.as_str(), eve.role), ("eve", Role::Admin));
        assert!(eve.is_of(&"bills".parse().unwrap()) && !eve.is_of(&"other".parse().unwrap()));
        assert!(eve.is_due(1_801_353_599_999) && !eve.is_due(1_801_353_600_000));
        assert_eq!(Person::parse("zoe @certificate").unwrap().proof, Proof::Certificate);
        assert_eq!(Person::parse("zoe @proxy role=viewer").unwrap().role, Role::Viewer);
    }

    #[test]
    fn a_line_that_says_no_more_is_an_operator_of_every_cluster_for_ever() {
        for (line, name) in [("bob fedcba9876543210", "bob"), ("lonely-token-0000000", "operator")] {
            let person = Person::parse(line).unwrap();
            assert_eq!((person.name.as_str(), person.role), (name, Role::Operator));
            assert!(person.is_of(&"any".parse().unwrap()) && person.is_due(u64::MAX - 1));
        }
    }

    #[test]
    fn a_line_that_is_wrong_is_refused_without_repeating_it() {
        for line in [
            "eve short",
            "<eve> 0123456789abcdef",
            "eve 0123456789abcdef more",
            "eve 0123456789abcdef role=king",
            "eve 0123456789abcdef clusters=<b>",
            "eve 0123456789abcdef until=soon",
            "eve @somebody-else-altogether",
        ] {
            let told = Person::parse(line).unwrap_err();
            assert!(!told.contains("0123456789abcdef") && !told.contains("short"), "{told}");
        }
    }
}
