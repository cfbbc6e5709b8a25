//! What a target found: the bytes that broke it, kept where a developer finds them.

use std::any::Any;
use std::path::PathBuf;
use std::{env, fs};

/// Bytes that broke a target, and how.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) run: u64,
    pub(crate) what: String,
    pub(crate) bytes: Vec<u8>,
}

impl Finding {
    /// Writes the bytes down; says where, or why not.
    pub(crate) fn keep(&self, target: &str) -> String {
        let folder = folder();
        let path = folder.join(format!("{target}-{}", self.run));
        let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &self.bytes));
        match kept {
            Ok(()) => path.display().to_string(),
            Err(error) => format!("could not be kept: {error}"),
        }
    }

    /// The beginning of the bytes, for people.
    pub(crate) fn shown(&self) -> String {
        String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(2000)]).escape_debug().to_string()
    }
}

/// `target/fuzz`, beside the program that runs.
fn folder() -> PathBuf {
    let here = env::current_exe().unwrap_or_default();
    let target = here.ancestors().find(|folder| folder.ends_with("target")).map(PathBuf::from);
    target.unwrap_or_else(env::temp_dir).join("fuzz")
}

/// What a panic said.
pub(crate) fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words").to_owned()
}
