//! A terminal: one shell for as long as a page needs it. Folder, variables and background jobs carry over from block to
//! block, as they do for whoever types them.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::place::Place;

/// Nothing in a page takes longer; what does has hung. Compiling a crate of the reader's own takes the most.
const LIMIT: Duration = Duration::from_secs(300);

/// How long a page's programs have to end when they are told to.
const FAREWELL: Duration = Duration::from_secs(20);

/// How shells say that a program was ended by an interrupt.
const INTERRUPTED: i32 = 130;

const PAUSE: Duration = Duration::from_millis(25);

#[derive(Debug)]
pub(super) struct Terminal {
    shell: Child,
    keys: ChildStdin,
    log: PathBuf,
    notes: PathBuf,
    count: usize,
}

/// A script that was begun: where its output begins, and where its end will be told.
#[derive(Debug)]
pub(super) struct Begun {
    from: usize,
    code: PathBuf,
    /// What ran in the background before it.
    before: Vec<u32>,
}

impl Terminal {
    /// A shell that ends at the first command that fails.
    pub(super) fn open(place: &Place, name: &str) -> Result<Self, String> {
        let (log, notes) = (place.backstage().join(format!("{name}.log")), place.backstage().join(name));
        let say = |error| format!("can't open a terminal: {error}");
        fs::create_dir(&notes).map_err(say)?;
        let out = File::create(&log).map_err(say)?;
        let mut command = Command::new("setsid");
        // Where the tests run in the background nobody hears interrupts, and a shell can't trap what it inherits as ignored.
        command.args(["env", "--default-signal=INT", "bash"]);
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail"]);
        place.dress(&mut command);
        let both = out.try_clone().map_err(say)?;
        let mut shell = command.stdin(Stdio::piped()).stdout(out).stderr(both).spawn().map_err(say)?;
        let mut keys = shell.stdin.take().ok_or("the shell has no input")?;
        // As in a shell that somebody types into, an interrupt is for what runs in the foreground, and for nothing else.
        keys.write_all(b"set -m; trap : INT\n").map_err(say)?;
        Ok(Self { shell, keys, log, notes, count: 0 })
    }

    /// Begins a script; its commands have no input. With `forgiving`, one that fails does not end the shell.
    pub(super) fn begin(&mut self, script: &str, forgiving: bool) -> Result<Begun, String> {
        self.count += 1;
        let file = self.notes.join(format!("{}.sh", self.count));
        let before = self.jobs();
        let begun = Begun {
            before,
            from: self.printed(0).len(),
            code: self.notes.join(format!("{}.code", self.count)),
        };
        fs::write(&file, script).map_err(|error| format!("can't write a script: {error}"))?;
        let (file, code) = (file.display(), begun.code.display());
        let line = match forgiving {
            // An interrupt that ends a program makes the shell forget the rest of the line.
            true => format!(
                "code={INTERRUPTED}; source {file} < /dev/null && code=0 || code=$?\necho $code > {code}\n"
            ),
            false => format!("source {file} < /dev/null; echo $? > {code}\n"),
        };
        self.keys.write_all(line.as_bytes()).map_err(|error| format!("the shell has ended: {error}"))?;
        Ok(begun)
    }

    /// Waits for the end of a script; answers how it ended.
    pub(super) fn wait(&mut self, begun: &Begun) -> Result<i32, String> {
        let ended = self.until(|terminal| terminal.ended(begun), "did not end");
        ended.map_err(|late| format!("{late}\n{}", self.output(begun)))
    }

    /// Waits until the script has printed `text`.
    pub(super) fn wait_for(&mut self, begun: &Begun, text: &str) -> Result<(), String> {
        let shown = |terminal: &mut Self| match terminal.printed(begun.from).contains(text) {
            true => Some(Ok(())),
            false => terminal
                .ended(begun)
                .map(|code| Err(format!("it ended with {code}, and never said {text:?}"))),
        };
        self.until(shown, &format!("never said {text:?}"))?
    }

    /// Does what Ctrl-C does, and waits for the end; to be ended by it is a good end.
    pub(super) fn interrupt(&mut self, begun: &Begun) -> Result<i32, String> {
        for job in self.jobs().iter().filter(|job| !begun.before.contains(job)) {
            let _ =
                Command::new("kill").args(["-INT", "--", &format!("-{job}")]).stderr(Stdio::null()).status();
        }
        self.wait(begun).map(|code| if code == INTERRUPTED { 0 } else { code })
    }

