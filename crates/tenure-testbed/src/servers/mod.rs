//! The servers that all tests share: started once, in the background, and ended when somebody says so.
//!
//! In place of any of them the environment may give one, as `TENURE_TEST_ETCD_URL` does: see [`Kind::variable`](crate::Kind::variable).
//!
//! What is known of each is a file under `target/servers/run`. A server counts as up when all its processes are the very ones that
//! were started and it answers.

mod down;
mod record;
mod status;
mod up;

pub use down::down;
pub use record::{given, url};
pub use status::{State, Status, status};
pub use up::{Failure, Preparation, Up, Wanted, up};
