//! Opens a store: understands the address, and lists once, so that what is wrong with it, the credentials or the bucket shows at once.

use std::sync::Arc;

use tenure::store::StoreError;

use super::shelf::Shelf;
use super::store::ObjectStore;
use super::url::Address;

impl ObjectStore {
    /// Opens the bucket that an address such as `s3://bucket/prefix` names. It must exist: buckets are not created here.
    ///
    /// # Errors
    /// Says what is wrong with the address, the credentials or the bucket, and what to do about it.
    pub async fn open_url(address: &str) -> Result<Self, StoreError> {
        let shelf = Shelf::at(&Address::parse(address)?)?;
        shelf.is_empty().await?;
        Ok(Self(Arc::new(shelf)))
    }

    /// Opens what an address names, in which there must be something already: for those who only look.
    ///
    /// # Errors
    /// As [`Self::open_url`], and if nothing is there.
    pub async fn open_existing_url(address: &str) -> Result<Self, StoreError> {
        let shelf = Shelf::at(&Address::parse(address)?)?;
        if shelf.is_empty().await? {
            return Err(shelf.nothing_there());
        }
        Ok(Self(Arc::new(shelf)))
    }
}
