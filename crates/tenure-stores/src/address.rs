//! Opens a store by its address, such as `sqlite:tenure.db`: the scheme chooses the backend.
//!
//! Those who only look use [`open_existing`]: a mistyped address must be an error, never an empty cluster. Addresses may
//! carry passwords, so none is ever repeated in a message unless [`shown`] has taken them out.

use std::borrow::Cow;
#[allow(unused_imports, reason = "a build without any store opens nothing")]
use std::sync::Arc;

use tenure::store::{SharedStore, StoreError, StoreErrorKind};

/// Every scheme that this build opens, with the form of its addresses.
pub const SCHEMES: &[(&str, &str)] = &[
    #[cfg(feature = "sqlite")]
    ("sqlite", "sqlite:FILE, shared by the processes of one machine"),
    #[cfg(feature = "etcd")]
    ("etcd", "etcd://HOST:2379,HOST:2379/PREFIX"),
    #[cfg(feature = "object")]
    ("s3", "s3://BUCKET/PREFIX, and gs://BUCKET/PREFIX, az://CONTAINER/PREFIX"),
    #[cfg(feature = "kubernetes")]
    ("k8s", "k8s://NAMESPACE/NAME"),
    #[cfg(feature = "postgres")]
    ("postgres", "postgres://USER@HOST/DATABASE"),
];

/// Opens the store at `address`, and creates what it needs there if that is possible and it is missing.
///
/// # Errors
/// [`StoreErrorKind::Invalid`] if the address is none that this build knows; else what the store says.
pub async fn open(address: &str) -> Result<SharedStore, StoreError> {
    match scheme(address)? {
        #[cfg(feature = "kubernetes")]
        "k8s" => Ok(Arc::new(crate::kubernetes::KubernetesStore::open_url(address).await?)),
        #[cfg(feature = "sqlite")]
        "sqlite" => Ok(Arc::new(crate::sqlite::SqliteStore::open_url(address).await?)),
        #[cfg(feature = "etcd")]
        "etcd" => Ok(Arc::new(crate::etcd::EtcdStore::open_url(address).await?)),
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => Ok(Arc::new(crate::postgres::PostgresStore::open_url(address).await?)),
        #[cfg(feature = "object")]
        "s3" | "gs" | "az" => Ok(Arc::new(crate::object::ObjectStore::open_url(address).await?)),
        unknown => Err(no_such_scheme(address, unknown)),
    }
}

/// Opens the store at `address`, which must be there, and creates nothing.
///
/// # Errors
/// As [`open`], and if there is no store.
pub async fn open_existing(address: &str) -> Result<SharedStore, StoreError> {
    match scheme(address)? {
        #[cfg(feature = "kubernetes")]
        "k8s" => Ok(Arc::new(crate::kubernetes::KubernetesStore::open_existing_url(address).await?)),
        #[cfg(feature = "sqlite")]
        "sqlite" => Ok(Arc::new(crate::sqlite::SqliteStore::open_existing_url(address).await?)),
        #[cfg(feature = "etcd")]
        "etcd" => Ok(Arc::new(crate::etcd::EtcdStore::open_existing_url(address).await?)),
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => {
            Ok(Arc::new(crate::postgres::PostgresStore::open_existing_url(address).await?))
        }
        #[cfg(feature = "object")]
        "s3" | "gs" | "az" => Ok(Arc::new(crate::object::ObjectStore::open_existing_url(address).await?)),
        unknown => Err(no_such_scheme(address, unknown)),
    }
}

/// The address as people may see it: without the password, if it holds one, and without options that are secrets.
pub fn shown(address: &str) -> Cow<'_, str> {
    let Some((place, options)) = address.split_once('?') else { return without_password(address) };
    let options: Vec<_> = options.split('&').map(without_secret).collect();
    Cow::Owned(format!("{}?{}", without_password(place), options.join("&")))
}

fn without_password(address: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = address.split_once("://") else { return Cow::Borrowed(address) };
    let authority = rest.find('/').unwrap_or(rest.len());
    let Some(at) = rest[..authority].rfind('@') else { return Cow::Borrowed(address) };
    let Some(colon) = rest[..at].find(':') else { return Cow::Borrowed(address) };
    Cow::Owned(format!("{scheme}://{}:***{}", &rest[..colon], &rest[at..]))
}

/// What the name of an option holds whose value is nobody's business.
const SECRETS: [&str; 7] = ["key", "secret", "token", "password", "sas", "credential", "service_account"];

fn without_secret(option: &str) -> Cow<'_, str> {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    let lower = name.to_ascii_lowercase();
    // A URL within the address may hold a password of its own.
    let secret =
        SECRETS.iter().any(|word| lower.contains(word)) || value.contains('@') || value.contains("%40");
    if secret { Cow::Owned(format!("{name}=***")) } else { Cow::Borrowed(option) }
}

fn scheme(address: &str) -> Result<&str, StoreError> {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    scheme.ok_or_else(|| refusal(address, "it has no scheme"))
}

fn no_such_scheme(address: &str, scheme: &str) -> StoreError {
    refusal(address, &format!("the scheme {scheme:?} is not known here"))
}

fn refusal(address: &str, problem: &str) -> StoreError {
    let known: String = SCHEMES.iter().map(|(_, form)| format!("\n  {form}")).collect();
    let message = format!("{problem}; say one of:{known}");
    StoreError::new(StoreErrorKind::Invalid, "store", "open", shown(address), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        assert_eq!(shown("postgres://me:secret@db/orders"), "postgres://me:***@db/orders");
        assert_eq!(shown("etcd://me:p:w@x@h:2379,i:2379/a"), "etcd://me:***@h:2379,i:2379/a");
        assert_eq!(shown("etcd://h:2379,i:2379/a@b"), "etcd://h:2379,i:2379/a@b");
        assert_eq!(shown("sqlite:a:b@c.db"), "sqlite:a:b@c.db");
    }

    #[test]
    fn an_option_that_is_a_secret_is_never_shown() {
        let address = "s3://b/p?region=eu&secret_access_key=abc&endpoint=http://h:1&SESSION_TOKEN=x";
        assert_eq!(
            shown(address),
            "s3://b/p?region=eu&secret_access_key=***&endpoint=http://h:1&SESSION_TOKEN=***"
        );
        assert_eq!(shown("postgres://me:pw@h/d?sslpassword=x"), "postgres://me:***@h/d?sslpassword=***");
        assert_eq!(shown("s3://b?endpoint=http%3A%2F%2Fme:pw%40h"), "s3://b?endpoint=***");
    }

    #[tokio::test]
    async fn an_unknown_scheme_is_answered_by_the_known_ones() {
        let error = open("zookeeper://a:b@c/d").await.unwrap_err().to_string();
        assert!(error.contains("zookeeper") && !error.contains(":b@"), "{error}");
        assert!(SCHEMES.iter().all(|(_, form)| error.contains(form)), "{error}");
    }

    #[tokio::test]
    async fn an_address_without_a_scheme_is_refused() {
        let error = open_existing("tenure.db").await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Invalid);
    }
}
