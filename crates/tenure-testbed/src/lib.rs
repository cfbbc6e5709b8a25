//! A testbed for stores: the real servers, installed, started and hurt at will.
//!
//! A store is judged by what the real server does, never by a stand-in of our own. Two ways lead to one:
//!
//! - [`url`] answers the address of a server that all tests share. `cargo xtask servers up` starts these once. A test that uses
//!   one keeps to names of its own and hurts nothing.
//! - [`etcd`], [`s3`], [`kubernetes`] and [`postgres`] start servers for one test alone, on free ports of the loopback, which it
//!   may kill, freeze and restart. They end when they are dropped, and also when their owner is killed.
//!
//! Between a server and the tests stands a [`proxy`], where they want one: it loses, delays and cuts.
//!
//! Whatever is downloaded or built lies in a cache that all clones share, and is fetched once.

mod certificate;
mod error;
mod http;
mod install;
mod kind;
mod place;
mod port;
mod process;
pub mod proxy;
mod ready;
mod server;
pub mod servers;

pub use certificate::Certificates;
pub use error::Error;
pub use install::{cached, python_with, typos};
pub use kind::{Kind, S3Program, UnknownKind};
pub use server::{etcd, kubernetes, postgres, s3};
pub use servers::url;
