//! Opens a store by its address, such as `sqlite:tenure.db`: the scheme chooses the backend.
//!
//! Those who only look use [`look`], those who steer [`open_existing`]: a mistyped address must be an error, never an empty cluster. Addresses may
//! carry passwords, so none is ever repeated in a message unless [`shown`] has taken them out.

#[allow(unused_imports, reason = "a build without any store opens nothing")]
use std::sync::Arc;

use tenure::store::{SharedStore, StoreError, StoreErrorKind};

use crate::shown::{is_scheme, shown};

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

/// Opens the store at `address`, which must be there, to look: nothing is written or created, and the right to read is enough.
///
/// # Errors
/// As [`open_existing`].
pub async fn look(address: &str) -> Result<SharedStore, StoreError> {
    match scheme(address)? {
        #[cfg(feature = "sqlite")]
        "sqlite" => Ok(Arc::new(crate::sqlite::SqliteStore::look_url(address).await?)),
        // Over the network, opening writes nothing.
        _ => open_existing(address).await,
    }
}

fn scheme(address: &str) -> Result<&str, StoreError> {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme));
    scheme.ok_or_else(|| refusal(address, "it has no scheme"))
}

fn no_such_scheme(address: &str, scheme: &str) -> StoreError {
    let problem = match feature_of(scheme) {
        Some(feature) => format!(
            "this was built without the feature `{feature}`, and opens no {scheme:?}; build it with that"
        ),
        None => format!("the scheme {scheme:?} is not known here"),
    };
    refusal(address, &problem)
}

/// The feature that opens a scheme.
fn feature_of(scheme: &str) -> Option<&'static str> {
    match scheme {
        "sqlite" => Some("sqlite"),
        "etcd" => Some("etcd"),
        "s3" | "gs" | "az" => Some("object"),
        "k8s" => Some("kubernetes"),
        "postgres" | "postgresql" => Some("postgres"),
        _ => None,
    }
}

fn refusal(address: &str, problem: &str) -> StoreError {
    let known: String = SCHEMES.iter().map(|(_, form)| format!("\n  {form}")).collect();
    let message = format!("{problem}; say one of:{known}");
    StoreError::new(StoreErrorKind::Invalid, "store", "open", shown(address), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_unknown_scheme_is_answered_by_the_known_ones() {
        let error = open("zookeeper://a:b@c/d").await.unwrap_err().to_string();
        assert!(error.contains("zookeeper") && !error.contains(":b@"), "{error}");
        assert!(SCHEMES.iter().all(|(_, form)| error.contains(form)), "{error}");
    }

    #[cfg(not(feature = "object"))]
    #[tokio::test]
    async fn a_store_that_was_left_out_is_named_with_its_feature() {
        let error = open("gs://bucket/prefix").await.unwrap_err().to_string();
        assert!(error.contains("built without the feature `object`"), "{error}");
    }

    #[tokio::test]
    async fn an_address_without_a_scheme_is_refused() {
        let error = open_existing("tenure.db").await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Invalid);
    }
}
