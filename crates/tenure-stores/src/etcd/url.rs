//! `etcd:` addresses, for settings and command lines.
//!
//! `etcd://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]…][/PREFIX][?OPTION=VALUE&…]`; user, password and values may be
//! percent-encoded. User and password can stay out of the address: `TENURE_ETCD_USER` and `TENURE_ETCD_PASSWORD` give what it
//! leaves open.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tenure::store::{StoreError, StoreErrorKind};

use super::error::KIND;
use super::range::Root;

const PORT: &str = "2379";
const PREFIX: &str = "tenure";

/// How long one endpoint has for a call; the next one is tried then, if the call may be sent again. Half a usual lease's
/// time for renewals leaves room for more than one.
const PATIENCE: Duration = Duration::from_secs(1);

/// What an address says.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// Each as `host:port`.
    pub(super) endpoints: Vec<String>,
    pub(super) root: Root,
    pub(super) user: Option<User>,
    pub(super) tls: Option<Tls>,
    pub(super) patience: Duration,
}

/// Who we say we are.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct User {
    pub(super) name: String,
    pub(super) password: String,
}

impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("User").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The files of an encrypted connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tls {
    /// Whom to trust; the system's authorities if it is missing.
    pub(super) ca: Option<PathBuf>,
    pub(super) certificate: Option<PathBuf>,
    pub(super) key: Option<PathBuf>,
}

/// Understands an address; `variable` looks into the environment. A refusal quotes nothing of the address: a password that
/// is not escaped can end up anywhere.
pub(super) fn parse(address: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Options, StoreError> {
    read(address, variable).map_err(|problem| {
        StoreError::new(StoreErrorKind::Invalid, KIND, "open", crate::shown(address), problem)
    })
}

fn read(address: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Options, String> {
    let Some(rest) = address.strip_prefix("etcd://") else {
        return Err("it does not begin with etcd://; use an address such as etcd://host:2379/orders".into());
    };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (Some(user), hosts),
        None => (None, authority),
    };
    let (tls, patience) = options(query)?;
    Ok(Options {
        endpoints: hosts.split(',').map(endpoint).collect::<Result<_, _>>()?,
        root: root(prefix)?,
        user: user_of(user, variable)?,
        tls,
        patience,
    })
}

fn endpoint(host: &str) -> Result<String, String> {
    let (name, port) = match host.rsplit_once(':') {
        // Colons within brackets belong to an address of IPv6.
        Some((name, port)) if !port.ends_with(']') => (name, port),
        Some(_) | None => (host, PORT),
    };
    if port.parse::<u16>().is_err() {
        return Err("an endpoint has no proper port; name it as host:2379, and escape / ? @ of a password as %2F %3F %40".into());
    }
    if name.is_empty() || (name.contains(':') && !name.starts_with('[')) {
        return Err(
            "a host is missing or odd; name endpoints as host:2379,host:2379, and IPv6 as [::1]:2379".into(),
        );
    }
    Ok(format!("{name}:{port}"))
}

fn root(prefix: &str) -> Result<Root, String> {
    let prefix = prefix.trim_matches('/');
    let odd = |byte: u8| !(byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    if prefix.bytes().any(odd) || prefix.contains("//") {
        return Err("the prefix has odd characters; use letters, digits and . _ - /".into());
    }
    Ok(Root::new(if prefix.is_empty() { PREFIX } else { prefix }))
}

fn user_of(given: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> Result<Option<User>, String> {
    let (name, password) = match given.map(|user| user.split_once(':').unwrap_or((user, ""))) {
        Some((name, password)) => (decoded(name)?, decoded(password)?),
        None => (String::new(), String::new()),
    };
    let or =
        |given: String, name: &str| if given.is_empty() { variable(name).unwrap_or_default() } else { given };
    let (name, password) = (or(name, "TENURE_ETCD_USER"), or(password, "TENURE_ETCD_PASSWORD"));
    match (name.is_empty(), password.is_empty()) {
        (true, true) => Ok(None),
        // A certificate can be a user too, but then etcd is told no name at all.
        (false, true) => Err("the user has no password; set TENURE_ETCD_PASSWORD".into()),
        (true, false) => Err("there is a password but no user; set TENURE_ETCD_USER".into()),
        (false, false) => Ok(Some(User { name, password })),
    }
}

fn options(query: &str) -> Result<(Option<Tls>, Duration), String> {
    let (mut tls, mut encrypted, mut patience) = (Tls::default(), None, PATIENCE);
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = decoded(value)?;
        match (name, value.as_str()) {
            ("ca" | "cert" | "key", "") => return Err("ca, cert or key names no file".into()),
            ("ca", file) => tls.ca = Some(file.into()),
            ("cert", file) => tls.certificate = Some(file.into()),
            ("key", file) => tls.key = Some(file.into()),
            ("tls", "true") => encrypted = Some(true),
            ("tls", "false") => encrypted = Some(false),
            ("timeout_ms", value) => patience = milliseconds(value)?,
            _ => {
                return Err(
                    "there are no options but tls=true, ca=FILE, cert=FILE, key=FILE and timeout_ms=1000"
                        .into(),
                );
            }
        }
    }
    Ok((judged(tls, encrypted)?, patience))
}

fn judged(tls: Tls, encrypted: Option<bool>) -> Result<Option<Tls>, String> {
    if tls.certificate.is_some() != tls.key.is_some() {
        return Err(
            "a certificate needs its key, and a key its certificate; give both cert=FILE and key=FILE".into(),
        );
    }
    let wanted = tls != Tls::default();
    match encrypted {
        Some(false) if wanted => {
            Err("tls=false contradicts ca, cert and key; leave out the one or the others".into())
        }
        Some(false) => Ok(None),
        Some(true) => Ok(Some(tls)),
        None => Ok(wanted.then_some(tls)),
    }
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(number) if (1..=60_000).contains(&number) => Ok(Duration::from_millis(number)),
        Ok(_) | Err(_) => Err("timeout_ms is not a number from 1 to 60000".into()),
    }
}

fn decoded(text: &str) -> Result<String, String> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(Into::into).map_err(|_| "a percent-encoded part is not UTF-8".into())
}

#[cfg(test)]
#[path = "url_tests.rs"]
mod tests;
