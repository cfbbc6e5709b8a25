//! Where commands that wait for something run. Commands that don't never start a thread.

use std::future::Future;

use crate::exit::{Exit, Failure};

/// Runs `work` to its end.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::new(Exit::Store, "no threads for the runtime; raise the limit of threads").because(error)
    })?;
    runtime.block_on(work)
}
