//! What can be asked for, one file for each kind of question.

mod act;
mod deed;
mod look;
mod play;
mod stream;
mod table;

pub(crate) use table::routes;
