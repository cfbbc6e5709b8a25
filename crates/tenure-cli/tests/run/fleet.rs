//! Members as people start them, and everything that lives below them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tenure::clock::Clock;

use crate::beat::{FOLDER, clinging, command, deserting, twins};
use crate::beats::Beats;

/// One `tenure run`.
#[derive(Debug)]
pub(crate) struct Member {
    child: Child,
    id: String,
}

impl Member {
    /// Sends a signal to the member alone.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Its warden; `None` if it has none, since it has just begun or is about to end.
    pub(crate) fn find_warden(&self) -> Option<Pid> {
        let reaper = self.find_reaper()?;
        below(reaper.as_raw_nonzero().get().unsigned_abs(), "__warden")
    }

    /// Its warden, which it has.
    pub(crate) fn warden(&self) -> Pid {
        self.find_warden().expect("a member that runs children has a warden")
    }

    /// Its reaper, if it has one.
    pub(crate) fn find_reaper(&self) -> Option<Pid> {
        below(self.child.id(), "__reaper")
    }

    /// Its reaper, which it has.
    pub(crate) fn reaper(&self) -> Pid {
        self.find_reaper().expect("a member that runs children has a reaper")
    }

    /// Itself.
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Kills member, reaper and warden at one instant, as `pkill -9 tenure` does.
    pub(crate) fn kill_all(&mut self) {
        let all = self.processes().map(|(_, pid)| pid);
        all.into_iter().for_each(|pid| kill_process(pid, Signal::KILL).unwrap());
        self.end();
    }

    /// The processes that it consists of, besides its children.
    pub(crate) fn processes(&self) -> [(&'static str, Pid); 3] {
        [("member", self.pid()), ("reaper", self.reaper()), ("warden", self.warden())]
    }

    /// Whether anything runs below it.
    pub(crate) fn is_busy(&self) -> bool {
        let pid = |warden: Pid| warden.as_raw_nonzero().get().unsigned_abs();
        self.find_warden().is_some_and(|warden| !children_of(pid(warden)).is_empty())
    }

    /// How many children with this command line run below it.
    pub(crate) fn count(&self, command: &[&str]) -> usize {
        let Some(warden) = self.find_warden() else { return 0 };
        let line = command.join("\0") + "\0";
        let children = children_of(warden.as_raw_nonzero().get().unsigned_abs());
        let runs_it =
            |pid: &u32| fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|of| of == line);
        children.iter().filter(|pid| runs_it(pid)).count()
    }

    /// Waits for its end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Waits for its end, which must come.
    pub(crate) fn end_soon(&mut self) -> ExitStatus {
        for _ in 0..600 {
            if let Some(status) = self.ended() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("after half a minute {} has not ended", self.id);
    }

    /// Whether it has ended, and how.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Kills it, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.end();
    }
}

/// Members on one store.
#[derive(Debug)]
pub(crate) struct Fleet {
    folder: TempDir,
    store: String,
    cluster: String,
    shards: usize,
    ttl: Duration,
    isolate: &'static str,
    drain: &'static str,
    beating: Vec<String>,
    pub(crate) members: Vec<Member>,
}

/// The same command, begun by a program that starts others.
pub(crate) fn under(starter: &[&str], run: &Command) -> Command {
    let mut command = Command::new(starter[0]);
    command.args(&starter[1..]).arg(run.get_program()).args(run.get_args());
    command.current_dir(run.get_current_dir().unwrap()).stdin(Stdio::null());
    command.envs(run.get_envs().map(|(name, value)| (name, value.unwrap())));
    command
}

impl Fleet {
    /// A fleet without members.
    pub(crate) fn new(shards: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (store, cluster) = ("sqlite:tenure.db".into(), "default".into());
        let (ttl, drain, isolate, beating) = (Duration::from_secs(2), "5s", "always", command().into());
        Self { folder, store, cluster, shards, ttl, isolate, drain, beating, members: Vec::new() }
    }

    /// The same fleet, whose records are there instead of in a file. Others may have theirs there too.
    pub(crate) fn on(mut self, store: String) -> Self {
        (self.store, self.cluster) = (store, format!("fleet-{:016x}", fastrand::u64(..)));
        self
    }

    /// The same fleet, whose members run without a namespace of their own.
    pub(crate) fn in_the_open(mut self) -> Self {
        self.isolate = "never";
        self
    }

    /// The same fleet, whose commands have workers that leave their session and close everything.
    pub(crate) fn of_deserters(mut self) -> Self {
        self.beating = deserting().into();
        self
    }

