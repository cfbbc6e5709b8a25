//! Every answer means one thing to do.

use super::*;
use crate::trouble::StoreTrouble;
use tenure::store::{Operation, StoreError, StoreErrorKind};

fn request() -> Request {
    Request { verb: "update", resource: "leases.coordination.k8s.io".into(), namespace: "prod".into() }
}

fn status(json: &str) -> StoreError {
    let status: Status = serde_json::from_str(json).unwrap();
    trouble(kube::Error::Api(status.boxed()), &request()).in_call(Operation::Put, "orders/members/a")
}

fn refused(json: &str, kind: StoreErrorKind, words: &[&str]) {
    let error = status(json);
    let said = error.to_string();
    assert_eq!(error.kind, kind, "{said}");
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
}

#[test]
fn a_missing_right_is_named_with_verb_resource_and_namespace() {
    let json = r#"{"code":403,"reason":"Forbidden","message":"leases.coordination.k8s.io \"a\" is forbidden: User \"alice\" cannot update resource \"leases\""}"#;
    let words = ["update leases.coordination.k8s.io in namespace prod", "alice", "rbac.yaml"];
    refused(json, StoreErrorKind::Denied, &words);
}

#[test]
fn a_quota_is_not_taken_for_a_missing_right() {
    let json = r#"{"code":403,"message":"exceeded quota: small, requested: count/configmaps=1"}"#;
    refused(json, StoreErrorKind::Denied, &["forbids it: exceeded quota"]);
}

#[test]
fn credentials_that_are_refused_are_to_be_renewed() {
    refused(r#"{"code":401,"message":"Unauthorized"}"#, StoreErrorKind::Denied, &["renew the token"]);
}

#[test]
fn a_namespace_that_is_missing_is_to_be_created() {
    let json = r#"{"code":404,"message":"namespaces \"prod\" not found","details":{"name":"prod","kind":"namespaces"}}"#;
    refused(json, StoreErrorKind::Invalid, &["no namespace \"prod\"", "create it"]);
}

#[test]
fn the_page_of_an_ingress_says_nothing_about_an_object_or_a_write() {
    let page = Status::failure("default backend - 404", NO_STATUS).with_code(404);
    assert!(!is_missing(&page, "a"));
    for code in [400, 401, 403, 404, 422, 429] {
        let page = Status::failure("<html>", NO_STATUS).with_code(code);
        let error = trouble(kube::Error::Api(page.boxed()), &request()).in_call(Operation::Put, "a");
        assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
        assert!(error.to_string().contains("check the address, and for a proxy"), "{error}");
    }
}

#[test]
fn only_the_api_servers_word_about_this_very_object_says_that_it_is_missing() {
    let json = r#"{"code":404,"reason":"NotFound","message":"leases \"a\" not found","details":{"name":"a","kind":"leases"}}"#;
    let status: Status = serde_json::from_str(json).unwrap();
    assert!(is_missing(&status, "a"));
    assert!(!is_missing(&status, "b"));
}

#[test]
fn a_code_that_is_not_listed_leaves_doubt() {
    for code in [402, 408, 418, 451, 499] {
        refused(&format!(r#"{{"code":{code},"message":"odd"}}"#), StoreErrorKind::Indeterminate, &["odd"]);
    }
}

#[test]
fn a_busy_server_says_when_to_come_again() {
    let json = r#"{"code":429,"message":"too many requests","details":{"retryAfterSeconds":2}}"#;
    refused(json, StoreErrorKind::Unavailable, &["try again in 2s"]);
}

#[test]
fn what_is_too_large_did_not_happen_whoever_says_so() {
    let too_long =
        r#"{"code":422,"message":"invalid","details":{"causes":[{"reason":"FieldValueTooLong"}]}}"#;
    refused(too_long, StoreErrorKind::Invalid, &["too large"]);
    refused(r#"{"code":413,"message":"limit is 3145728"}"#, StoreErrorKind::Invalid, &["too large"]);
    let etcd = r#"{"code":500,"message":"etcdserver: request is too large"}"#;
    refused(etcd, StoreErrorKind::Invalid, &["too large"]);
}

#[test]
fn a_write_that_the_server_failed_at_may_have_landed() {
    for code in [500, 502, 503, 504] {
        let json = format!(r#"{{"code":{code},"message":"etcdserver: request timed out"}}"#);
        refused(&json, StoreErrorKind::Indeterminate, &["may have landed", "request timed out"]);
    }
}

#[test]
fn a_read_that_the_server_failed_at_brought_nothing() {
    let failed: Status = serde_json::from_str(r#"{"code":500,"message":"etcd is gone"}"#).unwrap();
    let error = trouble(kube::Error::Api(failed.boxed()), &request()).in_call(Operation::Get, "a");
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
}

#[test]
fn the_page_of_a_proxy_is_cut_short() {
    let error = status(&format!(r#"{{"code":502,"message":"{}"}}"#, "x".repeat(100_000)));
    assert!(error.to_string().len() < 1000);
}

#[test]
fn what_a_plugin_printed_is_never_said() {
    let output = std::process::Command::new("sh").args(["-c", "echo s3cret; exit 3"]).output().unwrap();
    let failed = AuthError::AuthExecRun { cmd: "aws-iam".into(), out: Box::new(output) };
    let error = trouble(kube::Error::Auth(failed), &request()).in_call(Operation::Get, "a");
    let whole = format!("{error} {error:?}");
    assert!(whole.contains("aws-iam") && !whole.contains("s3cret"), "{whole}");
}
