//! Opens a place for journals by its address, such as `sqlite:journal.db`: the scheme chooses the mechanism.
//!
//! Ownership and journals may lie in different places, and not every store of ownership can carry a journal: those are refused by name.

use std::sync::Arc;

use tenure::journal::Journal;
use tenure::store::{StoreError, StoreErrorKind};

use crate::shown::{is_scheme, shown};

/// Every scheme of journals that this build opens, with the form of its addresses.
pub const JOURNAL_SCHEMES: &[(&str, &str)] = &[
    #[cfg(feature = "sqlite")]
    ("sqlite", "sqlite:FILE, shared by the processes of one machine; another file than ownership's"),
    #[cfg(feature = "folder")]
    ("file", "file:FOLDER, shared by the processes of one machine; a path that begins with / or . will do"),
    #[cfg(feature = "postgres")]
    ("postgres", "postgres://USER@HOST/DATABASE"),
    #[cfg(feature = "object")]
    ("s3", "s3://BUCKET/PREFIX, and gs://BUCKET/PREFIX, az://CONTAINER/PREFIX"),
];

/// Opens the journals at `address`, and creates what they need there if that is possible and it is missing.
///
/// # Errors
/// [`StoreErrorKind::Invalid`] if the address is none that this build can keep journals at; else what stands there says.
pub async fn open_journal(address: &str) -> Result<Arc<dyn Journal>, StoreError> {
    match scheme(address)? {
        #[cfg(feature = "sqlite")]
        "sqlite" => Ok(Arc::new(crate::sqlite::SqliteJournal::connect(address).await?)),
        #[cfg(feature = "folder")]
        "file" => Ok(Arc::new(crate::folder::JournalFolder::journal(address).await?)),
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => Ok(Arc::new(crate::postgres::PostgresJournal::connect(address).await?)),
        #[cfg(feature = "object")]
        "s3" | "gs" | "az" => Ok(Arc::new(crate::object::JournalBucket::journal(address).await?)),
        "etcd" => Err(unfit(address, "etcd")),
        "k8s" => Err(unfit(address, "Kubernetes")),
        unknown => Err(refusal(address, &format!("the scheme {unknown:?} is not known here"))),
    }
}

/// A path alone names a folder.
fn scheme(address: &str) -> Result<&str, StoreError> {
    if address.starts_with(['/', '.']) {
        return Ok("file");
    }
    let scheme = address.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme));
    scheme.ok_or_else(|| refusal(address, "it has no scheme"))
}

fn unfit(address: &str, store: &str) -> StoreError {
    let problem = format!(
        "{store} carries no journals, for its values are small and its history is short; ownership may stay there: give the journal a place of its own"
    );
    refusal(address, &problem)
}

fn refusal(address: &str, problem: &str) -> StoreError {
    let known: String = JOURNAL_SCHEMES.iter().map(|(_, form)| format!("\n  {form}")).collect();
    let message = format!("{problem}; say one of:{known}");
    StoreError::new(StoreErrorKind::Invalid, "journal", "open", shown(address), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn stores_that_carry_no_journal_are_refused_with_those_that_do() {
        for address in ["etcd://a:b@c:2379/d", "k8s://default/tenure"] {
            let error = open_journal(address).await.unwrap_err();
            assert_eq!(error.kind, StoreErrorKind::Invalid);
            let said = error.to_string();
            assert!(said.contains("ownership may stay there: give the journal a place of its own"), "{said}");
            assert!(!said.contains(":b@"), "{said}");
            assert!(JOURNAL_SCHEMES.iter().all(|(_, form)| said.contains(form)), "{said}");
        }
    }

    #[tokio::test]
    async fn an_unknown_scheme_and_an_address_without_one_are_answered_by_the_known_ones() {
        for address in ["zookeeper://a:b@c/d", "journal.db"] {
            let error = open_journal(address).await.unwrap_err().to_string();
            assert!(JOURNAL_SCHEMES.iter().all(|(_, form)| error.contains(form)), "{error}");
            assert!(!error.contains(":b@"), "{error}");
        }
    }
}
