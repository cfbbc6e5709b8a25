//! Addresses that are understood, and those that are not: in what words, and without their passwords.

use super::*;

fn alone(address: &str) -> Options {
    parse(address, |_| None).unwrap()
}

fn refusal(address: &str) -> String {
    parse(address, |_| None).unwrap_err().to_string()
}

fn user(name: &str, password: &str) -> Option<User> {
    Some(User { name: name.into(), password: password.into() })
}

#[test]
fn an_address_names_endpoints_and_a_prefix() {
    let options = alone("etcd://a:2379,b:12379/apps/orders");
    assert_eq!(options.endpoints, ["a:2379", "b:12379"]);
    assert_eq!(options.root.as_str(), "apps/orders/");
    assert_eq!((options.user, options.tls), (None, None));
}

#[test]
fn ports_and_prefix_have_defaults() {
    let options = alone("etcd://a,[::1],[fe80::2]:5");
    assert_eq!(options.endpoints, ["a:2379", "[::1]:2379", "[fe80::2]:5"]);
    assert_eq!(options.root.as_str(), "tenure/");
    assert_eq!(alone("etcd://a//x/").root.as_str(), "x/");
}

#[test]
fn user_and_password_come_from_the_address_or_from_the_environment() {
    let variable = |name: &str| Some(if name == "TENURE_ETCD_USER" { "env" } else { "from env" }.to_owned());
    assert_eq!(alone("etcd://me:p%40s:s%2F@h/x").user, user("me", "p@s:s/"));
    assert_eq!(parse("etcd://h/x", variable).unwrap().user, user("env", "from env"));
    assert_eq!(parse("etcd://me@h/x", variable).unwrap().user, user("me", "from env"));
    assert_eq!(parse("etcd://me:mine@h/x", variable).unwrap().user, user("me", "mine"));
}

#[test]
fn files_make_the_connection_encrypted() {
    assert_eq!(alone("etcd://h/x?tls=true").tls, Some(Tls::default()));
    let tls = alone("etcd://h/x?ca=/a%20b/ca.pem&cert=c.pem&key=k.pem").tls.unwrap();
    assert_eq!(tls.ca, Some("/a b/ca.pem".into()));
    assert_eq!((tls.certificate, tls.key), (Some("c.pem".into()), Some("k.pem".into())));
}

#[test]
fn patience_can_be_set() {
    assert_eq!(alone("etcd://h/x?timeout_ms=250").patience, Duration::from_millis(250));
}

#[test]
fn an_address_that_makes_no_sense_says_what_would() {
    assert!(refusal("http://h").contains("does not begin with etcd://"));
    assert!(refusal("etcd://").contains("a host is missing"));
    assert!(refusal("etcd://a:2379,").contains("a host is missing"));
    assert!(refusal("etcd://http://a:2379").contains("no proper port"));
    assert!(refusal("etcd://::1:2379/x").contains("[::1]:2379"));
    assert!(refusal("etcd://h/a b").contains("odd characters"));
    assert!(refusal("etcd://h/x?cert=c").contains("needs its key"));
    assert!(refusal("etcd://h/x?tls=false&ca=c").contains("contradicts"));
    assert!(refusal("etcd://h/x?ttl=5").contains("no options but"));
    assert!(refusal("etcd://h/x?timeout_ms=0").contains("from 1 to 60000"));
    assert!(refusal("etcd://me@h/x").contains("TENURE_ETCD_PASSWORD"));
}

#[test]
fn no_message_shows_a_password() {
    let odd =
        ["me:77/33@h/x", "me:7733@h/a b", "me:77?33@h", "me:77?33=@h", "me:77?ca=&33@h", "me:77@33@h:x"];
    for address in odd {
        for address in [format!("etcd://{address}"), address.to_owned()] {
            let refusal = refusal(&address);
            assert!(!refusal.contains("77") && !refusal.contains("33"), "{refusal}");
        }
    }
    assert!(!format!("{:?}", alone("etcd://me:secret@h")).contains("secret"));
}
