//! What a developer runs besides the tests, one file or folder for each verb. The tests call some of it as well.

pub(crate) mod bench;
pub(crate) mod fuzz;
pub(crate) mod picture;
pub(crate) mod servers;
pub(crate) mod sim;
