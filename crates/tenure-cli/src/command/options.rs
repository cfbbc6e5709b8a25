//! Options that many commands share.
//!
//! An option with an environment variable `TENURE_NAME` is also a key `name` of the settings file; nothing else is needed
//! for that (see [`crate::config`]).

use tenure_core::ids::ClusterName;

/// Which cluster, and where it is kept.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ClusterOptions {
    /// Where the cluster keeps its records
    #[arg(
        long,
        value_name = "URL",
        env = "TENURE_STORE",
        default_value = "sqlite:tenure.db",
        hide_env_values = true
    )]
    pub(crate) store: String,
    /// The cluster's name
    #[arg(
        long,
        value_name = "NAME",
        env = "TENURE_CLUSTER",
        default_value = "default",
        hide_env_values = true
    )]
    pub(crate) cluster: ClusterName,
}
