//! Asks before something that can't be taken back.

use std::io::{BufRead, IsTerminal, Write};

use crate::exit::{Exit, Failure};

/// Goes on if `yes` was said, or if the person at the terminal says so now.
pub(super) fn confirm(question: &str, yes: bool) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::new(Exit::Usage, "nobody is there to confirm; say --yes"));
    }
    match answer(&format!("{question} [y/N]")).map(|answer| answer.to_lowercase()) {
        Some(answer) if answer == "y" || answer == "yes" => Ok(()),
        Some(_) | None => Err(nothing()),
    }
}

/// Goes on if the person at the terminal types `name`: they know what it is about.
pub(super) fn confirm_by_name(question: &str, name: &str) -> Result<(), Failure> {
    answer(question).filter(|answer| answer == name).map(drop).ok_or_else(nothing)
}

fn answer(question: &str) -> Option<String> {
    let _ = write!(std::io::stderr(), "{question} ");
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).ok().map(|_| answer.trim().to_owned())
}

fn nothing() -> Failure {
    Failure::new(Exit::Refused, "nothing was done")
}
