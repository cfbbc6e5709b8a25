//! Stores for `tenure`.
