//! `file:` addresses, for settings and command lines.
//!
//! `file:journals` and `file:./journals` are relative, `file:/var/lib/journals` and `file:///var/lib/journals` absolute; so is a path
//! alone that begins with a slash or a dot. What follows the scheme is the path as it is: nothing is escaped.

use std::path::PathBuf;

use tenure::store::{StoreError, StoreErrorKind};

use super::error::KIND;

/// The path that an address names.
pub(super) fn path_of(address: &str) -> Result<PathBuf, StoreError> {
    let refuse = |message| Err(StoreError::new(StoreErrorKind::Invalid, KIND, "open", address, message));
    let rest = address.strip_prefix("file:").unwrap_or(address);
    match rest.strip_prefix("//") {
        _ if rest.is_empty() => refuse("no folder is named; use an address such as file:journals"),
        Some(absolute) if absolute.starts_with('/') => Ok(absolute.into()),
        Some(_) => refuse("a host makes no sense here; use file:folder or file:///directory/folder"),
        None => Ok(rest.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_relative_and_absolute_paths() {
        for (address, path) in [
            ("file:journals", "journals"),
            ("file:./data/journals", "./data/journals"),
            ("file:/var/lib/journals", "/var/lib/journals"),
            ("file:///var/lib/journals", "/var/lib/journals"),
            ("/var/lib/journals", "/var/lib/journals"),
            ("./journals", "./journals"),
        ] {
            assert_eq!(path_of(address).unwrap(), PathBuf::from(path), "{address}");
        }
    }

    #[test]
    fn an_address_that_names_no_folder_says_what_would() {
        assert!(path_of("file:").unwrap_err().to_string().contains("such as file:journals"));
        assert!(path_of("file://host/x").unwrap_err().to_string().contains("a host makes no sense"));
    }
}
