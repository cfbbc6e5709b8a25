//! Tells the person who waits what is going on: a line for each stage, and a sign of life from a long one.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::error::{Doing, Error};
use crate::process::{end_of, spoken};

/// How often a long stage gives a sign of life.
const SIGN_OF_LIFE: Duration = Duration::from_secs(20);
/// No stage takes longer; one that does has hung.
const LIMIT: Duration = Duration::from_secs(45 * 60);
const GLANCE: Duration = Duration::from_millis(50);

/// The progress of one installation.
#[derive(Debug)]
pub(crate) struct Progress {
    name: String,
    begun: Instant,
}

impl Progress {
    pub(crate) fn of(name: &str) -> Self {
        Self { name: name.into(), begun: Instant::now() }
    }

    /// Says that a stage begins.
    pub(crate) fn say(&self, stage: &str) {
        println!("servers: {:<10} {:>4} s  {stage}", self.name, self.begun.elapsed().as_secs());
    }

    /// Runs a stage to its end; what it writes goes to `log`, the end of which explains a failure.
    pub(crate) fn run(&self, stage: &str, mut command: Command, log: &Path) -> Result<(), Error> {
        self.say(stage);
        let written = File::create(log).doing(|| format!("write {}", log.display()))?;
        let also = written.try_clone().doing(|| format!("share {}", log.display()))?;
        command.stdin(Stdio::null()).stdout(written).stderr(also);
        let mut child = command.spawn().doing(|| format!("run {}", spoken(&command)))?;
        match self.wait(stage, &mut child, log) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(failure(&command, format!("ended with {status}"), log)),
            None => Err(failure(&command, format!("did not end within {LIMIT:?}"), log)),
        }
    }

    /// Waits for `child`, at most for the limit; then ends it and answers `None`.
    fn wait(&self, stage: &str, child: &mut Child, log: &Path) -> Option<ExitStatus> {
        let (begun, mut spoke) = (Instant::now(), Instant::now());
        while begun.elapsed() < LIMIT {
            if let Ok(Some(status)) = child.try_wait() {
                return Some(status);
            }
            if spoke.elapsed() > SIGN_OF_LIFE {
                self.say(&format!("still {stage}: {}", last_line(log)));
                spoke = Instant::now();
            }
            sleep(GLANCE);
        }
        let _ = child.kill();
        let _ = child.wait();
        None
    }
}

fn failure(command: &Command, how: String, log: &Path) -> Error {
    Error::Failed { command: spoken(command), how, output: end_of(&read(log)) }
}

fn last_line(log: &Path) -> String {
    read(log).lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no word yet").to_owned()
}

fn read(log: &Path) -> String {
    std::fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_fails_shows_the_end_of_what_it_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo first; echo broken >&2; exit 7"]);
        let said =
            Progress::of("x").run("trying", command, &folder.path().join("log")).unwrap_err().to_string();
        assert!(said.contains("first") && said.contains("broken") && said.contains('7'), "{said}");
    }
}
