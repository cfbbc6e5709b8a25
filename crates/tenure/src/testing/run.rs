//! Runs one rule, whatever runtime the tested crate uses.

use std::future::Future;

/// Runs `test` to its end on a runtime of its own, with two threads so that races are real.
pub fn run(test: impl Future<Output = ()>) {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build();
    runtime.expect("a runtime can be built").block_on(test);
}
