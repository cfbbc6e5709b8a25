//! Opens a store by its address.
//!
//! Commands that only look never create a store: a mistyped path would then be an empty cluster instead of an error.

use tenure::store::SharedStore;

use crate::exit::Failure;

/// Opens the store at `address`, and creates it where that is possible and it is not there.
pub(crate) async fn open(address: &str) -> Result<SharedStore, Failure> {
    Ok(tenure_stores::open(address).await?)
}

/// Opens the store at `address`, which must be there, to look at it: nothing is written, and the right to read is enough.
pub(crate) async fn look(address: &str) -> Result<SharedStore, Failure> {
    Ok(tenure_stores::look(address).await?)
}

/// Opens the store at `address`, which must be there.
pub(crate) async fn open_existing(address: &str) -> Result<SharedStore, Failure> {
    Ok(tenure_stores::open_existing(address).await?)
}
