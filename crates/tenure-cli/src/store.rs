//! Opens a store by its address.
//!
//! The scheme chooses the backend. Commands that only look never create a store: a mistyped path would then be an empty
//! cluster instead of an error.

use std::sync::Arc;

use tenure::store::SharedStore;
use tenure_stores::sqlite::SqliteStore;

use crate::exit::{Exit, Failure};

/// The schemes that [`open`] knows, with what they are.
const SCHEMES: [(&str, &str); 1] = [("sqlite", "sqlite:FILE, shared by the processes of one machine")];

/// Opens the store at `address`, and creates it where that is possible and it is not there.
pub(crate) async fn open(address: &str) -> Result<SharedStore, Failure> {
    match scheme(address)? {
        "sqlite" => Ok(Arc::new(SqliteStore::open_url(address).await?)),
        unknown => Err(no_such_scheme(address, unknown)),
    }
}

/// Opens the store at `address`, which must be there.
pub(crate) async fn open_existing(address: &str) -> Result<SharedStore, Failure> {
    match scheme(address)? {
        "sqlite" => Ok(Arc::new(SqliteStore::open_existing_url(address).await?)),
        unknown => Err(no_such_scheme(address, unknown)),
    }
}

fn scheme(address: &str) -> Result<&str, Failure> {
    let known = schemes();
    address.split_once(':').map(|(scheme, _)| scheme).ok_or_else(|| {
        Failure::new(Exit::Usage, format!("store {address:?} has no scheme; say one of:{known}"))
    })
}

fn no_such_scheme(address: &str, scheme: &str) -> Failure {
    let known = schemes();
    Failure::new(
        Exit::Usage,
        format!("store {address:?}: the scheme {scheme:?} is not known here; say one of:{known}"),
    )
}

fn schemes() -> String {
    SCHEMES.iter().map(|(_, what)| format!("\n  {what}")).collect()
}
