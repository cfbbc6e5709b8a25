//! A bad network on demand: a TCP proxy in front of one server, that loses, delays or cuts what passes through.
//!
//! It knows bytes only, so it stands in front of any protocol, encrypted or not. What it can't do is lose a part of a
//! stream and go on: a connection that lost bytes is closed as soon as bytes would flow through it again, as a real one
//! would be once an end finds out. Bytes that arrive late, after the sender has given up, are [`Mode::Delay`] followed by
//! [`Mode::Pass`].

mod http;
mod link;
mod listener;
mod mode;
mod tally;

#[cfg(test)]
mod proxy_tests;

pub use listener::Proxy;
pub use mode::Mode;
