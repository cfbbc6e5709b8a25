//! `k8s:` addresses: `k8s://NAMESPACE/NAME`, with options after a question mark.
//!
//! | option | says | if it is not there |
//! |---|---|---|
//! | `kubeconfig=FILE` | who to be, and which API server to ask | `KUBECONFIG`, then `~/.kube/config`, then the Pod's service account |
//! | `context=NAME` | which context of the kubeconfig to use | its current context |
//!
//! Nothing secret belongs into an address: it is what kubeconfigs and service accounts are for.

use std::path::PathBuf;

use tenure::store::{StoreError, StoreErrorKind};
use url::Url;

use super::fault::store_error;

/// The longest name of a namespace or a store: what a DNS label and a label's value may have.
const NAME_MAX: usize = 63;

/// What an address says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) kubeconfig: Option<PathBuf>,
    pub(super) context: Option<String>,
}

impl Address {
    /// Reads an address.
    pub(super) fn parse(address: &str) -> Result<Self, StoreError> {
        read(address).map_err(|problem| {
            let message = format!("{problem}; use an address such as k8s://default/orders");
            store_error(StoreErrorKind::Invalid, "open", crate::shown(address), message)
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
    let mut read = Address { namespace, name, kubeconfig: None, context: None };
    for (option, value) in url.query_pairs() {
        read.set(&option, &value)?;
    }
    Ok(read)
}

impl Address {
    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err(format!("the option {option} is empty"));
        }
        match option {
            "kubeconfig" => self.kubeconfig = Some(value.into()),
            "context" => self.context = Some(value.into()),
            unknown => {
                return Err(format!("the option {unknown:?} is not known; there are kubeconfig and context"));
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
    fn an_address_that_makes_no_sense_is_answered_by_one_that_does() {
        for (address, problem) in [
            ("k8s://prod", "the store's name is missing"),
            ("k8s:///orders", "namespace is missing"),
            ("k8s://prod/a/b", "inner dashes"),
            ("k8s://prod/Orders", "inner dashes"),
            ("k8s://prod/orders?kubeconfig=", "is empty"),
            ("k8s://prod/orders?token=x", "not known"),
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
