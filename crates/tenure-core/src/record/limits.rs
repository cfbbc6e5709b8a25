//! How great things may be. A record beyond a limit is not understood: nobody computes with it.

/// The record format that this build writes, and the newest that it reads.
pub const FORMAT: u32 = 1;

/// The greatest number that a record may hold: every JSON reader keeps it exactly.
pub const NUMBER_MAX: u64 = (1 << 53) - 1;

/// The most shards that a cluster may have.
pub const SHARDS_MAX: u32 = 1 << 21;

/// The most shards that one page may hold: at 24 bytes each, it fits the megabyte that every store takes.
pub const PAGE_SIZE_MAX: u32 = 1 << 15;

/// The most pages that a ledger may have: every look asks for each of them.
pub const PAGES_MAX: u32 = 1 << 16;

/// The longest lease that a cluster may allow, one day.
pub const TTL_MAX_MS: u64 = 86_400_000;

/// The most bytes that are read as a record; more is a mistake or an attack, and no reader spends memory on it.
pub const BYTES_MAX: usize = 4 << 20;

/// The same for `meta`, which says little.
pub const META_BYTES_MAX: usize = 64 << 10;
