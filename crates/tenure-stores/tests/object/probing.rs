//! A server that ignores conditions is found out before the first record is written.

use tenure::store::{StoreErrorKind, probe};

use crate::address::Address;
use crate::scripted::Scripted;
use crate::toy::Toy;

async fn probed(toy: Toy) -> Result<(), String> {
    let server = Scripted::start(move |asked| toy.answer(asked)).await;
    let store = Address::of(server.address()).open().await;
    probe(&store, "c/", "0123").await.map_err(|error| {
        assert_eq!(error.kind, StoreErrorKind::Incompatible);
        error.to_string()
    })
}

#[tokio::test]
async fn a_server_that_heeds_conditions_passes() {
    assert_eq!(probed(Toy::sound()).await, Ok(()));
}

#[tokio::test]
async fn a_server_that_overwrites_on_create_is_not_used() {
    let refusal = probed(Toy::that_overwrites_on_create()).await.unwrap_err();
    assert!(refusal.contains("store ignores preconditions: do not use"), "{refusal}");
    assert!(refusal.contains("created a key that exists"), "{refusal}");
}

#[tokio::test]
async fn a_server_that_ignores_versions_is_not_used() {
    let refusal = probed(Toy::that_ignores_versions()).await.unwrap_err();
    assert!(refusal.contains("replaced a version that is no more"), "{refusal}");
}
