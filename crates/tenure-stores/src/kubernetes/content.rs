//! How the bytes of a record are kept in an object: as text where they are text, else in base64.
//!
//! Records are JSON, so people can read them in `kubectl get -o yaml`. Bytes that JSON would have to blow up (control
//! characters take six for one) go in base64, which takes four for three: a mebibyte then fits any request.

use bytes::Bytes;

/// The bytes as text that people can read, if that is what they are.
pub(super) fn as_text(value: &[u8]) -> Option<&str> {
    std::str::from_utf8(value).ok().filter(|text| !text.chars().any(char::is_control))
}

/// The bytes of a text.
pub(super) fn of_text(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_text_and_odd_bytes_are_not() {
        assert_eq!(as_text(br#"{"v":1,"zone":"\u00e4"}"#), Some(r#"{"v":1,"zone":"\u00e4"}"#));
        assert_eq!(as_text(b""), Some(""));
        for odd in [&b"\xff"[..], b"\0", b"a\nb"] {
            assert_eq!(as_text(odd), None);
        }
    }
}
