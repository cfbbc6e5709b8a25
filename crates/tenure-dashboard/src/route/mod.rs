//! What can be asked for, one file for each kind of question.

mod page;
mod picture;
mod stream;
mod table;

pub(crate) use table::routes;
