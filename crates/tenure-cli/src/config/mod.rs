//! Settings in layers: flag over environment variable over file over default, under one name everywhere.
//!
//! The definitions of the commands are the only list of settings. An option `--name` with the variable `TENURE_NAME` is the
//! key `name` of the file; what the file says becomes the option's default, so that the upper layers win by themselves, and
//! every value is read by the same parser wherever it stands.

mod beneath;
mod file;

pub(crate) use file::File;

/// Names the file.
pub(crate) const CONFIG_VARIABLE: &str = "TENURE_CONFIG";
