//! Processes of servers: started in a group of their own, hurt by signals, and gone when their owner is gone.

mod command;
mod guard;
mod order;
mod running;
mod table;
mod user;

pub(crate) use command::{end_of, run, run_in_background, spoken};
pub(crate) use order::{Life, Order};
pub(crate) use running::Process;
pub(crate) use table::{Identity, alive, signal_family};
pub(crate) use user::User;
