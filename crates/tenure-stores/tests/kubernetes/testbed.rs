//! The API server that the tests share; each test has a store of its own in it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tenure::clock::Clock;
use tenure_stores::kubernetes::KubernetesStore;
use tenure_testbed::{Kind, url};

/// The address of a store that nobody else uses, as the user who may do anything.
pub(crate) fn address() -> String {
    Access::of_admin().url("default", &own_name())
}

/// A name that no other test has.
pub(crate) fn own_name() -> String {
    static DRAWN: AtomicU32 = AtomicU32::new(0);
    let number = DRAWN.fetch_add(1, Ordering::Relaxed);
    format!("t{}-{number}-{}", std::process::id(), fastrand::u32(..))
}

/// A namespace that no other test uses.
pub(crate) async fn namespace() -> String {
    let name = own_name();
    kubectl(&["create", "namespace", &name]).await;
    name
}

/// A handle on the store at `address`.
pub(crate) async fn open(address: &str) -> KubernetesStore {
    KubernetesStore::open_url(address).await.unwrap()
}

/// What must come, though nobody knows when: a test that waits for it in vain ends, instead of hanging for ever.
pub(crate) async fn awaited<T>(coming: impl Future<Output = T>) -> T {
    Clock::boot().timeout(Duration::from_secs(60), coming).await.expect("it never came")
}

/// A way to the API server: a kubeconfig.
#[derive(Debug)]
pub(crate) struct Access {
    kubeconfig: PathBuf,
    _folder: Option<TempDir>,
}

impl Access {
    /// As the user who may do anything on the shared server.
    pub(crate) fn of_admin() -> Self {
        let url = url(Kind::Kubernetes);
        let (_, kubeconfig) = url.split_once("kubeconfig=").unwrap();
        Self::by(kubeconfig.into())
    }

    /// As the user who may do nothing there, until a test grants her something.
    pub(crate) fn of_alice() -> Self {
        Self::by(Self::of_admin().kubeconfig.with_file_name("alice.kubeconfig"))
    }

    fn by(kubeconfig: PathBuf) -> Self {
        Self { kubeconfig, _folder: None }
    }

    /// The same, with one text replaced by another.
    pub(crate) fn changed(&self, from: &str, to: &str) -> Self {
        let text = std::fs::read_to_string(&self.kubeconfig).unwrap();
        assert!(text.contains(from), "{text}");
        Self::of_text(&text.replace(from, to))
    }

    /// Where the API server is.
    pub(crate) fn server(&self) -> SocketAddr {
        let text = std::fs::read_to_string(&self.kubeconfig).unwrap();
        let (_, rest) = text.split_once("https://").unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    }

    /// The same way, through another address.
    pub(crate) fn towards(&self, address: SocketAddr) -> Self {
        self.changed(&self.server().to_string(), &address.to_string())
    }

    /// The same, without saying whose certificates to trust.
    pub(crate) fn without_authority(&self) -> Self {
        let text = std::fs::read_to_string(&self.kubeconfig).unwrap();
        let (_, rest) = text.split_once(", certificate-authority: \"").unwrap();
        let (authority, _) = rest.split_once('"').unwrap();
        self.changed(&format!(", certificate-authority: \"{authority}\""), "")
    }

    fn of_text(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let kubeconfig = folder.path().join("kubeconfig");
        std::fs::write(&kubeconfig, text).unwrap();
        Self { kubeconfig, _folder: Some(folder) }
    }

    /// The address of a store, by this way.
    pub(crate) fn url(&self, namespace: &str, name: &str) -> String {
        format!("k8s://{namespace}/{name}?kubeconfig={}", self.kubeconfig.display())
    }
}

/// Runs kubectl on the shared server as the user who may do anything; answers what it wrote.
pub(crate) async fn kubectl(args: &[&str]) -> String {
    try_kubectl(args).await.unwrap_or_else(|said| panic!("kubectl {args:?}: {said}"))
}

/// The same, where it may fail; the error is what it said.
pub(crate) async fn try_kubectl(args: &[&str]) -> Result<String, String> {
    let access = Access::of_admin();
    let mut command = Command::new("kubectl");
    command.arg("--kubeconfig").arg(&access.kubeconfig);
    command.arg("--cache-dir").arg(access.kubeconfig.with_extension("cache"));
    command.args(args).stdin(Stdio::null());
    let done = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    if done.status.success() { Ok(said(&done.stdout)) } else { Err(said(&done.stderr)) }
}
