//! The etcd store as its users meet it, on real clusters: the store suite, refusals, endpoints that fail.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod shared;
mod suite;
