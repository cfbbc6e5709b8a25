//! What a server says when it refuses: a status, a code, a sentence.
//!
//! Only the store's own code for a missing object says that one is missing: a 404 alone may be the page of an ingress, of a proxy,
//! or of a server that is being set up. All requests are GETs or carry conditions, and each provider names the code in the
//! answers to those; only answers to HEAD have none, and that is never asked.
//!
//! The three providers agree on an `<Error><Code>…<Message>…` body, or a header with the code. Nothing else of an
//! answer is kept: a body can repeat parts of the request that are nobody's business.

use object_store::HeaderMap;

/// How much of a server's own words is repeated.
const WORDS: usize = 200;

/// An answer that was not good.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The status of the answer.
    pub status: u16,
    /// What kind of error it is, in the provider's words, such as `NoSuchBucket`; empty if it did not say.
    pub code: String,
    /// The server's sentence; empty if there was none.
    pub words: String,
    /// The region where the bucket is, if the server says so.
    pub region: Option<String>,
}

impl Refusal {
    /// Reads what there is to read.
    pub(super) fn read(status: u16, headers: &HeaderMap, body: &[u8]) -> Self {
        let body = String::from_utf8_lossy(body);
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let code = element(&body, "Code").or_else(|| header("x-ms-error-code")).unwrap_or_default();
        let words: String = element(&body, "Message").unwrap_or_default().chars().take(WORDS).collect();
        let region = header("x-amz-bucket-region").or_else(|| element(&body, "Region"));
        Self { status, code, words: words.lines().next().unwrap_or_default().to_owned(), region }
    }

    /// Whether the store says that there is no such object: S3 and Google by the first, Azure by the second.
    pub(super) fn says_absent(&self) -> bool {
        self.status == 404 && matches!(self.code.as_str(), "NoSuchKey" | "BlobNotFound")
    }
}

/// The text of the first element of that name.
pub(super) fn element(body: &str, name: &str) -> Option<String> {
    let (_, rest) = body.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once(&format!("</{name}>"))?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use object_store::HeaderValue;

    use super::*;

    #[test]
    fn code_sentence_and_region_are_kept_and_nothing_else() {
        let body = "<?xml?><Error><Code>SignatureDoesNotMatch</Code><Message>no\nsuch thing</Message>\
            <StringToSign>private</StringToSign><Region>eu-west-1</Region></Error>";
        let refusal = Refusal::read(403, &HeaderMap::new(), body.as_bytes());
        assert_eq!(refusal.code, "SignatureDoesNotMatch");
        assert_eq!(refusal.words, "no");
        assert_eq!(refusal.region.as_deref(), Some("eu-west-1"));
        assert!(!format!("{refusal:?}").contains("private"));
    }

    #[test]
    fn azure_says_its_code_in_a_header() {
        let mut headers = HeaderMap::new();
        headers.insert("x-ms-error-code", HeaderValue::from_static("ContainerNotFound"));
        assert_eq!(Refusal::read(404, &headers, b"").code, "ContainerNotFound");
    }

    #[test]
    fn only_the_stores_own_code_says_that_an_object_is_absent() {
        let not_found = |code: &str| Refusal { status: 404, code: code.into(), ..Refusal::default() };
        assert!(not_found("NoSuchKey").says_absent() && not_found("BlobNotFound").says_absent());
        for code in ["", "NoSuchBucket", "ContainerNotFound", "NoSuchUpload", "default backend"] {
            assert!(!not_found(code).says_absent(), "{code}");
        }
    }

    #[test]
    fn a_body_of_another_kind_says_nothing() {
        let refusal = Refusal::read(502, &HeaderMap::new(), b"<html>bad gateway</html>\xff");
        assert_eq!(refusal, Refusal { status: 502, ..Refusal::default() });
    }
}
