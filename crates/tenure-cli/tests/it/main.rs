//! The program from outside: the real binary, on a SQLite file, with members that live in the test.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

#[cfg(feature = "otel")]
mod collector;
mod dashboard;
mod files;
mod journals;
mod looking;
mod mending;
mod mistakes;
mod order;
mod owning;
mod reading;
mod recovering;
mod secrets;
mod steering;
mod testbed;
#[cfg(feature = "otel")]
mod traces;
mod waiting;