    /// What a script has printed so far.
    pub(super) fn output(&self, begun: &Begun) -> String {
        self.printed(begun.from)
    }

    fn until<T>(&mut self, mut look: impl FnMut(&mut Self) -> Option<T>, late: &str) -> Result<T, String> {
        let begun = Instant::now();
        while begun.elapsed() < LIMIT {
            if let Some(found) = look(self) {
                return Ok(found);
            }
            sleep(PAUSE);
        }
        Err(format!("it {late} within {LIMIT:?}"))
    }

    /// A shell that is gone ended with the script's first command that failed.
    fn ended(&mut self, begun: &Begun) -> Option<i32> {
        let written = read(&begun.code).trim().parse().ok();
        let gone = || self.shell.try_wait().ok().flatten().map(|status| status.code().unwrap_or(-1));
        written.or_else(gone)
    }

    fn printed(&self, from: usize) -> String {
        read(&self.log).get(from..).unwrap_or_default().to_owned()
    }

    /// What the shell has started and not yet seen the end of; each leads a process group.
    fn jobs(&self) -> Vec<u32> {
        let shell = self.shell.id();
        let listed = read(Path::new(&format!("/proc/{shell}/task/{shell}/children")));
        listed.split_whitespace().filter_map(|job| job.parse().ok()).collect()
    }

    /// Signals all that was started here, whatever became of the shell; answers whether anything was.
    fn signal(&self, which: &str) -> bool {
        let session = self.shell.id().to_string();
        let sent = Command::new("pkill").args([which, "-s", &session]).status();
        sent.is_ok_and(|status| status.success())
    }
}

fn read(file: &Path) -> String {
    fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Everything that was started here is told to end, then made to.
impl Drop for Terminal {
    fn drop(&mut self) {
        let begun = Instant::now();
        self.signal("-TERM");
        while begun.elapsed() < FAREWELL {
            let _ = self.shell.try_wait();
            if !self.signal("-0") {
                return;
            }
            sleep(PAUSE);
        }
        self.signal("-KILL");
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::super::place::Grounds;
    use super::*;

    fn terminal() -> (Place, Terminal) {
        let place = Grounds::bare().place().unwrap();
        let terminal = Terminal::open(&place, "one").unwrap();
        (place, terminal)
    }

    #[test]
    fn folder_and_variables_carry_over_from_script_to_script() {
        let (_place, mut terminal) = terminal();
        let first = terminal.begin("mkdir a; cd a; b=c\n", false).unwrap();
        assert_eq!(terminal.wait(&first), Ok(0));
        let second = terminal.begin("basename $PWD; echo $b\n", false).unwrap();
        assert_eq!(terminal.wait(&second), Ok(0));
        assert_eq!(terminal.output(&second), "a\nc\n");
    }

    #[test]
    fn the_first_command_that_fails_ends_the_script() {
        let (_place, mut terminal) = terminal();
        let begun = terminal.begin("(exit 3)\necho on\n", false).unwrap();
        assert_eq!(terminal.wait(&begun), Ok(3));
        assert_eq!(terminal.output(&begun), "");
    }

    #[test]
    fn a_failure_that_is_expected_leaves_the_terminal_open() {
        let (_place, mut terminal) = terminal();
        let begun = terminal.begin("(exit 3)\n", true).unwrap();
        assert_eq!(terminal.wait(&begun), Ok(3));
        let next = terminal.begin("echo on\n", false).unwrap();
        assert_eq!(terminal.wait(&next), Ok(0));
    }

    #[test]
    fn an_interrupt_ends_what_runs_and_not_the_terminal() {
        let (_place, mut terminal) = terminal();
        let script = "bash -c 'trap \"exit 0\" INT; echo ready; while :; do sleep 0.01; done'\n";
        let begun = terminal.begin(script, false).unwrap();
        assert_eq!(terminal.wait_for(&begun, "ready"), Ok(()));
        assert_eq!(terminal.interrupt(&begun), Ok(0));
        let next = terminal.begin("bash -c 'echo set; sleep 1000'\n", true).unwrap();
        assert_eq!(terminal.wait_for(&next, "set"), Ok(()));
        assert_eq!(terminal.interrupt(&next), Ok(0));
        let last = terminal.begin("echo on\n", false).unwrap();
        assert_eq!(terminal.wait(&last), Ok(0));
    }
}
