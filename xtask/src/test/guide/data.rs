//! Blocks of data: whoever copies one into a file finds that programs can read it.

use serde_json::Value;

/// What is wrong with a block of data; `None` if the language is no data.
pub(super) fn judge(language: &str, text: &str) -> Option<Result<(), String>> {
    match language {
        "json" => Some(serde_json::from_str::<Value>(text).map(drop).map_err(|error| error.to_string())),
        "yaml" => Some(yaml(text)),
        "toml" => Some(text.parse::<toml::Table>().map(drop).map_err(|error| error.to_string())),
        _ => None,
    }
}

/// A file of YAML may hold several documents.
fn yaml(text: &str) -> Result<(), String> {
    let read = serde_saphyr::from_multiple::<Value>(text);
    read.map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_read_by_its_language_and_code_is_none() {
        assert_eq!(judge("json", "{\"a\": 1}"), Some(Ok(())));
        assert_eq!(judge("yaml", "a: 1\n---\nb: [2]\n"), Some(Ok(())));
        assert_eq!(judge("toml", "a = 1\n"), Some(Ok(())));
        assert_eq!(judge("sh", "a"), None);
    }

    #[test]
    fn what_no_program_can_read_is_found() {
        assert!(judge("json", "{\"a\": …}").unwrap().is_err());
        assert!(judge("yaml", "a: [1\n").unwrap().is_err());
        assert!(judge("toml", "a = ten seconds\n").unwrap().is_err());
    }
}
