//! Everything but members: ConfigMaps.
//!
//! The API server takes up to a mebibyte of contents, counted as bytes and not as base64, which is as much as a record may have.

use bytes::Bytes;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::ConfigMap;

use super::content::{as_text, of_text};
use super::error::Trouble;
use super::kept::{Draft, Kept};

/// The most bytes that a ConfigMap holds.
const BYTES_MAX: usize = 1 << 20;

/// The entry that holds the record.
const RECORD: &str = "record";

impl Kept for ConfigMap {
    const IN_METADATA: bool = false;

    fn wrap(draft: Draft<'_>) -> Result<Self, Trouble> {
        let Draft { meta: metadata, value, .. } = draft;
        if value.len() > BYTES_MAX {
            let said = format!("it has {} bytes, and a ConfigMap holds {BYTES_MAX}", value.len());
            return Err(Trouble::TooLarge(said));
        }
        let map = Self { metadata, ..Self::default() };
        Ok(match as_text(&value) {
            Some(text) => Self { data: Some([(RECORD.into(), text.into())].into()), ..map },
            None => Self { binary_data: Some([(RECORD.into(), ByteString(value.into()))].into()), ..map },
        })
    }

    fn content(&self) -> Option<Bytes> {
        let text = self.data.as_ref().and_then(|data| data.get(RECORD)).map(|text| of_text(text));
        let binary = || self.binary_data.as_ref()?.get(RECORD).map(|bytes| bytes.0.clone().into());
        text.or_else(binary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    fn wrap(value: Bytes) -> Result<ConfigMap, Trouble> {
        ConfigMap::wrap(Draft { key: "a", meta: ObjectMeta::default(), value, pod: None })
    }

    #[test]
    fn text_can_be_read_and_bytes_come_back() {
        let map = wrap("{}".into()).unwrap();
        assert_eq!(map.data.as_ref().unwrap()[RECORD], "{}");
        for value in [&b"{}"[..], b"", b"\0\xff"] {
            assert_eq!(wrap(value.into()).unwrap().content().unwrap(), value);
        }
    }

    #[test]
    fn a_mebibyte_fits_and_a_byte_more_is_refused() {
        assert!(wrap(vec![0; BYTES_MAX].into()).is_ok());
        let refusal = wrap(vec![0; BYTES_MAX + 1].into()).unwrap_err().to_string();
        assert!(refusal.contains("1048577 bytes") && refusal.contains("pages smaller"), "{refusal}");
    }

    #[test]
    fn a_strangers_map_holds_no_record() {
        assert_eq!(ConfigMap::default().content(), None);
    }
}
