//! What a user may set: plain data with human durations, and one check that names each mistake and its remedy.
//!
//! Most people set the cluster's name and its shard count. Every duration that is left out follows from `lease_ttl`.

mod check;
mod data;

pub use check::SettingsError;
pub use data::Settings;

pub(crate) use check::Checked;

#[cfg(test)]
mod settings_tests;
