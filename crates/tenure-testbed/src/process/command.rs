//! Programs that run to their end: what they wrote is their answer, and the end of it explains a failure.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::error::{Doing, Error};

/// How many lines explain a failure.
const LINES_SHOWN: usize = 30;

/// Runs `command` to its end; answers what it wrote.
pub(crate) fn run(mut command: Command) -> Result<String, Error> {
    let output = command.stdin(Stdio::null()).output().doing(|| format!("run {}", spoken(&command)))?;
    let written = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(written) } else { Err(failure(&command, &output)) }
}

/// The same without holding up the runtime that we are called on.
pub(crate) async fn run_in_background(command: Command) -> Result<String, Error> {
    let ran = tokio::task::spawn_blocking(move || run(command)).await;
    ran.unwrap_or_else(|error| Err(Error::Refused(format!("a program could not be waited for: {error}"))))
}

fn failure(command: &Command, output: &Output) -> Error {
    let all = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let how = format!("ended with {}", output.status);
    Error::Failed { command: spoken(command), how, output: end_of(&String::from_utf8_lossy(&all)) }
}

/// The last lines of `text`.
pub(crate) fn end_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..].join("\n")
}

/// The program and its arguments, as one would type them.
pub(crate) fn spoken(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_else(|| command.get_program());
    let args = command.get_args().map(|arg| arg.to_string_lossy());
    std::iter::once(program.to_string_lossy()).chain(args).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_a_program_wrote_is_its_answer() {
        assert_eq!(run(shell("echo yes")).unwrap(), "yes\n");
    }

    #[test]
    fn a_failure_names_the_program_and_what_it_said() {
        let said = run(shell("echo no way >&2; exit 3")).unwrap_err().to_string();
        assert!(said.contains("sh -c") && said.contains("no way") && said.contains('3'), "{said}");
    }

    #[test]
    fn only_the_end_of_a_long_text_is_shown() {
        let text: String = (0..100).map(|line| format!("{line}\n")).collect();
        assert_eq!(end_of(&text).lines().next(), Some("70"));
    }
}
