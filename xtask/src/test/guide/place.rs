//! Where pages are played: the program, the servers, and a fresh folder for each page.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use tempfile::TempDir;
use tenure_testbed::Kind;
use tenure_testbed::servers;

use crate::cargo::{built, root, target};

/// What pages may call a server, and which it is.
const SERVERS: [(&str, Kind); 4] = [
    ("ETCD_URL", Kind::Etcd),
    ("S3_URL", Kind::S3),
    ("KUBERNETES_URL", Kind::Kubernetes),
    ("POSTGRES_URL", Kind::Postgres),
];

/// What settings of whoever runs the tests could change in a page.
const WITHHELD: [&str; 7] = ["TENURE_", "AWS_", "AZURE_", "GOOGLE_", "PG", "KUBECONFIG", "OTEL_"];

/// What a page finds in its folder as `./worker`, in place of the reader's own.
const WORKER: &str =
    "#!/bin/sh\necho \"working on shard $TENURE_SHARD at epoch $TENURE_EPOCH\"\nexec sleep 1000\n";

/// What all pages share.
#[derive(Debug)]
pub(super) struct Grounds {
    variables: BTreeMap<&'static str, OsString>,
    absent: BTreeMap<&'static str, Kind>,
}

impl Grounds {
    /// An error names a server that is neither up nor left out.
    pub(super) fn prepare(skipped: &[Kind]) -> Result<Self, String> {
        let all = servers::status().map_err(|error| error.to_string())?;
        let mut grounds = Self { variables: common()?, absent: BTreeMap::new() };
        for (name, kind) in SERVERS {
            let up = all.iter().find(|one| one.kind == kind && one.state.serves());
            match up.filter(|_| !skipped.contains(&kind)) {
                Some(server) => drop(grounds.variables.insert(name, server.url.clone().into())),
                None if skipped.contains(&kind) => drop(grounds.absent.insert(name, kind)),
                None => return Err(format!("{kind} is not up: run `cargo xtask servers up`")),
            }
        }
        Ok(grounds)
    }

    /// Why a text can't be carried out here, if it asks for a server that was left out.
    pub(super) fn lacks(&self, text: &str) -> Option<String> {
        let asked = self.absent.iter().find(|(name, _)| text.contains(*name));
        asked.map(|(_, kind)| format!("its server is left out by --skip-store {kind}"))
    }

    pub(super) fn place(&self) -> Result<Place, String> {
        let folder = tempfile::Builder::new().prefix("guide-").tempdir();
        let folder = folder.map_err(|error| format!("can't make a folder: {error}"))?;
        let mut variables = self.variables.clone();
        variables.insert("HOME", folder.path().join("home").into());
        for name in ["PORT_A", "PORT_B", "PORT_C"] {
            variables.insert(name, free_port()?.to_string().into());
        }
        let place = Place { folder, variables };
        place
            .furnish()
            .map_err(|error| format!("can't furnish {}: {error}", place.folder.path().display()))?;
        Ok(place)
    }
}

/// The folder and the variables of one page.
#[derive(Debug)]
pub(super) struct Place {
    folder: TempDir,
    variables: BTreeMap<&'static str, OsString>,
}

impl Place {
    /// Where the page's commands are.
    pub(super) fn here(&self) -> PathBuf {
        self.folder.path().join("here")
    }

    /// Where whoever plays the page keeps its own things.
    pub(super) fn backstage(&self) -> PathBuf {
        self.folder.path().join("backstage")
    }

    /// A command that knows only what a reader's would.
    pub(super) fn dress(&self, command: &mut Command) {
        let withheld = |name: &str| WITHHELD.iter().any(|prefix| name.starts_with(prefix));
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(withheld) {
                command.env_remove(name);
            }
        }
        command.envs(&self.variables).current_dir(self.here());
    }

    fn furnish(&self) -> std::io::Result<()> {
        for folder in [self.here(), self.backstage(), self.folder.path().join("home")] {
            fs::create_dir(folder)?;
        }
        let worker = self.here().join("worker");
        fs::write(&worker, WORKER)?;
        make_executable(&worker)
    }
}

fn make_executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

/// A port that was free a moment ago; whoever takes it meanwhile makes the page fail, and says so.
fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(|error| format!("can't find a free port: {error}"))
}

fn common() -> Result<BTreeMap<&'static str, OsString>, String> {
    let home = PathBuf::from(env::var_os("HOME").unwrap_or_default());
    let or_in_home = |name: &str, folder: &str| env::var_os(name).unwrap_or_else(|| home.join(folder).into());
    Ok(BTreeMap::from([
        ("PATH", path()?),
        ("ROOT", root().into()),
        ("CARGO_HOME", or_in_home("CARGO_HOME", ".cargo")),
        ("RUSTUP_HOME", or_in_home("RUSTUP_HOME", ".rustup")),
        ("TARGET", target().into()),
        ("CARGO_TARGET_DIR", target().join("guide").into()),
    ]))
}

/// The built program first, then etcd's own tools where the tests installed them.
fn path() -> Result<OsString, String> {
    let mut folders = vec![built()?];
    folders.extend(tenure_testbed::etcd::programs());
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    env::join_paths(folders).map_err(|error| format!("can't make a PATH: {error}"))
}

#[cfg(test)]
impl Grounds {
    /// Without servers.
    pub(super) fn bare() -> Self {
        Self { variables: common().expect("this test runs from a folder"), absent: BTreeMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_asks_for_a_server_which_was_left_out_lacks_it() {
        let mut grounds = Grounds::bare();
        grounds.absent.insert("ETCD_URL", Kind::Etcd);
        let why = Some("its server is left out by --skip-store etcd".to_owned());
        assert_eq!(grounds.lacks("etcdctl --endpoints \"${ETCD_URL%/*}\""), why);
        assert_eq!(grounds.lacks("tenure run --store \"$POSTGRES_URL\""), None);
    }
}
