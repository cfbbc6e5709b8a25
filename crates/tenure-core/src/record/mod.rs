//! What is stored: meta, member records and ledger pages, as versioned JSON that people can read.
//!
//! Whoever can't decode a record concludes nothing from it: [`Incompatible`] carries the reason, and the reader reports
//! it and leaves the record alone. Fields that this version does not know are kept when a record is written back.

mod address;
mod change;
mod failing;
mod hearsay;
mod incompatible;
mod inspection;
mod json;
mod key;
mod limited;
mod limits;
mod member;
mod meta;
mod names;
mod page;
mod page_fields;
mod page_json;
mod page_lineage;
mod page_row;
mod ranges;
mod released;
mod unknown;
mod version;

#[cfg(test)]
mod burden_tests;
#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod inspection_tests;
#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod round_trip_tests;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod size_tests;

pub use address::{ADDRESS_MAX, address_problem};
pub use change::{Change, StepTaken};
pub use failing::{FAILING_MAX, Failing};
pub use incompatible::Incompatible;
pub use inspection::{Blemish, Remedy, inspect};
pub use key::Key;
pub use limits::{
    BYTES_MAX, FORMAT, META_BYTES_MAX, NUMBER_MAX, PAGE_SIZE_MAX, PAGES_MAX, SHARDS_MAX, TTL_MAX_MS,
};
pub use member::{MemberRecord, MemberState};
pub use meta::{Formation, Meta};
pub use page::{Heir, Holding, LedgerPage, Why};
pub use ranges::{Ranges, RangesError};
pub use released::Released;
pub use unknown::{UNKNOWN_MAX, Unknown};
pub use version::Version;
