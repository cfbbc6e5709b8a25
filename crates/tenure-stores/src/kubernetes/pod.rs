//! The Pod that this process runs in, as the downward API tells it.
//!
//! The Pod becomes the owner of its member's Lease once the member has gone: when it is deleted, the garbage collector removes
//! the Lease. That is tidiness alone: the protocol waits for nobody to be collected.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

/// A Pod of the store's namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pod {
    name: String,
    uid: String,
}

impl Pod {
    /// The Pod that `POD_NAME`, `POD_UID` and `POD_NAMESPACE` name. A Pod of another namespace can't own anything in this one.
    pub(super) fn of_this_process(namespace: &str) -> Option<Self> {
        Self::told_by(namespace, |name| std::env::var(name).ok())
    }

    #[cfg(test)]
    pub(super) fn new(name: &str, uid: &str) -> Self {
        Self { name: name.into(), uid: uid.into() }
    }

    fn told_by(namespace: &str, environment: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let told = |name| environment(name).filter(|value| !value.is_empty());
        let pod = Self { name: told("POD_NAME")?, uid: told("POD_UID")? };
        (told("POD_NAMESPACE")? == namespace).then_some(pod)
    }

    /// The Pod as the owner of an object.
    pub(super) fn as_owner(&self) -> OwnerReference {
        OwnerReference {
            api_version: "v1".into(),
            kind: "Pod".into(),
            name: self.name.clone(),
            uid: self.uid.clone(),
            ..OwnerReference::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pairs: &[(&str, &str)]) -> Option<Pod> {
        let find =
            |name: &str| pairs.iter().find(|(told, _)| *told == name).map(|(_, value)| (*value).into());
        Pod::told_by("prod", find)
    }

    #[test]
    fn a_pod_is_known_by_name_uid_and_namespace() {
        let pod = told(&[("POD_NAME", "web-0"), ("POD_UID", "6b7c"), ("POD_NAMESPACE", "prod")]).unwrap();
        let owner = pod.as_owner();
        assert_eq!((&owner.kind[..], &owner.name[..], &owner.uid[..]), ("Pod", "web-0", "6b7c"));
        assert_eq!(owner.block_owner_deletion, None);
    }

    #[test]
    fn a_pod_that_is_told_by_halves_or_lives_elsewhere_owns_nothing() {
        assert_eq!(told(&[("POD_NAME", "web-0"), ("POD_NAMESPACE", "prod")]), None);
        assert_eq!(told(&[("POD_NAME", "web-0"), ("POD_UID", "6b7c"), ("POD_NAMESPACE", "test")]), None);
        assert_eq!(told(&[("POD_NAME", "web-0"), ("POD_UID", ""), ("POD_NAMESPACE", "prod")]), None);
    }
}
