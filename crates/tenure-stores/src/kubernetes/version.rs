//! Versions: uid and resourceVersion, both on every write.
//!
//! A resourceVersion numbers the writes of one etcd; restored from a backup it goes back, and a deleted object's comes to
//! nothing. The uid belongs to one creation alone. Together they name one content for ever.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::Preconditions;
use tenure::store::Version;

/// What an object's metadata says of its version; `None` if it says nothing, as the API server's always do.
pub(super) fn version_of(meta: &ObjectMeta) -> Option<Version> {
    let (uid, revision) = (meta.uid.as_deref()?, meta.resource_version.as_deref()?);
    Some(Version::new(format!("{uid}/{revision}")))
}

/// What a version names. To the API server no revision, and revision 0, mean "whatever is there": no version says that.
fn parts(version: &Version) -> Option<(&str, &str)> {
    let (uid, revision) = version.as_str().split_once('/')?;
    (!uid.is_empty() && !matches!(revision, "" | "0")).then_some((uid, revision))
}

/// Demands of a write that it replace the very `version`; false if that is no version of this store.
pub(super) fn demand(meta: &mut ObjectMeta, version: &Version) -> bool {
    let Some((uid, revision)) = parts(version) else { return false };
    meta.uid = Some(uid.into());
    meta.resource_version = Some(revision.into());
    true
}

/// The same for a removal.
pub(super) fn preconditions(version: &Version) -> Option<Preconditions> {
    let (uid, revision) = parts(version)?;
    Some(Preconditions { uid: Some(uid.into()), resource_version: Some(revision.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_names_creation_and_write() {
        let meta = ObjectMeta {
            uid: Some("6b7c".into()),
            resource_version: Some("41".into()),
            ..ObjectMeta::default()
        };
        let version = version_of(&meta).unwrap();
        let mut asked = ObjectMeta::default();
        assert!(demand(&mut asked, &version));
        assert_eq!((asked.uid, asked.resource_version), (meta.uid, meta.resource_version));
    }

    #[test]
    fn a_version_of_another_store_demands_nothing_and_none_means_whatever_is_there() {
        for text in ["41", "6b7c/", "6b7c/0", "/41", "/", ""] {
            assert!(!demand(&mut ObjectMeta::default(), &Version::new(text)), "{text}");
            assert_eq!(preconditions(&Version::new(text)), None, "{text}");
        }
        assert_eq!(version_of(&ObjectMeta::default()), None);
    }
}
