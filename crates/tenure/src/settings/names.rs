//! How the choices of the core are spelled in settings.

use serde::{Deserialize, Serialize};
use tenure_core::config::OnStuck;
use tenure_core::plan::Placement;

#[derive(Serialize, Deserialize)]
#[serde(remote = "OnStuck", rename_all = "lowercase")]
pub(super) enum OnStuckName {
    Abort,
    Wait,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Placement", rename_all = "lowercase")]
pub(super) enum PlacementName {
    Rendezvous,
    Ring,
    Ranges,
    External,
}