    /// The same fleet, whose commands end by force alone, after 200 ms; that of shard 0 is a long time in dying.
    pub(crate) fn of_clingers(mut self) -> Self {
        (self.beating, self.drain) = (clinging().into(), "200ms");
        self
    }

    /// The same fleet, with leases of `ttl` instead of 2 s.
    pub(crate) fn with_ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// The same fleet, with `count` members more.
    pub(crate) fn with_members(mut self, count: usize) -> Self {
        (0..count).for_each(|_| self.start());
        self
    }

    /// A fleet of `count` members that have settled.
    pub(crate) fn of(count: usize, shards: usize) -> Self {
        Self::new(shards).with_members(count).settled()
    }

    /// The same fleet, once every member has children.
    pub(crate) fn settled(self) -> Self {
        self.settle(|counts| counts.iter().all(|count| *count > 0));
        self
    }

    /// The command line of its children.
    pub(crate) fn beating(&self) -> Vec<String> {
        self.beating.clone()
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// How long a lease lasts.
    pub(crate) fn ttl(&self) -> Duration {
        self.ttl
    }

    /// `tenure run` on this fleet's store.
    pub(crate) fn tenure_run(&self, id: &str) -> Command {
        let mut run = Command::new(env!("CARGO_BIN_EXE_tenure"));
        run.current_dir(self.folder()).env(FOLDER, self.folder()).stdin(Stdio::null()).stdout(Stdio::null());
        run.env("TENURE_STORE", &self.store).env("TENURE_CLUSTER", &self.cluster);
        run.env("TENURE_TTL", format!("{}ms", self.ttl.as_millis()));
        run.env("TENURE_DRAIN", self.drain).env("TENURE_ISOLATE", self.isolate);
        run.args(["run", "--member", id]);
        run.args(["--shards", &self.shards.to_string(), "--history", &format!("{id}.jsonl")]);
        run
    }

    /// Starts one more member, whose children beat.
    pub(crate) fn start(&mut self) {
        let command = self.beating.clone();
        self.start_running(&command.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// Starts one more member that runs `command`.
    pub(crate) fn start_running(&mut self, command: &[&str]) {
        let member = self.spawn(format!("m{}", self.members.len()), command);
        self.members.push(member);
    }

    /// Starts one more member, whose children beat, and whose talk goes to the file that is returned.
    pub(crate) fn start_talking(&mut self) -> PathBuf {
        let id = format!("m{}", self.members.len());
        let path = self.folder().join(format!("{id}.log"));
        // The person who runs the tests may have chosen not to hear of hangups, and that is inherited.
        let mut run = under(&["env", "--default-signal=HUP"], &self.tenure_run(&id));
        run.stdout(Stdio::null()).stderr(fs::File::create(&path).unwrap()).arg("--").args(&self.beating);
        let child = run.spawn().unwrap();
        self.members.push(Member { child, id });
        path
    }

    /// Starts a member in the place of one that has ended.
    pub(crate) fn restart(&mut self, index: usize) {
        let command = self.beating.clone();
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        self.members[index] = self.spawn(self.members[index].id.clone(), &words);
    }

    fn spawn(&self, id: String, command: &[&str]) -> Member {
        let child = self.tenure_run(&id).arg("--").args(command).spawn().unwrap();
        Member { child, id }
    }

    /// Waits until `wish` is true of how many children with this command line run below each member.
    pub(crate) fn await_children(&self, command: &[&str], wish: impl Fn(&[usize]) -> bool) {
        for _ in 0..6000 {
            let counts: Vec<usize> = self.members.iter().map(|member| member.count(command)).collect();
            if wish(&counts) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("that many children did not come");
    }

    /// Waits until every shard beats below one of the members, and `wish` is true of how they are divided.
    pub(crate) fn settle(&self, wish: impl Fn(&[usize]) -> bool) -> Vec<usize> {
        let now = Clock::boot().now().as_nanos();
        for _ in 0..1200 {
            let counts = self.counts(now);
            if counts.iter().sum::<usize>() == self.shards && wish(&counts) {
                return counts;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("after a minute the shards beat like this: {:?} of {}", self.counts(now), self.shards);
    }

    fn counts(&self, nanos: u64) -> Vec<usize> {
        let latest = Beats::read(self.folder()).unwrap().latest();
        let beats_for = |id: &str| {
            let ours = |process: &str| process.rsplit_once('-').is_some_and(|(member, _)| member == id);
            latest.values().filter(|(process, at)| ours(process) && *at > nanos).count()
        };
        self.members.iter().map(|member| beats_for(&member.id)).collect()
    }

    /// Asserts that at no time a shard had two children.
    pub(crate) fn assert_exclusive(&self) -> Beats {
        let beats = Beats::read(self.folder()).unwrap();
        let violations = beats.violations();
        assert!(violations.is_empty(), "{violations:#?}");
        let twins = twins(self.folder());
        assert!(twins.is_empty(), "{twins:#?}");
        beats
    }

    /// Waits until each of these shards has beaten once more.
    pub(crate) fn hear_beats_of(&self, shards: std::ops::Range<u32>) {
        let now = Clock::boot().now().as_nanos();
        let beaten = |shard| Beats::read(self.folder()).unwrap().latest()[&shard].1 > now;
        while !shards.clone().all(beaten) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The member for whose shard there was the latest beat.
    pub(crate) fn owner_of(&self, shard: u32) -> usize {
        let latest = Beats::read(self.folder()).unwrap().latest();
        let id = latest[&shard].0.rsplit_once('-').unwrap().0.to_owned();
        self.members.iter().position(|member| member.id == id).unwrap()
    }

    /// What `tenure` says about this fleet's store.
    pub(crate) fn tenure(&self, words: &[&str]) -> Output {
        let mut tenure = Command::new(env!("CARGO_BIN_EXE_tenure"));
        tenure.env("TENURE_STORE", &self.store).env("TENURE_CLUSTER", &self.cluster);
        tenure.current_dir(self.folder()).args(words).output().unwrap()
    }

    /// What `tenure audit` says about the histories of all members; asserts that it proves them.
    pub(crate) fn audit(&self) -> String {
        let files: Vec<String> = self.members.iter().map(|member| format!("{}.jsonl", member.id)).collect();
        let words: Vec<&str> = std::iter::once("audit").chain(files.iter().map(String::as_str)).collect();
        let audit = self.tenure(&words);
        let told = String::from_utf8_lossy(&audit.stdout).into_owned();
        assert!(audit.status.success(), "{told}{}", String::from_utf8_lossy(&audit.stderr));
        told
    }

    /// Every process that was ever started in this fleet's folder and lives: members, wardens, children, grandchildren.
    pub(crate) fn living(&self) -> Vec<String> {
        self.marked().map(|path| told(&path)).collect()
    }

    fn marked(&self) -> impl Iterator<Item = PathBuf> {
        let mark = format!("{FOLDER}={}", self.folder().display());
        all_processes().into_iter().filter(move |path| is_marked(path, &mark))
    }

    /// Lets everything go on that is frozen, also the helpers of members that are long gone: with nothing to run they hold
    /// still for as long as they are frozen, and end when they wake.
    pub(crate) fn thaw(&self) {
        self.signal_all(Signal::CONT);
    }

    fn signal_all(&self, signal: Signal) {
        let pid = |path: &PathBuf| path.file_name()?.to_str()?.parse().ok().and_then(Pid::from_raw);
        for process in self.marked().filter_map(|path| pid(&path)) {
            // It may end meanwhile.
            let _ = kill_process(process, signal);
        }
    }

    /// Asks all members to leave, and asserts that nothing is left behind.
    pub(crate) fn leave_nothing(mut self) {
        for member in &mut self.members {
            if member.ended().is_none() {
                member.signal(Signal::TERM);
            }
        }
        self.members.iter_mut().for_each(|member| {
            member.end();
        });
        assert_eq!(self.living(), Vec::<String>::new());
    }
}

impl Drop for Fleet {
    /// A test that failed leaves nothing running.
    fn drop(&mut self) {
        for member in &mut self.members {
            let _ = member.child.kill();
            let _ = member.child.wait();
        }
        self.signal_all(Signal::KILL);
    }
}

/// The child of `process` that was started with `argument`.
fn below(process: u32, argument: &str) -> Option<Pid> {
    let found = children_of(process).into_iter().find(|pid| has_argument(*pid, argument));
    found.and_then(|pid| Pid::from_raw(pid.cast_signed()))
}

fn children_of(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| list.split(' ').filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

fn has_argument(process: u32, argument: &str) -> bool {
    let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
}

fn all_processes() -> Vec<PathBuf> {
    let entries = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let numbered = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(numbered))
        .map(|entry| entry.path())
        .collect()
}

fn is_marked(process: &Path, mark: &str) -> bool {
    let variables = fs::read(process.join("environ")).unwrap_or_default();
    variables.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
}

/// Whether any process of this machine was started with these words.
pub(crate) fn is_running(words: &str) -> bool {
    all_processes().iter().any(|path| told(path).ends_with(&format!(": {words} ")))
}

fn told(process: &Path) -> String {
    let line = fs::read_to_string(process.join("cmdline")).unwrap_or_default().replace('\0', " ");
    format!("{}: {line}", process.display())
}
