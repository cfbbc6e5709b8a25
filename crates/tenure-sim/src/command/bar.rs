//! The bar that shows how far a run is.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `seeds`, with seeds per second.
pub(crate) fn bar(seeds: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} seeds  {per_sec}  {eta} left  {msg}");
    let bar = ProgressBar::new(seeds);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// How many threads to use when nothing is said: one for each core.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Panics inside a seed are findings, not noise.
pub(crate) fn hush_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}
