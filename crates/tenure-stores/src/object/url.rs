//! `s3://`, `gs://` and `az://` addresses, for settings and command lines.
//!
//! `s3://bucket/prefix?region=eu-west-1` names a bucket, a place in it and options. What is not said in the address
//! comes from the usual environment variables (`AWS_…`, `GOOGLE_…`, `AZURE_…`) or from the machine's own role. Options
//! are percent-encoded, as in every URL; most of them can be secret, so an address is never shown whole.

use std::fmt;

use tenure::store::{StoreError, StoreErrorKind};
use url::Url;

/// Whose object storage it is: they differ in headers, versions and messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provider {
    /// Amazon S3, and whatever speaks its language.
    S3,
    /// Google Cloud Storage.
    Google,
    /// Azure Blob Storage.
    Azure,
}

impl Provider {
    /// The scheme of its addresses, which is also the name of this kind of store.
    pub(super) const fn scheme(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Google => "gs",
            Self::Azure => "az",
        }
    }

    fn of(scheme: &str) -> Option<Self> {
        [Self::S3, Self::Google, Self::Azure].into_iter().find(|provider| provider.scheme() == scheme)
    }
}

/// Where the records are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BucketPath {
    pub provider: Provider,
    /// The bucket, or the container.
    pub bucket: String,
    /// What every key begins with: empty, or ending in a slash.
    pub prefix: String,
}

impl fmt::Display for BucketPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/{}", self.provider.scheme(), self.bucket, self.prefix.trim_end_matches('/'))
    }
}

/// An address taken apart. Not `Debug`: options are secrets.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub place: BucketPath,
    /// As object_store knows them, in the order of the address.
    pub options: Vec<(String, String)>,
    /// Whether the server's conditional DELETE can be relied on, if the address says so.
    pub deletes: Option<bool>,
}

impl Address {
    /// Reads an address.
    pub(super) fn parse(address: &str) -> Result<Self, StoreError> {
        let url = Url::parse(address).map_err(|problem| refusal(address, &problem.to_string()))?;
        let provider = Provider::of(url.scheme())
            .ok_or_else(|| refusal(address, "it does not begin with s3://, gs:// or az://"))?;
        if !url.username().is_empty() || url.password().is_some() || url.port().is_some() {
            return Err(refusal(
                address,
                "a user or a port makes no sense here; keys and endpoint are options",
            ));
        }
        let bucket = url.host_str().unwrap_or_default().to_owned();
        if bucket.is_empty() {
            return Err(refusal(address, "no bucket is named"));
        }
        let prefix = prefix_of(url.path()).ok_or_else(|| refusal(address, PREFIX_RULE))?;
        let named = url.query_pairs().map(|(name, value)| (spelled(provider, &name), value.into_owned()));
        let (ours, options): (Vec<_>, Vec<_>) = named.partition(|(name, _)| name == DELETES);
        let deletes = ours.into_iter().last().map(|(_, value)| value.parse());
        let deletes =
            deletes.transpose().map_err(|_| refusal(address, "conditional_delete is true or false"))?;
        Ok(Self { place: BucketPath { provider, bucket, prefix }, options, deletes })
    }
}

/// The one option that is not object_store's.
const DELETES: &str = "conditional_delete";

/// Short names that people expect, in object_store's spelling.
fn spelled(provider: Provider, name: &str) -> String {
    match (provider, name) {
        (Provider::Azure, "account") => "account_name".into(),
        (Provider::Google, "endpoint") => "base_url".into(),
        (_, name) => name.to_ascii_lowercase(),
    }
}

const PREFIX_RULE: &str = "its prefix has a segment that is not made of a-z A-Z 0-9 . _ - (or is . or ..)";

fn prefix_of(path: &str) -> Option<String> {
    let path = path.trim_matches('/');
    if path.is_empty() {
        return Some(String::new());
    }
    path.split('/').all(is_plain).then(|| format!("{path}/"))
}

fn is_plain(segment: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    !segment.is_empty() && segment.chars().all(allowed) && !matches!(segment, "." | "..")
}

fn refusal(address: &str, problem: &str) -> StoreError {
    let message = format!("{problem}; use an address such as s3://bucket/prefix?region=eu-west-1");
    StoreError::new(StoreErrorKind::Invalid, "object", "open", crate::shown(address), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(address: &str) -> Address {
        Address::parse(address).map_err(|error| error.to_string()).unwrap()
    }

    fn refused(address: &str) -> String {
        Address::parse(address).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn an_address_names_a_bucket_and_a_prefix() {
        let place = parsed("s3://shop/a/b.c").place;
        assert_eq!((place.bucket.as_str(), place.prefix.as_str()), ("shop", "a/b.c/"));
        assert_eq!(place.to_string(), "s3://shop/a/b.c");
        assert_eq!(parsed("gs://shop").place.prefix, "");
        assert_eq!(parsed("az://shop/").place.provider, Provider::Azure);
    }

    #[test]
    fn options_are_decoded_and_may_have_short_names() {
        let address = parsed("s3://b/p?endpoint=http%3A%2F%2Flocalhost%3A9000&SECRET_ACCESS_KEY=a%2Bb");
        let options = [("endpoint", "http://localhost:9000"), ("secret_access_key", "a+b")];
        assert_eq!(address.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(parsed("az://c?account=shop").options[0].0, "account_name");
        assert_eq!(parsed("gs://b?endpoint=x").options[0].0, "base_url");
    }

    #[test]
    fn a_server_can_be_trusted_with_deletes() {
        assert_eq!(parsed("s3://b").deletes, None);
        let address = parsed("s3://b?conditional_delete=true&region=x");
        assert_eq!((address.deletes, address.options.len()), (Some(true), 1));
        assert!(refused("s3://b?conditional_delete=maybe").contains("true or false"));
    }

    #[test]
    fn an_address_that_names_no_place_says_what_would() {
        assert!(refused("s3://").contains("s3://bucket/prefix"));
        assert!(refused("s3:bucket").contains("no bucket is named"));
        assert!(refused("s4://bucket").contains("does not begin with s3://, gs:// or az://"));
        assert!(refused("s3://bucket/a b").contains("prefix"));
        assert!(refused("s3://bucket/a//b").contains("prefix"));
    }

    #[test]
    fn keys_in_the_wrong_place_are_refused_and_not_repeated() {
        let message = refused("s3://me:hunter2@bucket/p?secret_access_key=hunter3");
        assert!(message.contains("keys and endpoint are options"), "{message}");
        assert!(!message.contains("hunter"), "{message}");
    }
}
