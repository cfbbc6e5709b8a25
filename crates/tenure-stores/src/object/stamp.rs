//! The versions of objects, as the protocol compares them and as each provider wants to hear them again.
//!
//! S3 and Azure compare ETags. Google compares generations, and its ETags are hashes of contents: equal contents that
//! were written twice have one ETag and two generations. So an object has two names: its *version*, by which a write is
//! conditioned, and its *tag*, by which a listing tells that it is still the same content.

use object_store::{HeaderValue, UpdateVersion};
use tenure::store::Version;

use super::url::Provider;

/// The names of one content of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub version: Version,
    pub tag: String,
}

impl Stamp {
    /// The stamp of an object, from what its provider says of it; `None` if that is not enough to write conditionally.
    pub(super) fn of(provider: Provider, e_tag: Option<String>, generation: Option<String>) -> Option<Self> {
        let tag = e_tag?;
        let version = match provider {
            Provider::S3 | Provider::Azure => Version::new(tag.as_str()),
            Provider::Google => Version::new(generation?),
        };
        Some(Self { version, tag: bare(&tag) })
    }
}

/// A tag as listings and answers alike spell it: some servers quote it only in one of them.
pub(super) fn bare(tag: &str) -> String {
    tag.trim_matches('"').to_owned()
}

/// The condition "still this version", as `provider` wants to hear it.
pub(super) fn expected(provider: Provider, version: &Version) -> UpdateVersion {
    let text = Some(version.as_str().to_owned());
    match provider {
        Provider::S3 | Provider::Azure => UpdateVersion { e_tag: text, version: None },
        Provider::Google => UpdateVersion { e_tag: None, version: text },
    }
}

/// The same condition as a header, for requests that are not object_store's; `None` if the version is none of ours.
pub(super) fn header(provider: Provider, version: &Version) -> Option<(&'static str, HeaderValue)> {
    let name = match provider {
        Provider::S3 | Provider::Azure => "if-match",
        Provider::Google => "x-goog-if-generation-match",
    };
    Some((name, HeaderValue::from_str(version.as_str()).ok()?))
}

/// The ETag that a version is, where it is one: a read can be spared then.
pub(super) fn known_tag(provider: Provider, version: Option<&Version>) -> Option<String> {
    match provider {
        Provider::S3 | Provider::Azure => version.map(|version| version.as_str().to_owned()),
        // An ETag that still matches would not say that the generation does.
        Provider::Google => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(provider: Provider) -> Stamp {
        Stamp::of(provider, Some("\"abc\"".into()), Some("17".into())).unwrap()
    }

    #[test]
    fn s3_and_azure_are_asked_by_etag() {
        for provider in [Provider::S3, Provider::Azure] {
            let version = stamp(provider).version;
            let condition = expected(provider, &version);
            assert_eq!((condition.e_tag.as_deref(), condition.version), (Some("\"abc\""), None));
        }
    }

    #[test]
    fn google_is_asked_by_generation() {
        let version = stamp(Provider::Google).version;
        let condition = expected(Provider::Google, &version);
        assert_eq!((condition.e_tag, condition.version.as_deref()), (None, Some("17")));
        assert_eq!(known_tag(Provider::Google, Some(&version)), None);
    }

    #[test]
    fn a_tag_is_the_same_with_quotes_and_without() {
        assert_eq!(stamp(Provider::S3).tag, bare("abc"));
    }

    #[test]
    fn an_object_without_a_version_has_no_stamp() {
        assert_eq!(Stamp::of(Provider::S3, None, Some("17".into())), None);
        assert_eq!(Stamp::of(Provider::Google, Some("x".into()), None), None);
    }
}
