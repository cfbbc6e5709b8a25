//! Servers for one test alone, which it may kill, freeze and restart.

mod detached;
mod home;
mod struck;

pub mod etcd;
pub mod kubernetes;
pub mod postgres;
pub mod s3;

pub(crate) use detached::{Left, answers, leave};
pub(crate) use home::Home;
