//! The dashboard from outside: real HTTP on loopback, a real SQLite file, real members.

mod acting;
mod away;
mod bed;
mod client;
mod deploy;
mod looking;
mod refusals;
mod streaming;
mod tls;
