//! What the program can do, one file each.

mod bar;
mod mutants;
mod replay;
mod run;

pub(crate) use run::Command;
