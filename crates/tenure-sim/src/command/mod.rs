//! What the program can do, one file each.

mod mutants;
mod replay;
mod run;

pub(crate) use run::Command;
