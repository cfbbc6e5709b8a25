//! Two voices: one for data, one for whoever waits.

use std::io::Write;

use super::seemly::seemly;
use crate::exit::Failure;
use crate::paint::Paint;

/// Writes data.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(seemly(text).as_bytes()).and_then(|()| out.flush()).map_err(Failure::output)
}

/// Says something to the person who waits.
pub(crate) fn say(text: &str) {
    // Nobody may be there to hear it; that changes nothing.
    let _ = writeln!(std::io::stderr().lock(), "{}", seemly(text));
}

/// Tells what went wrong.
pub(crate) fn error(text: &str) {
    say(&format!("{} {text}", Paint::for_talk().bad("error:")));
}
