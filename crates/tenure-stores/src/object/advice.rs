//! What to do about a refusal, by the code that the server gave it.

use tenure::store::StoreErrorKind;

use super::refusal::Refusal;
use super::url::{BucketPath, Provider};

/// What a refusal means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// It did not happen; this must be done first.
    Do(StoreErrorKind, String),
    /// It did not happen, and may well the next time.
    TryAgain,
    /// It may have happened.
    Unsure,
    /// Whoever answered, it was not the store.
    Strange,
}

use StoreErrorKind::{Denied, Incompatible, Invalid};

/// What to do about `refusal`.
pub(super) fn on(refusal: &Refusal, place: &BucketPath) -> Advice {
    let code = refusal.code.as_str();
    match code {
        "InvalidAccessKeyId" | "InvalidAuthenticationInfo" => {
            Advice::Do(Denied, format!("the server does not know this key; {}", credentials(place.provider)))
        }
        "SignatureDoesNotMatch" | "AuthenticationFailed" => {
            Advice::Do(Denied, format!("the secret does not fit the key; {}", credentials(place.provider)))
        }
        "ExpiredToken" | "TokenRefreshRequired" | "InvalidToken" => {
            Advice::Do(Denied, "the session token has expired; get a new one".into())
        }
        "RequestTimeTooSkewed" => {
            let what =
                "the clock of this machine and the store's differ by more than 15 minutes; set this one";
            Advice::Do(Denied, what.into())
        }
        "NoSuchBucket" | "ContainerNotFound" | "ContainerBeingDeleted" => Advice::Do(
            Invalid,
            format!("there is no bucket {:?}; create it, or correct the address", place.bucket),
        ),
        "PermanentRedirect"
        | "AuthorizationHeaderMalformed"
        | "TemporaryRedirect"
        | "IllegalLocationConstraint" => Advice::Do(Invalid, elsewhere(refusal)),
        "InvalidObjectState" | "BlobArchived" => Advice::Do(
            Incompatible,
            "a lifecycle rule archived this record; restore it, and except this prefix from the rule".into(),
        ),
        "NotImplemented" | "InvalidArgument" if matches!(refusal.status, 400 | 501) => Advice::Do(
            Incompatible,
            "this server does not know conditional writes, and may not be used; see docs/guide/stores.md"
                .into(),
        ),
        // The server did not get the whole request in time, says S3; by a 400.
        "RequestTimeout" => Advice::Unsure,
        code if code.starts_with("KMS.") => Advice::Do(
            Denied,
            "the key that encrypts the bucket is refused; grant kms:GenerateDataKey and kms:Decrypt".into(),
        ),
        _ => by_status(refusal, place),
    }
}

fn by_status(refusal: &Refusal, place: &BucketPath) -> Advice {
    match refusal.status {
        301 | 302 | 307 | 308 => Advice::Do(Invalid, elsewhere(refusal)),
        401 | 403 => Advice::Do(Denied, format!("this caller may not; {}", grants(place))),
        404 => Advice::Strange,
        409 if place.provider == Provider::Azure => Advice::Do(Incompatible, HELD.into()),
        409 | 429 => Advice::TryAgain,
        408 | 500.. => Advice::Unsure,
        _ => {
            Advice::Do(Invalid, "the server does not accept this; check the endpoint and the options".into())
        }
    }
}

const HELD: &str =
    "something holds this blob: a lease, a snapshot or an immutability policy; except this prefix from it";

fn elsewhere(refusal: &Refusal) -> String {
    match &refusal.region {
        Some(region) => format!("the bucket is in another region; say region={region}"),
        None => "the bucket is in another region, or at another endpoint; say region=… or endpoint=…".into(),
    }
}

/// Where credentials come from.
pub(super) fn credentials(provider: Provider) -> &'static str {
    match provider {
        Provider::S3 => {
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), or give this machine a role"
        }
        Provider::Google => {
            "set GOOGLE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS, or give this machine a service account"
        }
        Provider::Azure => {
            "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or give this machine an identity"
        }
    }
}

/// What must be granted. S3 answers 403 instead of 404 to those who may not list: so the right to list is needed to
/// read, too.
fn grants(place: &BucketPath) -> String {
    let BucketPath { provider, bucket, prefix } = place;
    match provider {
        Provider::S3 => format!(
            "grant s3:GetObject, s3:PutObject and s3:DeleteObject on arn:aws:s3:::{bucket}/{prefix}*, and s3:ListBucket on \
             arn:aws:s3:::{bucket}"
        ),
        Provider::Google => {
            format!("grant the role Storage Object User (roles/storage.objectUser) on {bucket}")
        }
        Provider::Azure => format!("grant the role Storage Blob Data Contributor on the container {bucket}"),
    }
}
