//! `tenure run --listen` under those who mean it harm: slow clients, strange names, taken ports; and what a command must not know.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::fleet::Fleet;

/// A member that listens; it is killed when dropped.
struct Open {
    child: Child,
    place: String,
    /// Kept open: a process that speaks into a closed pipe fails.
    talk: BufReader<ChildStderr>,
}

impl Open {
    fn start(mut run: Command) -> Self {
        let mut child = run.stderr(Stdio::piped()).spawn().unwrap();
        let mut talk = BufReader::new(child.stderr.take().unwrap());
        let mut told = String::new();
        talk.read_line(&mut told).unwrap();
        let place = told.trim().strip_prefix("listening on http://").expect(&told).to_owned();
        Self { child, place, talk }
    }

    fn ask(&self, path: &str, host: &str) -> String {
        let port = self.place.rsplit_once(':').unwrap().1;
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nhost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn status(&self, path: &str, host: &str) -> u16 {
        self.ask(path, host).split(' ').nth(1).unwrap().parse().unwrap()
    }

    fn leave(mut self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait_until(is_so: impl Fn() -> bool) {
    while !is_so() {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// As many connections as will be taken, each with half a question on it.
fn half_open(place: &str, count: usize) -> Vec<TcpStream> {
    let address = place.parse().unwrap();
    let mut all = Vec::new();
    for _ in 0..count {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_secs(2)) else { break };
        let _ = stream.write_all(b"GET /livez HTTP/1.1\r\nhost: loc");
        all.push(stream);
    }
    all
}

#[test]
fn hundreds_of_slow_clients_keep_no_shard_from_starting_and_no_probe_from_an_answer() {
    let fleet = Fleet::new(2);
    let program = env!("CARGO_BIN_EXE_tenure");
    let words =
        "run --member ada --shards 2 --listen 127.0.0.1:0 --ttl 4s -- sh -c 'echo beat >>beats; sleep 0.1'";
    let mut shell = Command::new("sh");
    shell.current_dir(fleet.folder()).args(["-c", &format!("ulimit -n 200; exec {program} {words}")]);
    let ada = Open::start({
        shell.stdout(Stdio::null());
        shell
    });
    let beats = || std::fs::read_to_string(fleet.folder().join("beats")).unwrap_or_default().len();
    wait_until(|| beats() > 0);
    let slow = half_open(&ada.place, 600);
    assert!(slow.len() > 300, "only {} were taken", slow.len());
    let before = beats();
    // Both shards' commands end and are started again, with new pipes each time.
    wait_until(|| beats() > before + 5 * 20);
    for _ in 0..20 {
        assert_eq!(ada.status("/livez", "localhost"), 200);
        assert_eq!(ada.status("/readyz", "localhost"), 200);
        assert_eq!(ada.status("/metrics", "localhost"), 200);
    }
    drop(slow);
    ada.leave();
}

#[test]
fn a_taken_port_is_refused_before_anything_is_written() {
    let fleet = Fleet::new(1);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = taken.local_addr().unwrap().to_string();
    let mut run = fleet.tenure_run("ada");
    let output = run.args(["--listen", &place, "--", "sleep", "1000"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(&format!("can't listen on {place}; choose another --listen")), "{told}");
    let left: Vec<_> = std::fs::read_dir(fleet.folder()).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, Vec::<std::ffi::OsString>::new());
}

fn listening_on(fleet: &Fleet, address: &str, options: &[&str]) -> Open {
    let mut run = fleet.tenure_run("ada");
    run.args(["--listen", address]).args(options).args(["--", "sleep", "1000"]);
    Open::start(run)
}

#[test]
fn on_loopback_only_names_of_this_machine_are_answered_to() {
    let fleet = Fleet::new(1);
    let ada = listening_on(&fleet, "127.0.0.1:0", &["--host", "ada.example"]);
    for path in ["/livez", "/readyz", "/metrics", "/v1/status", "/v1/owner?key=a", "/v1/shards/0"] {
        assert_eq!(ada.status(path, "evil.example"), 403, "{path}");
        wait_until(|| ada.status(path, "localhost") == 200);
        assert_eq!(ada.status(path, "ada.example:1"), 200, "{path}");
    }
    assert!(ada.ask("/livez", "localhost").to_lowercase().contains("x-content-type-options: nosniff"));
    ada.leave();
}

#[test]
fn elsewhere_without_tokens_only_probes_are_answered_and_figures_if_that_is_said() {
    let fleet = Fleet::new(1);
    let mut ada = listening_on(&fleet, "0.0.0.0:0", &[]);
    let mut told = String::new();
    ada.talk.read_line(&mut told).unwrap();
    assert!(told.contains("only /livez and /readyz") && told.contains("--public-metrics"), "{told}");
    // As a kubelet asks: by the Pod's address.
    wait_until(|| ada.status("/readyz", "10.1.2.3:9090") == 200);
    assert_eq!(ada.status("/livez", "10.1.2.3:9090"), 200);
    assert_eq!(ada.status("/metrics", "10.1.2.3:9090"), 403);
    for path in ["/v1/status", "/v1/owner?key=a", "/v1/shards/0", "/v1/events"] {
        assert_eq!(ada.status(path, "10.1.2.3:9090"), 403, "{path}");
    }
    assert_eq!(ada.status("/livez", "evil.example"), 403);
    ada.leave();
    let ada = listening_on(&fleet, "0.0.0.0:0", &["--public-metrics"]);
    wait_until(|| ada.status("/metrics", "10.1.2.3:9090") == 200);
    assert_eq!(ada.status("/v1/status", "10.1.2.3:9090"), 403);
    ada.leave();
}

#[test]
fn elsewhere_tokens_without_a_certificate_are_refused_before_anything_is_written() {
    let fleet = Fleet::new(1);
    let tokens = fleet.folder().join("tokens");
    std::fs::write(&tokens, "eve 0123456789abcdef\n").unwrap();
    std::fs::set_permissions(&tokens, PermissionsExt::from_mode(0o600)).unwrap();
    let mut run = fleet.tenure_run("ada");
    run.args(["--listen", "0.0.0.0:0", "--token-file", "tokens", "--", "sleep", "1000"]);
    let output = run.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("--tls-cert"), "{told}");
    assert!(!fleet.folder().join("tenure.db").exists());
}

/// What the command of a member finds in its environment.
fn environment(fleet: &Fleet, options: &[&str]) -> String {
    let mut run = fleet.tenure_run("ada");
    run.args(options).args(["--", "sh", "-c", "env >found.part; mv found.part found; sleep 1000"]);
    for (name, value) in SECRETS {
        run.env(name, value);
    }
    run.env("WORKER_SETTING", "kept").env("TENURE_STORE", "sqlite:tenure.db").env("PGAPPNAME", "kept");
    let mut child = run.stderr(Stdio::null()).spawn().unwrap();
    let found = fleet.folder().join("found");
    wait_until(|| found.exists());
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    std::fs::read_to_string(&found).unwrap()
}

/// What a member may be given to reach its store, and no command needs to know.
const SECRETS: [(&str, &str); 9] = [
    ("TENURE_ETCD_PASSWORD", "hunter2-etcd"),
    ("TENURE_TOKEN_FILE", "hunter2-tokens"),
    ("AWS_SECRET_ACCESS_KEY", "hunter2-aws"),
    ("AWS_SESSION_TOKEN", "hunter2-session"),
    ("AZURE_STORAGE_ACCOUNT_KEY", "hunter2-azure"),
    ("GOOGLE_SERVICE_ACCOUNT_KEY", "hunter2-google"),
    ("PGPASSWORD", "hunter2-postgres"),
    ("KUBECONFIG", "hunter2-kube"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "key=hunter2-otel"),
];

#[test]
fn a_command_knows_nothing_of_what_opens_the_store() {
    let found = environment(&Fleet::new(1), &[]);
    assert!(!found.contains("hunter2"), "{found}");
    let ours: Vec<&str> = found.lines().filter(|line| line.starts_with("TENURE_")).collect();
    let named: Vec<&str> = ours.iter().map(|line| line.split('=').next().unwrap()).collect();
    for name in ["TENURE_CLUSTER", "TENURE_SHARD", "TENURE_SHARDS", "TENURE_EPOCH", "TENURE_MEMBER"] {
        assert!(named.contains(&name), "{name} is missing of {named:?}");
    }
    for name in ["TENURE_STORE", "TENURE_TTL", "TENURE_DRAIN"] {
        assert!(!named.contains(&name), "{name} is in {named:?}");
    }
    assert!(found.contains("WORKER_SETTING=kept") && found.contains("PATH="), "{found}");
}

#[test]
fn a_command_gets_what_is_passed_on_by_name_or_by_a_beginning() {
    let fleet = Fleet::new(1);
    let found = environment(&fleet, &["--pass-env", "TENURE_STORE", "--pass-env", "AWS_*"]);
    for line in ["TENURE_STORE=sqlite:tenure.db", "AWS_SECRET_ACCESS_KEY=hunter2-aws"] {
        assert!(found.lines().any(|found| found == line), "{line} is missing:\n{found}");
    }
    assert!(!found.contains("hunter2-azure") && !found.contains("hunter2-postgres"), "{found}");
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn a_history_is_for_its_owner_alone() {
    let fleet = Fleet::new(1);
    environment(&fleet, &[]);
    assert_eq!(mode(&fleet.folder().join("ada.jsonl")), 0o600);
}
