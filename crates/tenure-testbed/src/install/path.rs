//! Programs that the machine has already.

use std::path::PathBuf;

/// The program `name`, where the search path has it.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_program_is_found_by_its_name() {
        assert!(find("sh").is_some());
        assert!(find("no-such-program-anywhere").is_none());
    }
}
