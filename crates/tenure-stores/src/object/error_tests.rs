//! Each refusal of a server becomes the right kind of error, with what to do about it.

use super::*;
use crate::object::url::Provider;

fn place(provider: Provider) -> Place {
    Place { provider, bucket: "shop".into(), prefix: "tenure/".into() }
}

fn refused(provider: Provider, operation: Operation, status: u16, code: &str) -> StoreError {
    let refusal = Refusal { status, code: code.into(), ..Refusal::default() };
    Scene { place: &place(provider), operation, key: "c/members/a" }.refused(&refusal)
}

fn put(status: u16, code: &str) -> StoreError {
    refused(Provider::S3, Operation::Put, status, code)
}

#[test]
fn a_server_that_failed_may_have_stored_first() {
    for status in [500, 502, 503, 504, 408] {
        assert_eq!(put(status, "InternalError").kind, StoreErrorKind::Indeterminate, "{status}");
    }
}

#[test]
fn a_read_that_failed_brought_nothing_and_that_is_all() {
    let error = refused(Provider::S3, Operation::Get, 503, "SlowDown");
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert_eq!(
        error.to_string(),
        "s3: can't get c/members/a: the server failed (HTTP 503 SlowDown); try again"
    );
}

#[test]
fn a_write_that_came_too_soon_after_another_did_not_happen() {
    let error = refused(Provider::Google, Operation::Put, 429, "SlowDown");
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert!(error.to_string().contains("has not begun it"), "{error}");
}

#[test]
fn a_blob_that_is_held_back_names_what_may_hold_it() {
    let error = refused(Provider::Azure, Operation::Put, 409, "BlobImmutableDueToPolicy");
    assert_eq!(error.kind, StoreErrorKind::Incompatible);
    assert!(error.to_string().contains("an immutability policy"), "{error}");
}

#[test]
fn what_names_no_code_of_a_store_leaves_doubt_about_a_write() {
    for status in [301, 400, 401, 403, 404, 409, 429] {
        let error = put(status, "");
        assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
        assert!(error.to_string().contains("for a proxy or an ingress in between"), "{error}");
    }
}

#[test]
fn a_404_that_is_not_about_the_object_brought_nothing() {
    for code in ["", "NoSuchRoute"] {
        let error = refused(Provider::S3, Operation::Get, 404, code);
        assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    }
}

#[test]
fn wrong_keys_are_told_from_missing_rights() {
    for code in ["InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "AccessDenied"] {
        assert_eq!(put(403, code).kind, StoreErrorKind::Denied, "{code}");
    }
    let unknown = put(403, "InvalidAccessKeyId").to_string();
    assert!(unknown.contains("does not know this key") && unknown.contains("AWS_ACCESS_KEY_ID"), "{unknown}");
    assert!(put(403, "SignatureDoesNotMatch").to_string().contains("the secret does not fit the key"));
}

#[test]
fn a_missing_right_names_what_to_grant_and_on_what() {
    let message = put(403, "AccessDenied").to_string();
    for words in ["s3:GetObject", "s3:PutObject", "s3:ListBucket", "arn:aws:s3:::shop/tenure/*"] {
        assert!(message.contains(words), "{message}");
    }
    let google = refused(Provider::Google, Operation::Put, 403, "AccessDenied").to_string();
    assert!(google.contains("roles/storage.objectUser"), "{google}");
    let azure = refused(Provider::Azure, Operation::Put, 403, "AuthorizationPermissionMismatch").to_string();
    assert!(azure.contains("Storage Blob Data Contributor"), "{azure}");
}

#[test]
fn a_missing_bucket_is_named() {
    let error = put(404, "NoSuchBucket");
    assert_eq!(error.kind, StoreErrorKind::Invalid);
    assert!(error.to_string().contains("there is no bucket \"shop\""), "{error}");
}

#[test]
fn a_wrong_region_names_the_right_one() {
    let refusal = Refusal { status: 301, region: Some("eu-west-1".into()), ..Refusal::default() };
    let error = Scene { place: &place(Provider::S3), operation: Operation::List, key: "" }.refused(&refusal);
    assert!(error.to_string().contains("say region=eu-west-1"), "{error}");
    assert_eq!(error.kind, StoreErrorKind::Invalid);
}

#[test]
fn a_clock_that_is_wrong_is_blamed() {
    let message = put(403, "RequestTimeTooSkewed").to_string();
    assert!(message.contains("the clock of this machine"), "{message}");
}

#[test]
fn a_server_without_conditional_writes_may_not_be_used() {
    assert_eq!(put(501, "NotImplemented").kind, StoreErrorKind::Incompatible);
}

#[test]
fn an_archived_record_is_a_matter_of_the_lifecycle_rule() {
    let message = refused(Provider::S3, Operation::Get, 403, "InvalidObjectState").to_string();
    assert!(message.contains("lifecycle rule"), "{message}");
}
