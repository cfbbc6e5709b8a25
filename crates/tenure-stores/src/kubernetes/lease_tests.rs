//! Members as `kubectl` shows them, and as they come back.

use super::*;
use crate::kubernetes::pod::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

const RECORD: &str = r#"{"v":1,"line":"11112222333344445555666677778888","term":3,"process":"9999aaaabbbbccccddddeeeeffff0000","seq":7,"state":"active","ttl_ms":10500,"weight":1,"at_ms":1700000000123}"#;

fn wrap(value: Bytes, pod: Option<&Pod>) -> Result<Lease, Trouble> {
    let draft = Draft { key: "orders/members/web-0", meta: ObjectMeta::default(), value, pod };
    Lease::wrap(draft)
}

fn closed() -> Bytes {
    RECORD.replace("active", "deposed").into()
}

fn pod() -> Pod {
    Pod::new("web-0", "6b7c")
}

#[test]
fn a_member_is_shown_in_the_words_of_a_lease() {
    let lease = wrap(RECORD.into(), None).unwrap();
    let spec = lease.spec.unwrap();
    let holder = spec.holder_identity.unwrap();
    assert!(holder.starts_with("web-0#") && holder.ends_with(".3"), "{holder}");
    assert_eq!(spec.lease_duration_seconds, Some(11));
    assert_eq!(spec.lease_transitions, Some(2));
    assert_eq!(spec.renew_time.unwrap().0.as_millisecond(), 1_700_000_000_123);
    assert_eq!(lease.metadata.labels.unwrap()["tenure/state"], "active");
}

#[test]
fn a_closed_lease_has_no_holder() {
    let lease = wrap(closed(), None).unwrap();
    assert_eq!(lease.spec.unwrap().holder_identity, None);
    assert_eq!(lease.metadata.labels.unwrap()["tenure/state"], "deposed");
}

fn owners(record: String) -> Option<Vec<OwnerReference>> {
    wrap(record.into(), Some(&pod())).unwrap().metadata.owner_references
}

#[test]
fn the_pod_of_a_member_that_has_gone_owns_its_lease() {
    assert_eq!(owners(RECORD.replace("active", "gone")), Some(vec![pod().as_owner()]));
}

#[test]
fn no_pod_owns_an_open_lease_nor_one_that_another_closed() {
    assert_eq!(owners(RECORD.into()), None);
    assert_eq!(owners(RECORD.replace("active", "leaving")), None);
    assert_eq!(owners(RECORD.replace(r#""active""#, r#""gone","by":"web-1""#)), None);
    assert_eq!(owners(RECORD.replace(r#""active""#, r#""deposed","by":"web-1""#)), None);
}

#[test]
fn whatever_the_bytes_they_come_back() {
    for value in [RECORD.as_bytes(), b"", b"\0\xff", b"'\";--\n"] {
        assert_eq!(wrap(value.into(), None).unwrap().content().unwrap(), value);
    }
    assert_eq!(Lease::default().content(), None);
}

#[test]
fn what_annotations_can_not_hold_is_refused_with_the_limit() {
    let room = BYTES_MAX - TEXT.len();
    assert!(wrap(vec![b'x'; room].into(), None).is_ok());
    let refusal = wrap(vec![b'x'; room + 1].into(), None).unwrap_err().to_string();
    assert!(refusal.contains("262144") && refusal.contains("more members"), "{refusal}");
}
