//! `k8s:` addresses: `k8s://NAMESPACE/NAME`, with options after a question mark.
//!
//! | option | says | if it is not there |
//! |---|---|---|
//! | `kubeconfig=FILE` | who to be, and which API server to ask | `KUBECONFIG`, then `~/.kube/config`, then the Pod's service account |
//! | `context=NAME` | which context of the kubeconfig to use | its current context |
//! | `proof=pod` | that a kubelet's report proves a death | silence alone ends a lease |
//! | `termination_log=FILE` | the Pod's `terminationMessagePath` | `/dev/termination-log` |
//!
//! Nothing secret belongs into an address: it is what kubeconfigs and service accounts are for.

use std::path::PathBuf;

use tenure::store::{StoreError, StoreErrorKind};
use url::Url;

use super::error::KIND;

/// The longest name of a namespace or a store: what a DNS label and a label's value may have.
const NAME_MAX: usize = 63;

/// Where a container's termination log is, unless its Pod says otherwise.
const TERMINATION_LOG: &str = "/dev/termination-log";

const OPTIONS: &str = "kubeconfig, context, proof and termination_log";

/// What an address says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) kubeconfig: Option<PathBuf>,
    pub(super) context: Option<String>,
    /// Where a process leaves its word, if kubelets are to prove its death.
    pub(super) proof: Option<PathBuf>,
}

impl Address {
    /// Reads an address.
    pub(super) fn parse(address: &str) -> Result<Self, StoreError> {
        read(address).map_err(|problem| {
            let message = format!("{problem}; use an address such as k8s://default/orders");
            StoreError::new(StoreErrorKind::Invalid, KIND, "open", crate::shown(address), message)
        })
    }

    /// The address without its options.
    pub(super) fn shown(&self) -> String {
        format!("k8s://{}/{}", self.namespace, self.name)
    }
}

fn read(address: &str) -> Result<Address, String> {
    let url = Url::parse(address).map_err(|error| format!("it is no address ({error})"))?;
    if url.scheme() != "k8s" {
        return Err("it does not begin with k8s:".into());
    }
    if !url.username().is_empty() || url.password().is_some() || url.port().is_some() {
        return Err("users, passwords and ports belong into the kubeconfig".into());
    }
    let namespace = label("the namespace", url.host_str().unwrap_or_default())?;
    let name = label("the store's name", url.path().trim_matches('/'))?;
    let Options { kubeconfig, context, proof, termination_log } = Options::of(&url)?;
    let proof = proof.then(|| termination_log.unwrap_or_else(|| TERMINATION_LOG.into()));
    Ok(Address { namespace, name, kubeconfig, context, proof })
}

#[derive(Default)]
struct Options {
    kubeconfig: Option<PathBuf>,
    context: Option<String>,
    proof: bool,
    termination_log: Option<PathBuf>,
}

impl Options {
    fn of(url: &Url) -> Result<Self, String> {
        let mut options = Self::default();
        for (option, value) in url.query_pairs() {
            options.set(&option, &value)?;
        }
        Ok(options)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        match (option, value) {
            (option, "") => return Err(format!("the option {option} is empty")),
            ("kubeconfig", file) => self.kubeconfig = Some(file.into()),
            ("context", name) => self.context = Some(name.into()),
            ("proof", "pod") => self.proof = true,
            ("proof", other) => return Err(format!("there is no proof {other:?}, only proof=pod")),
            ("termination_log", file) => self.termination_log = Some(file.into()),
            (unknown, _) => {
                return Err(format!("the option {unknown:?} is not known; there are {OPTIONS}"));
            }
        }
        Ok(())
    }
}

fn label(what: &str, text: &str) -> Result<String, String> {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match text {
        "" => Err(format!("{what} is missing")),
        text if text.len() > NAME_MAX => Err(format!("{what} has more than {NAME_MAX} characters")),
        text if !text.chars().all(inner) || text.starts_with('-') || text.ends_with('-') => {
            Err(format!("{what} {text:?} is not made of a-z, 0-9 and inner dashes"))
        }
        text => Ok(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(address: &str) -> String {
        Address::parse(address).unwrap_err().to_string()
    }

    #[test]
    fn an_address_names_a_namespace_and_a_store() {
        let address = Address::parse("k8s://prod/orders").unwrap();
        assert_eq!((&address.namespace[..], &address.name[..]), ("prod", "orders"));
        assert_eq!((address.kubeconfig, address.context), (None, None));
    }

    #[test]
    fn options_say_which_api_server_and_who_to_be() {
        let address = Address::parse("k8s://prod/orders?kubeconfig=/etc/k%20c&context=admin@east").unwrap();
        assert_eq!(address.kubeconfig.as_deref(), Some("/etc/k c".as_ref()));
        assert_eq!(address.context.as_deref(), Some("admin@east"));
        assert_eq!(address.shown(), "k8s://prod/orders");
    }

    #[test]
    fn a_proof_is_asked_for_and_its_place_can_be_named() {
        let proof = |address: &str| Address::parse(address).unwrap().proof;
        assert_eq!(proof("k8s://prod/orders"), None);
        assert_eq!(proof("k8s://prod/orders?proof=pod"), Some(TERMINATION_LOG.into()));
        assert_eq!(proof("k8s://prod/orders?proof=pod&termination_log=/log"), Some("/log".into()));
    }

    #[test]
    fn an_address_that_makes_no_sense_is_answered_by_one_that_does() {
        for (address, problem) in [
            ("k8s://prod", "the store's name is missing"),
            ("k8s:///orders", "namespace is missing"),
            ("k8s://prod/a/b", "inner dashes"),
            ("k8s://prod/Orders", "inner dashes"),
            ("k8s://prod/orders?kubeconfig=", "is empty"),
            ("k8s://prod/orders?token=x", "not known"),
            ("k8s://prod/orders?proof=phase", "only proof=pod"),
            ("etcd://prod/orders", "does not begin with k8s:"),
            ("k8s", "no address"),
        ] {
            let said = refusal(address);
            assert!(said.contains(problem) && said.contains("k8s://default/orders"), "{address}: {said}");
        }
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_repeated() {
        let said = refusal("k8s://me:secret@prod/orders");
        assert!(said.contains("kubeconfig") && !said.contains("secret"), "{said}");
    }
}
