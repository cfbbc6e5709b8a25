//! The gate: roles, clusters, ends, proofs and the brake, each by exact questions.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, header};

use super::{Gate, Proxies, Role, Tokens};
use crate::serve::Peer;
use crate::view::ProblemKind;

const FILE: &str = "
ann aaaaaaaaaaaaaaaa role=viewer
bob bbbbbbbbbbbbbbbb
cat cccccccccccccccc role=admin
dan dddddddddddddddd role=admin clusters=bills
old oooooooooooooooo role=admin until=2001-01-01
zoe @certificate role=admin
pia @proxy role=operator
";

fn gate() -> Gate {
    let proxies = Proxies::new(vec!["10.9.0.0/24".parse().unwrap()], HeaderName::from_static("x-user"));
    Gate::new("orders".parse().unwrap()).keys(Tokens::parse(FILE).unwrap()).proxies(proxies)
}

fn peer(address: &str, names: &[&str]) -> Peer {
    Peer { address: address.parse().unwrap(), names: names.iter().map(ToString::to_string).collect() }
}

fn saying(name: &'static str, value: &str) -> HeaderMap {
    HeaderMap::from_iter([(HeaderName::from_static(name), value.parse().unwrap())])
}

fn admitted(gate: &Gate, role: Role, said: &str) -> Result<String, ProblemKind> {
    let came = gate.admit(role, Some(&peer("10.0.0.1:1", &[])), &saying("authorization", said));
    came.map(|who| who.name.to_string()).map_err(|problem| problem.kind)
}

#[test]
fn a_role_may_do_its_own_and_what_lesser_roles_may() {
    let gate = gate();
    let all = Role::ALL.map(|role| {
        ["a", "b", "c"].map(|letter| admitted(&gate, role, &format!("Bearer {}", letter.repeat(16))).is_ok())
    });
    assert_eq!(all, [[true, true, true], [false, true, true], [false, false, true]]);
    assert_eq!(admitted(&gate, Role::Admin, "bearer bbbbbbbbbbbbbbbb"), Err(ProblemKind::Forbidden));
}

#[test]
fn a_token_counts_in_its_clusters_and_until_its_end() {
    let gate = gate();
    assert_eq!(admitted(&gate, Role::Viewer, "Bearer dddddddddddddddd"), Err(ProblemKind::Forbidden));
    assert_eq!(admitted(&gate, Role::Viewer, "Bearer oooooooooooooooo"), Err(ProblemKind::Unauthorised));
    let bills = Gate::new("bills".parse().unwrap()).keys(Tokens::parse(FILE).unwrap());
    assert_eq!(admitted(&bills, Role::Admin, "Bearer dddddddddddddddd"), Ok("dan".into()));
}

#[test]
fn nothing_else_is_a_token() {
    for said in
        ["Bearer", "Bearer ", "Bearer cat", "Basic cccccccccccccccc", "cccccccccccccccc", "Bearer @proxy"]
    {
        assert_eq!(admitted(&gate(), Role::Viewer, said), Err(ProblemKind::Unauthorised), "{said}");
    }
}

#[test]
fn without_people_nobody_may_act_whatever_they_say() {
    let gate = Gate::new("orders".parse().unwrap());
    assert_eq!(admitted(&gate, Role::Viewer, "Bearer cccccccccccccccc"), Err(ProblemKind::Forbidden));
}

#[test]
fn a_certificate_counts_for_those_whose_line_says_so() {
    let gate = gate();
    let by =
        |names: &[&str]| gate.admit(Role::Admin, Some(&peer("10.0.0.1:1", names)), &HeaderMap::new()).is_ok();
    assert!(by(&["zoe"]) && by(&["other.example", "zoe"]));
    assert!(!by(&["cat"]) && !by(&[]));
}

#[test]
fn a_header_counts_from_a_listed_proxy_alone() {
    let gate = gate();
    let by = |address: &str, name: &str| {
        gate.admit(Role::Operator, Some(&peer(address, &[])), &saying("x-user", name)).is_ok()
    };
    assert!(by("10.9.0.7:1", "pia"));
    assert!(!by("10.9.1.7:1", "pia") && !by("10.9.0.7:1", "cat") && !by("10.9.0.7:1", "nobody"));
}

#[test]
fn guesses_are_braked_for_their_address_and_for_no_other() {
    let gate = Arc::new(gate());
    let kinds: Vec<_> = (0..8).map(|_| admitted(&gate, Role::Viewer, "Bearer wrong-wrong-wrong")).collect();
    assert_eq!(kinds[4], Err(ProblemKind::Unauthorised));
    assert_eq!(kinds[5], Err(ProblemKind::TooMany));
    assert_eq!(admitted(&gate, Role::Viewer, "Bearer cccccccccccccccc"), Err(ProblemKind::TooMany));
    let elsewhere = peer("10.0.0.2:1", &[]);
    let mut headers = saying("authorization", "Bearer cccccccccccccccc");
    assert!(gate.admit(Role::Admin, Some(&elsewhere), &headers).is_ok());
    headers.remove(header::AUTHORIZATION);
    let without = gate.admit(Role::Viewer, Some(&peer("10.0.0.1:1", &[])), &headers);
    assert_eq!(
        without.unwrap_err().kind,
        ProblemKind::Unauthorised,
        "only those who name a token are braked"
    );
}
