//! Reads a key from a question. A key is any bytes: what is no UTF-8 must not become another key.

use percent_encoding::percent_decode;

use crate::view::{Problem, ProblemKind};

/// The key of `?key=…`, percent-decoded.
pub(super) fn key(query: Option<&str>) -> Result<Vec<u8>, Problem> {
    let said = query.unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("key="));
    let said = said.ok_or_else(|| {
        Problem::new(ProblemKind::Invalid, "say the key, percent-encoded: /v1/owner?key=order-17")
    })?;
    // As forms write it, and every client of HTTP.
    Ok(percent_decode(said.replace('+', " ").as_bytes()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_any_bytes() {
        for (query, expected) in [
            ("key=order-17", &b"order-17"[..]),
            ("key=", b""),
            ("a=b&key=x%26y%3Dz&c", b"x&y=z"),
            ("key=two+words%2B", b"two words+"),
            ("key=%FF%00", b"\xff\0"),
            ("key=100%", b"100%"),
        ] {
            assert_eq!(key(Some(query)).unwrap(), expected, "{query}");
        }
    }

    #[test]
    fn fuzz_question() {
        let whole = [&b"key=order-17"[..], b"a=b&key=%FF%00+%2B&c=%"];
        tenure_fuzz::Target::new("question", whole).run(|bytes| {
            let query = String::from_utf8_lossy(bytes);
            key(Some(&query)).is_ok_and(|key| key.len() <= query.len())
        });
    }

    #[test]
    fn a_key_must_be_said() {
        for query in [None, Some(""), Some("key"), Some("keys=a"), Some("a=key=b")] {
            assert_eq!(key(query).unwrap_err().kind, ProblemKind::Invalid, "{query:?}");
        }
    }
}
