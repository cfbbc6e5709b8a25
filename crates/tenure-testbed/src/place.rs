//! Where things lie: everything fetched, built or running is under `target/servers`, which anybody may delete.
//!
//! ```text
//! target/servers/etcd-3.5.16/          an installation; whole, or not there
//! target/servers/run/etcd.json         a shared server that was started: its processes and its address
//! target/servers/run/etcd/             its data and its logs
//! ```

use std::path::{Path, PathBuf};

/// The folder of all servers.
pub(crate) fn servers() -> PathBuf {
    target().join("servers")
}

/// The folder of what is running.
pub(crate) fn run() -> PathBuf {
    servers().join("run")
}

/// The root of the workspace.
fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate lies two folders below the root of the workspace")
}

/// Where cargo builds.
fn target() -> PathBuf {
    let chosen = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    root().join(chosen)
}

#[cfg(test)]
mod tests {
    use super::{root, run, servers};

    #[test]
    fn everything_lies_under_one_folder() {
        assert!(root().join("Cargo.lock").is_file());
        assert!(servers().ends_with("servers") && run().starts_with(servers()));
    }
}
