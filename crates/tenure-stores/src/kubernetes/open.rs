//! Opens a store: finds the API server, and asks it something harmless, so that what is wrong shows at once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tenure::store::{StoreError, StoreErrorKind};

use super::client::connect;
use super::error::{KIND, Trouble};
use super::place::Place;
use super::pod::Pod;
use super::shelf::Shelf;
use super::store::{Inner, KubernetesStore, within};
use super::url::Address;
use super::witness::PodWitness;
use crate::trouble::StoreTrouble;

/// How long opening may take.
const OPEN_LIMIT: Duration = Duration::from_secs(15);

impl KubernetesStore {
    /// Opens the store that an address such as `k8s://default/orders` names. Its objects come with its first records.
    ///
    /// # Errors
    /// If the address is not one, and if the API server can't be reached or refuses this user: the message says what to grant.
    pub async fn open_url(address: &str) -> Result<Self, StoreError> {
        Self::opened(address).await.map(|(store, _)| store)
    }

    /// Opens the store that an address names, which must hold a record, and creates nothing: for those who only look.
    ///
    /// # Errors
    /// As [`Self::open_url`], and if there are no records.
    pub async fn open_existing_url(address: &str) -> Result<Self, StoreError> {
        let (store, found) = Self::opened(address).await?;
        if found {
            return Ok(store);
        }
        let message =
            "nothing is stored under this name; name a store that is in use, or start a member on it";
        Err(StoreError::new(StoreErrorKind::Invalid, KIND, "open", &store.0.shown, message))
    }

    /// The store, and whether there is a record in it.
    async fn opened(address: &str) -> Result<(Self, bool), StoreError> {
        let address = Address::parse(address)?;
        let opening = async {
            let store = Self::connected(&address).await?;
            let found = store.look().await?;
            Ok((store, found))
        };
        within(OPEN_LIMIT, opening).await.map_err(|trouble| trouble.on("open", &address.shown()))
    }

    async fn connected(address: &Address) -> Result<Self, Trouble> {
        let client = connect(address).await?;
        let witness = |log: &PathBuf| PodWitness::new(client.clone(), address.namespace.clone(), log.clone());
        Ok(Self(Arc::new(Inner {
            shown: address.shown(),
            place: Place::new(address.name.clone()),
            pod: Pod::of_this_process(&address.namespace),
            leases: Shelf::new(client.clone(), &address.namespace),
            maps: Shelf::new(client.clone(), &address.namespace),
            witness: address.proof.as_ref().map(|log| Arc::new(witness(log))),
            client,
        })))
    }

    /// Finds out whether the API server answers this user at all, before anything is built upon it.
    async fn look(&self) -> Result<bool, Trouble> {
        let everything = self.0.place.selector("");
        let leases = self.0.leases.has_any(&everything).await?;
        Ok(self.0.maps.has_any(&everything).await? || leases)
    }
}
