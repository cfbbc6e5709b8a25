//! Everything that a developer runs.
fn main() {}
