//! A bed to test stores on: the real servers, installed, started and hurt at will.
//!
//! A store is judged by what the real server does, never by a stand-in of our own. Two ways lead to one:
//!
//! - `url` answers the address of a server that all tests share. `cargo xtask servers up` starts these once. A test that uses
//!   one keeps to names of its own and hurts nothing.
//! - `etcd`, `s3`, `kubernetes` and `postgres` start servers for one test alone, on free ports of the loopback, which it
//!   may kill, freeze and restart. They end when they are dropped.
//!
//! Between a server and the tests stands a [`proxy`], where they want one: it loses, delays and cuts.
//!
//! Whatever is downloaded or built lies under `target/servers`, and is fetched once.

mod kind;
pub mod proxy;

pub use kind::{Kind, UnknownKind};
