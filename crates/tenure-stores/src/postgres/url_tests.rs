//! Addresses, and what is said about bad ones.

use super::*;

fn options(address: &str) -> Options {
    Options::read(address, None).unwrap()
}

fn refusal(address: &str) -> String {
    let error = Options::read(address, None).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Invalid);
    error.to_string()
}

fn servers_of(address: &str) -> Vec<String> {
    options(address).servers.iter().map(ToString::to_string).collect()
}

#[test]
fn an_address_names_servers() {
    assert_eq!(servers_of("postgres://me@db/orders"), ["db:5432"]);
    assert_eq!(servers_of("postgresql://me@a:1,b:2/orders"), ["a:1", "b:2"]);
    assert_eq!(servers_of("postgres://me@a,b/orders"), ["a:5432", "b:5432"]);
    assert_eq!(servers_of("postgres://me@/orders?host=/run/postgresql"), ["/run/postgresql/.s.PGSQL.5432"]);
}

#[test]
fn the_database_is_named_after_the_user_unless_the_address_says_otherwise() {
    assert_eq!(options("postgres://me@db").database(), "me");
    assert_eq!(options("postgres://me@db/orders").database(), "orders");
}

#[test]
fn our_options_are_taken_and_the_others_passed_on() {
    let address =
        "postgres://me@db/orders?schema=leases&application_name=a%20b&connect_timeout=7&sslmode=require";
    let options = options(address);
    assert_eq!(options.schema, Schema::named("leases").unwrap());
    assert_eq!(options.trust.ssl_mode(), SslMode::Require);
    let config = options.config_for(&options.servers[0]);
    assert_eq!(config.get_application_name(), Some("a b"));
    assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(7)));
}

#[test]
fn a_password_comes_from_the_address_or_else_from_outside() {
    let of = |address, outside| {
        let options = Options::read(address, outside).unwrap();
        let config = options.config_for(&options.servers[0]);
        config.get_password().map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
    };
    assert_eq!(of("postgres://me:p%40ss@db/x", Some("other")).as_deref(), Some("p@ss"));
    assert_eq!(of("postgres://me@db/x", Some("other")).as_deref(), Some("other"));
    assert_eq!(of("postgres://me@db/x", None), None);
}

#[test]
fn a_password_is_never_shown() {
    let options = options("postgres://me:hunter2@db/x?schema=leases");
    assert!(!format!("{options:?}").contains("hunter2"));
    assert!(!refusal("postgres://me:hunter2@db/x?schema=A").contains("hunter2"));
    assert!(!refusal("postgres://me:hunter2@db:port/x").contains("hunter2"));
    assert!(!refusal("postgres://me:hunter2@db/x?password=hunter2&bad=1").contains("hunter2"));
    assert!(!refusal("postgres://me@db/x?bad=1&password=hunter2").contains("hunter2"));
}

#[test]
fn a_bad_address_is_told_what_is_wrong_with_it() {
    assert!(refusal("mysql://me@db/x").contains("does not begin with postgres://"));
    assert!(refusal("postgres://db/x").contains("names no user"));
    assert!(refusal("postgres://me@/x").contains("names no host"));
    assert!(refusal("postgres://me@db/x?schema=Big").contains("\"Big\" is not a name"));
    assert!(refusal("postgres://me@db/x?sslmode=maybe").contains("none of disable"));
    assert!(refusal("postgres://me@db/x?colour=red").contains("colour"));
    assert!(refusal("postgres://me@db/x?target_session_attrs=read-only").contains("only be read"));
    assert!(refusal("postgres://me@db/x?hostaddr=10.0.0.1").contains("hostaddr"));
    assert!(refusal("postgres://me@db/x?sslcert=a.pem").contains("sslkey"));
}
