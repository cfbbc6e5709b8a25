//! Simulates clusters of `tenure` in virtual time.
