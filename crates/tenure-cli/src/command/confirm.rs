//! Asks before something that can't be taken back.

use std::io::{BufRead, IsTerminal, Write};

use crate::exit::{Exit, Failure};

/// Goes on if `yes` was said, or if whoever is there says so now.
pub(super) fn confirm(question: &str, yes: bool) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::new(Exit::Usage, "nobody is there to confirm; say --yes"));
    }
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    match read.map(|_| answer.trim().to_lowercase()) {
        Ok(answer) if answer == "y" || answer == "yes" => Ok(()),
        _ => Err(Failure::new(Exit::Refused, "nothing was done")),
    }
}
