//! What is logged to standard error.

use std::io::{self, IsTerminal, Write};

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use super::output::spelled;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;

/// One who listens, with a filter of its own.
pub(super) type Listener = Box<dyn Layer<Registry> + Send + Sync>;

/// What operators do is told whatever the filter: without `--audit-log` it is written nowhere else.
const ALWAYS: &str = "tenure::audit=info";

/// Begins to log what `filter` lets through, beside what `traces` takes.
pub(super) fn begin(filter: &str, traces: Option<Listener>) -> Result<(), Failure> {
    let chosen = EnvFilter::try_new(filter).map_err(|error| {
        Failure::new(Exit::Usage, format!("--log {filter:?} is no filter; try info, or tenure=debug"))
            .because(error)
    })?;
    let chosen = chosen.add_directive(ALWAYS.parse().expect("it is a directive"));
    let colours = io::stderr().is_terminal() && Paint::for_talk().is_on();
    let log = tracing_subscriber::fmt::layer().with_ansi(colours).with_writer(|| Log);
    let log = log.with_target(false).with_filter(chosen);
    tracing_subscriber::registry().with(traces).with(log).init();
    Ok(())
}

/// Standard error for the log: an event is one line, whatever is quoted in it.
#[derive(Debug)]
struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An event comes in one piece.
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let end = &text[line.len()..];
        io::stderr().lock().write_all(format!("{}{end}", spelled(line, |_| false)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
