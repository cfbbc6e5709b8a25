//! A terminal that nobody sees, by `tmux`. It ends with the one who opened it.

use std::process::{Command, Output};
use std::time::Duration;

/// Waiting is given up after so many looks.
const LOOKS: usize = 300;
const PAUSE: Duration = Duration::from_millis(100);

/// A terminal of its own server, so that nobody's sessions are touched.
#[derive(Debug)]
pub(super) struct Terminal {
    server: String,
}

impl Terminal {
    /// Opens a terminal that runs `program`.
    pub(super) fn open(width: u16, height: u16, program: &str) -> Result<Self, String> {
        let terminal = Self { server: format!("tenure-picture-{}", std::process::id()) };
        let (width, height) = (width.to_string(), height.to_string());
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height, program])?;
        Ok(terminal)
    }

    /// Presses one key.
    pub(super) fn press(&self, key: &str) -> Result<(), String> {
        self.tmux(&["send-keys", key]).map(drop)
    }

    /// What is on the screen, with its styles as escape sequences.
    pub(super) fn capture(&self) -> Result<String, String> {
        let shown = self.tmux(&["capture-pane", "-e", "-N", "-p"])?;
        Ok(String::from_utf8_lossy(&shown.stdout).into_owned())
    }

    /// Waits until `words` are on the screen.
    pub(super) fn wait_for(&self, words: &str) -> Result<(), String> {
        for _ in 0..LOOKS {
            if self.capture()?.contains(words) {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        Err(format!("{words:?} never came to the screen; it shows:\n{}", self.capture()?))
    }

    fn tmux(&self, words: &[&str]) -> Result<Output, String> {
        let mut command = Command::new("tmux");
        command
            .args(["-u", "-L", &self.server])
            .args(words)
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR");
        let output = command.output().map_err(|error| format!("can't run tmux, install it: {error}"))?;
        if output.status.success() {
            return Ok(output);
        }
        Err(format!("tmux {words:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]);
    }
}
