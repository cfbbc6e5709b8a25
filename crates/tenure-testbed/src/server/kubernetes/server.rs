//! The API server and its etcd, and what tests do to them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::access::{User, kubeconfig, write_kubeconfigs, write_tokens};
use crate::certificate::Certificates;
use crate::error::Error;
use crate::install::kubernetes::Programs;
use crate::port::Port;
use crate::process::{Life, Order, Process, run_in_background};
use crate::ready;
use crate::server::etcd::Single;
use crate::server::struck::struck;
use crate::server::{Home, Left};

/// One API server. It ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    api: Process,
    etcd: Single,
    port: Port,
    kubectl: PathBuf,
    home: Home,
}

struck!(Server, api);

impl Server {
    /// Starts one, with the namespaces that every cluster has.
    ///
    /// # Panics
    ///
    /// When it does not start; the message says why, and what to run when it is not installed.
    pub async fn start() -> Self {
        Self::open(Life::Owned).await.unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) async fn open(life: Life) -> Result<Self, Error> {
        let (programs, home, port) = (Programs::find()?, Home::new("kubernetes")?, Port::free()?);
        let etcd = Single::open(home.path(), life).await?;
        let made = Certificates::make(home.path())?;
        write_kubeconfigs(home.path(), &made, &port.address())?;
        let args = arguments(&port, &etcd.address(), &made, &write_tokens(home.path())?);
        let api =
            Process::start(Order::new("kube-apiserver", life, &programs.apiserver, home.path()).args(args))?;
        let mut server = Self { api, etcd, port, kubectl: programs.kubectl, home };
        server.answered().await?;
        Ok(server)
    }

    /// How to talk to it as `admin`, who may do anything.
    pub fn kubeconfig(&self) -> PathBuf {
        kubeconfig(self.home.path(), User::Admin)
    }

    /// How to talk to it as `alice`, who may do nothing.
    pub fn kubeconfig_of_alice(&self) -> PathBuf {
        kubeconfig(self.home.path(), User::Alice)
    }

    /// `host:port`.
    pub fn address(&self) -> String {
        self.port.address()
    }

    /// What a store called `name` in `namespace` is opened by.
    pub fn url(&self, namespace: &str, name: &str) -> String {
        format!("k8s://{namespace}/{name}?kubeconfig={}", self.kubeconfig().display())
    }

    /// Runs kubectl as `admin`; answers what it wrote.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub async fn kubectl(&self, args: &[&str]) -> String {
        self.try_kubectl(args).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same where it may fail; the error holds what it wrote.
    pub async fn try_kubectl(&self, args: &[&str]) -> Result<String, Error> {
        run_in_background(command(&self.kubectl, &self.kubeconfig(), args)).await
    }

    /// Makes a namespace.
    ///
    /// # Panics
    ///
    /// When the server refuses, as it does where there is one.
    pub async fn make_namespace(&self, name: &str) {
        self.kubectl(&["create", "namespace", name]).await;
    }

    /// It makes the namespace `default` a moment after it says that it is ready.
    async fn answered(&mut self) -> Result<(), Error> {
        let (kubectl, access) = (self.kubectl.clone(), self.kubeconfig());
        ready::ask(&mut self.api, async || {
            for question in [READY, DEFAULT] {
                run_in_background(command(&kubectl, &access, question))
                    .await
                    .map_err(|error| error.to_string())?;
            }
            Ok(())
        })
        .await
    }

    /// Leaves it running; answers what is to be known of it.
    pub(crate) fn let_go(mut self) -> Result<Left, Error> {
        let version = Programs::find()?.version()?;
        let (address, url) = (self.address(), self.url("default", "tenure"));
        let processes = [self.api.let_go(), self.etcd.let_go()].into_iter().flatten().collect();
        Ok(Left { version, address, url, folder: self.home.let_go(), processes, s3: None })
    }
}

const READY: &[&str] = &["get", "--raw", "/readyz"];
const DEFAULT: &[&str] = &["get", "namespace", "default"];

/// Whether the server whose files are in `folder` answers.
pub(crate) async fn answers(folder: &Path) -> bool {
    let Ok(programs) = Programs::find() else { return false };
    run_in_background(command(&programs.kubectl, &kubeconfig(folder, User::Admin), READY)).await.is_ok()
}

/// What it remembers of the server stays beside the server, not in somebody's home.
fn command(kubectl: &Path, access: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(kubectl);
    command.arg("--kubeconfig").arg(access).arg("--cache-dir").arg(access.with_extension("cache"));
    command.arg("--request-timeout=5s").args(args);
    command
}

/// Roles count, and no service account is asked for: no controller would make one.
fn arguments(port: &Port, etcd: &str, made: &Certificates, tokens: &Path) -> Vec<String> {
    let (key, address) = (made.server_key.display(), port.address());
    vec![
        format!("--etcd-servers=http://{etcd}"),
        "--bind-address=127.0.0.1".into(),
        "--advertise-address=127.0.0.1".into(),
        format!("--secure-port={}", port.number()),
        format!("--tls-cert-file={}", made.server.display()),
        format!("--tls-private-key-file={key}"),
        format!("--token-auth-file={}", tokens.display()),
        "--authorization-mode=RBAC".into(),
        "--service-cluster-ip-range=10.0.0.0/24".into(),
        format!("--service-account-issuer=https://{address}"),
        format!("--service-account-key-file={}", made.server.display()),
        format!("--service-account-signing-key-file={key}"),
        "--disable-admission-plugins=ServiceAccount".into(),
        "--endpoint-reconciler-type=none".into(),
    ]
}
