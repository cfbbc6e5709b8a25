//! Two voices: data goes to standard output, talk to standard error.

use std::io::{IsTerminal, Write};

use tracing_subscriber::EnvFilter;

use crate::exit::{Exit, Failure};
use crate::paint::Paint;

/// Writes data.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::output)
}

/// Says something to the person who waits.
pub(crate) fn say(text: &str) {
    // Nobody may be there to hear it; that changes nothing.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Tells what went wrong.
pub(crate) fn error(text: &str) {
    say(&format!("{} {text}", Paint::for_talk().bad("error:")));
}

/// Begins to log to standard error.
pub(crate) fn log(filter: &str) -> Result<(), Failure> {
    let chosen = EnvFilter::try_new(filter).map_err(|error| {
        Failure::new(Exit::Usage, format!("--log {filter:?} is no filter; try info, or tenure=debug"))
            .because(error)
    })?;
    let colours = std::io::stderr().is_terminal() && Paint::for_talk().is_on();
    tracing_subscriber::fmt()
        .with_env_filter(chosen)
        .with_ansi(colours)
        .with_writer(std::io::stderr)
        .with_target(false)
        .init();
    Ok(())
}
