//! Objects that hold one record each.

use std::fmt::Debug;

use bytes::Bytes;
use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::Trouble;
use super::pod::Pod;

/// A record on its way into an object.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) key: &'a str,
    pub(super) meta: ObjectMeta,
    pub(super) value: Bytes,
    /// The Pod that this process runs in.
    pub(super) pod: Option<&'a Pod>,
}

/// A kind of object that holds a record.
pub(super) trait Kept:
    Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + Clone
    + Debug
    + DeserializeOwned
    + Serialize
    + Send
    + Sync
    + 'static
{
    /// Whether the metadata alone hold the record: then there is no use in asking for them first.
    const IN_METADATA: bool;

    /// The object that holds the draft's record; refused if it would not fit.
    fn wrap(draft: Draft<'_>) -> Result<Self, Trouble>;

    /// The record that the object holds; `None` if it is a stranger's.
    fn content(&self) -> Option<Bytes>;

    /// The name of the resource, as a Role and `kubectl` spell it.
    fn resource() -> String {
        match Self::group(&()) {
            group if group.is_empty() => Self::plural(&()).into_owned(),
            group => format!("{}.{group}", Self::plural(&())),
        }
    }
}
