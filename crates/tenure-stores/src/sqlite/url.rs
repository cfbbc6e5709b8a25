//! `sqlite:` addresses, for settings and command lines.
//!
//! `sqlite:tenure.db` and `sqlite:./data/tenure.db` are relative, `sqlite:/var/lib/tenure.db` and `sqlite:///var/lib/tenure.db`
//! absolute. What follows the scheme is the path as it is: nothing is escaped.

use std::path::PathBuf;

use tenure::store::{StoreError, StoreErrorKind};

use super::error::KIND;

/// The path that an address names.
pub(crate) fn path_of(address: &str) -> Result<PathBuf, StoreError> {
    let refuse =
        |message: &str| Err(StoreError::new(StoreErrorKind::Invalid, KIND, "open", address, message));
    let Some(rest) = address.strip_prefix("sqlite:") else {
        return refuse("it does not begin with sqlite:; use an address such as sqlite:tenure.db");
    };
    let path = match rest.strip_prefix("//") {
        Some(absolute) if absolute.starts_with('/') => absolute,
        Some(_) => return refuse("a host makes no sense here; use sqlite:file or sqlite:///directory/file"),
        None => rest,
    };
    match path {
        "" => refuse("no file is named; use an address such as sqlite:tenure.db"),
        ":memory:" => refuse("a database in memory can't be shared; use the memory store, or name a file"),
        path if path.contains('?') => refuse("options are not known here; name the file alone"),
        path => Ok(path.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(address: &str) -> String {
        path_of(address).unwrap().into_os_string().into_string().unwrap()
    }

    fn refusal(address: &str) -> String {
        path_of(address).unwrap_err().to_string()
    }

    #[test]
    fn addresses_name_relative_and_absolute_paths() {
        assert_eq!(path("sqlite:tenure.db"), "tenure.db");
        assert_eq!(path("sqlite:./data/tenure.db"), "./data/tenure.db");
        assert_eq!(path("sqlite:/var/lib/tenure.db"), "/var/lib/tenure.db");
        assert_eq!(path("sqlite:///var/lib/tenure.db"), "/var/lib/tenure.db");
    }

    #[test]
    fn an_address_that_names_no_file_says_what_would() {
        assert!(refusal("sqlite:").contains("such as sqlite:tenure.db"));
        assert!(refusal("postgres:x").contains("does not begin with sqlite:"));
        assert!(refusal("sqlite://host/x").contains("a host makes no sense"));
        assert!(refusal("sqlite::memory:").contains("memory store"));
        assert!(refusal("sqlite:a.db?mode=ro").contains("options"));
    }
}
