//! Which founding a page belongs to, whatever else it says: a page of another one can't be read as ours, and yet tells something.

use serde::Deserialize;

use super::{BYTES_MAX, Incompatible, LedgerPage, Meta, json};
use crate::ids::Lineage;

impl LedgerPage {
    /// The lineage that these bytes name; `None` if they are no page.
    pub fn lineage_of(bytes: &[u8]) -> Option<Lineage> {
        #[derive(Deserialize)]
        struct Head {
            lineage: Lineage,
        }
        json::decode::<Head>(bytes, BYTES_MAX).ok().map(|head| head.lineage)
    }

    /// Reads the page `number` of a cluster of this shape, of whichever lineage it is.
    ///
    /// # Errors
    /// [`Incompatible`] for bytes that this build does not understand.
    pub fn decode_of_any(number: u32, bytes: &[u8], shape: &Meta) -> Result<Self, Incompatible> {
        let lineage = Self::lineage_of(bytes).unwrap_or(shape.lineage);
        Self::decode(number, bytes, &Meta { lineage, ..shape.clone() })
    }
}
