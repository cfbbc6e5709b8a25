//! An address as people may see it: without passwords, keys and tokens.
//!
//! The rule: an address is taken apart first, and only parts that can't be secret are shown. A password that was not escaped can end up
//! anywhere, so where the parts do not look as they must nothing is shown but the scheme.

use std::borrow::Cow;

/// The schemes whose addresses are known here. Of another one nobody knows where its secrets are.
const KNOWN: [&str; 7] = ["etcd", "postgres", "postgresql", "s3", "gs", "az", "k8s"];

/// Options whose values are no secrets.
const OPEN: [&str; 21] = [
    "account",
    "account_name",
    "allow_http",
    "application_name",
    "ca",
    "cert",
    "conditional_delete",
    "connect_timeout",
    "context",
    "kubeconfig",
    "proof",
    "region",
    "schema",
    "sslcert",
    "sslmode",
    "sslrootcert",
    "termination_log",
    "timeout_ms",
    "tls",
    "use_path_style",
    "virtual_hosted_style_request",
];

/// Options that are addresses themselves.
const ENDPOINTS: [&str; 4] = ["aws_endpoint", "aws_endpoint_url", "base_url", "endpoint"];

/// The address as people may see it: without the password, if it holds one, and without options that may be secrets.
pub fn shown(address: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = address.split_once(':') else {
        return if is_path(address) { address.into() } else { "***".into() };
    };
    match scheme {
        // A path as it is; but what looks like a host may come with a password.
        "sqlite" | "file" if !rest.starts_with("//") || rest.starts_with("///") => Cow::Borrowed(address),
        known if KNOWN.contains(&known) => place(rest)
            .map_or_else(|| format!("{known}://***").into(), |place| format!("{known}://{place}").into()),
        other if is_scheme(other) => format!("{other}:***").into(),
        _ => "***".into(),
    }
}

/// Whether it can be a scheme, rather than the beginning of something else.
pub(crate) fn is_scheme(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain)
}

/// What follows the scheme, if it is made as it must be.
fn place(rest: &str) -> Option<String> {
    let parts = Parts::of(rest.strip_prefix("//")?)?;
    let user =
        match parts.user.map(|user| user.split_once(':').map_or((user, ""), |(name, _)| (name, ":***"))) {
            None => String::new(),
            Some((name, password)) if is_path(name) => format!("{name}{password}@"),
            Some(_) => return None,
        };
    if !parts.hosts.split(',').all(is_host) || !is_path(parts.path) {
        return None;
    }
    let options: Option<Vec<String>> =
        parts.query.map(|query| query.split('&').map(option).collect()).unwrap_or(Some(Vec::new()));
    let (options, mark) = (options?.join("&"), if parts.query.is_some() { "?" } else { "" });
    Some(format!("{user}{}{}{mark}{options}", parts.hosts, parts.path))
}

/// An option; `None` if it is none, and so perhaps a part of a password.
fn option(text: &str) -> Option<String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let lower = name.to_ascii_lowercase();
    if !lower.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return None;
    }
    let secret = || format!("{name}=***");
    Some(match lower.as_str() {
        "context" => text.to_owned(),
        _ if value.is_empty() && !text.contains('=') => secret(),
        open if OPEN.contains(&open) && !value.contains('@') && !value.contains("%40") => text.to_owned(),
        endpoint if ENDPOINTS.contains(&endpoint) => {
            endpoint_of(value).map_or_else(secret, |value| format!("{name}={value}"))
        }
        // What stands before an @ may be a password, and what follows it a host that belongs to the address.
        _ if value.contains('@') => return None,
        _ => secret(),
    })
}

/// An endpoint without anything that may be a secret: its scheme, host and port.
fn endpoint_of(value: &str) -> Option<&str> {
    let (scheme, rest) = value.split_once("://")?;
    let bare = is_scheme(scheme) && is_host(rest.trim_end_matches('/'));
    bare.then_some(value)
}

