//! Where things lie: what was fetched or built in a cache that all clones share, what is running under `target`.
//!
//! ```text
//! ~/.cache/tenure/etcd-3.5.16/         an installation; whole, or not there
//! target/servers/etcd-3.5.16/          the same, where the cache can't be written
//! target/servers/run/etcd.json         a shared server that was started: its processes and its address
//! ```
//!
//! `TENURE_CACHE` names another cache. Anybody may delete either folder while no server is up.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names the cache; a relative path counts from the root of the workspace.
const CACHE: &str = "TENURE_CACHE";

/// The cache that all clones of this user share; none where the user has no home.
pub(crate) fn cache() -> Option<PathBuf> {
    cache_by(|name| std::env::var_os(name).filter(|value| !value.is_empty()))
}

fn cache_by(told: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(chosen) = told(CACHE) {
        return Some(root().join(chosen));
    }
    let of_user = told("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let of_user = of_user.or_else(|| Some(PathBuf::from(told("HOME")?).join(".cache")));
    of_user.map(|folder| folder.join("tenure"))
}

/// The folder of this clone's own servers.
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
    use super::*;

    #[test]
    fn what_runs_lies_in_the_clone() {
        assert!(root().join("Cargo.lock").is_file());
        assert!(servers().ends_with("servers") && run().starts_with(servers()));
    }

    #[test]
    fn the_cache_is_the_one_that_is_named_or_else_the_users_own() {
        let cache = |told: &[(&str, &str)]| {
            cache_by(|name| told.iter().find(|(one, _)| *one == name).map(|(_, value)| value.into()))
        };
        let (user, other) = (("HOME", "/people/ada"), ("XDG_CACHE_HOME", "/var/cache/ada"));
        assert_eq!(cache(&[user]), Some("/people/ada/.cache/tenure".into()));
        assert_eq!(cache(&[user, other]), Some("/var/cache/ada/tenure".into()));
        assert_eq!(cache(&[user, ("XDG_CACHE_HOME", "here")]), Some("/people/ada/.cache/tenure".into()));
        assert_eq!(cache(&[user, other, (CACHE, "/mnt/servers")]), Some("/mnt/servers".into()));
        assert_eq!(cache(&[(CACHE, "kept")]), Some(root().join("kept")));
        assert_eq!(cache(&[]), None);
    }
}
