//! What can be asked for, one file for each kind of question.

mod act;
mod deed;
mod figures;
mod page;
mod picture;
mod plan;
mod play;
mod stream;
mod table;

pub(crate) use table::routes;
