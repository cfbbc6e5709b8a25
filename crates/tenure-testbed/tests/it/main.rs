//! Servers of one test's own: they can be killed, frozen and restarted, and what was written stays.
//!
//! A module is called `own_` and the server's name, by which `cargo xtask test` leaves it out where there is no such server.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod own_etcd;
mod own_kubernetes;
mod own_postgres;
mod own_s3;