/// The parts of an address, by its punctuation alone: several hosts are no URL.
struct Parts<'a> {
    user: Option<&'a str>,
    hosts: &'a str,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// `None` where an @ stands outside of its place: then nobody knows what is the password.
    fn of(rest: &'a str) -> Option<Self> {
        let (place, query) = rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
        let end = place.find('/').unwrap_or(place.len());
        let (authority, path) = place.split_at(end);
        let (user, hosts) =
            authority.rsplit_once('@').map_or((None, authority), |(user, hosts)| (Some(user), hosts));
        (!path.contains('@')).then_some(Self { user, hosts, path, query })
    }
}

/// Whether it is a host, perhaps with a port.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        Some(_) | None => (text, ""),
    };
    let bracketed = name.starts_with('[') && name.ends_with(']');
    let inner = |c: char| c.is_ascii_alphanumeric() || "._-%".contains(c) || (bracketed && "[]:".contains(c));
    name.chars().all(inner) && port.chars().all(|c| c.is_ascii_digit())
}

/// Whether it is made as paths are here.
fn is_path(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-%".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_secret_is_shown() {
        for address in [
            "postgres://db:5432/orders?sslmode=verify-full",
            "etcd://h:2379,[::1]:2379/a/b?tls=true&ca=/etc/ca.pem",
            "s3://bucket/p?region=eu&endpoint=http://localhost:9000",
            "k8s://prod/orders?context=admin@east",
            "sqlite:a:b@c.db",
            "sqlite:///var/lib/t.db",
            "tenure.db",
        ] {
            assert_eq!(shown(address), address);
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        assert_eq!(shown("postgres://me:secret@db/orders"), "postgres://me:***@db/orders");
        assert_eq!(shown("etcd://me:p:w@x@h:2379,i:2379/a"), "etcd://me:***@h:2379,i:2379/a");
        assert_eq!(shown("postgres://me:pw@h/d?sslpassword=x"), "postgres://me:***@h/d?sslpassword=***");
    }

    #[test]
    fn a_password_that_is_not_escaped_is_not_shown_in_part_either() {
        for address in [
            "postgres://me:hun/ter2@db/orders",
            "postgres://me:12/hunter2@db/orders",
            "postgres://me:hun?ter2@db/orders",
            "postgres://me:hun?a=ter2@db/orders",
            "etcd://me:hun#ter/2@h:2379/a",
            "s3://key:hun/ter2@bucket/p",
            "sqlite://me:hunter2@host/x",
            "zookeeper://me:hunter2@host/x",
            "mysql:me:hunter2",
            "me@x:hunter2",
            "password=hunter2 host=db",
        ] {
            let told = shown(address);
            assert!(!told.contains("hun") && !told.contains("ter2"), "{told}");
        }
    }

    #[test]
    fn an_option_that_may_be_a_secret_is_never_shown() {
        let address =
            "s3://b/p?region=eu&secret_access_key=abc&endpoint=http://h:1&SESSION_TOKEN=x&whatever=y";
        assert_eq!(
            shown(address),
            "s3://b/p?region=eu&secret_access_key=***&endpoint=http://h:1&SESSION_TOKEN=***&whatever=***"
        );
        assert_eq!(shown("s3://b?endpoint=http%3A%2F%2Fme:pw%40h"), "s3://b?endpoint=***");
        assert_eq!(shown("s3://b?endpoint=http://me:pw@h"), "s3://b?endpoint=***");
        assert_eq!(shown("s3://b?endpoint=http://h/?sig=pw"), "s3://b?endpoint=***");
    }

    #[test]
    fn whatever_is_written_nothing_but_its_parts_is_shown() {
        // Every cut of an address with a password, and every mark in the midst of the password.
        for mark in "/?#@:&=%[], \\\"'".chars() {
            for scheme in ["postgres", "etcd", "s3", "k8s", "unknown"] {
                let told = shown(&format!("{scheme}://me:AAAA{mark}BBBB@host:1/path?tls=true")).into_owned();
                assert!(!told.contains("AAAA") && !told.contains("BBBB"), "{mark}: {told}");
            }
        }
    }
}
