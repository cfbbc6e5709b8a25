//! Servers for one test alone, which it may kill, freeze and restart.

mod detached;
mod home;

pub mod etcd;
pub mod postgres;

pub(crate) use detached::{Left, answers, leave};
pub(crate) use home::Home;
