//! The guide's example of fencing by Kafka, on a real broker. It is fetched here, runs for this step alone, and needs Java:
//! so the step is one of those that only `--all` asks for.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::step::Outcome;
use crate::cargo::{root, run};

const EXAMPLE: &str = "crates/tenure-stores/examples/fence_kafka.py";
const CLIENT: &str = "confluent-kafka==2.16.1";

/// The broker's archives come by Maven, with all that they need.
const BROKER: &str = "\
<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tenure</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>3.9.1</version></dependency>
  </dependencies>
</project>
";

/// How long a broker may take to listen.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs the example; where a program that it needs is not installed, says which.
pub(crate) fn check() -> Outcome {
    match ["java", "mvn", "python3"].into_iter().find(|program| !is_installed(program)) {
        Some(absent) => Outcome::Skipped(format!("{absent} is not installed")),
        None => play().into(),
    }
}

fn is_installed(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

fn play() -> Result<(), String> {
    let (archives, python) = install().map_err(|error| error.to_string())?;
    let broker = Broker::start(&archives)?;
    let mut example = Command::new(python);
    example.arg(EXAMPLE).arg(&broker.address).current_dir(root());
    run(example)
}

/// The folder of the broker's archives, and a Python that has the client. Each is fetched once.
fn install() -> Result<(PathBuf, PathBuf), tenure_testbed::Error> {
    let archives = tenure_testbed::cached("kafka-3.9.1", |folder| {
        write(&folder.join("pom.xml"), BROKER)?;
        println!("$ mvn dependency:copy-dependencies, in {}", folder.display());
        let mut maven = Command::new("mvn");
        maven.args(["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"]);
        maven.current_dir(folder);
        run(maven)
    })?;
    Ok((archives, tenure_testbed::python_with(CLIENT)?))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("can't write {}: {error}", file.display()))
}

/// A broker that is its own controller, with its data in a temporary folder; it ends when it is dropped.
struct Broker {
    process: Child,
    address: String,
    _data: tempfile::TempDir,
}

impl Broker {
    fn start(folder: &Path) -> Result<Self, String> {
        let data = tempfile::tempdir().map_err(|error| format!("can't make a folder: {error}"))?;
        let (address, controller) = (free_address()?, free_address()?);
        let settings = data.path().join("server.properties");
        write(&settings, &properties(&address, &controller, data.path()))?;
        let settings = settings.display().to_string();
        run(java(
            folder,
            &["kafka.tools.StorageTool", "format", "-t", "AAAAAAAAAAAAAAAAAAAAAA", "-c", &settings],
        ))?;
        let started = java(folder, &["kafka.Kafka", &settings]).spawn();
        let process = started.map_err(|error| format!("can't start the broker: {error}"))?;
        let mut broker = Self { process, address, _data: data };
        broker.wait()?;
        Ok(broker)
    }

    fn wait(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        while TcpStream::connect(&self.address).is_err() {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Err(format!("the broker ended with {status}"));
            }
            if begun.elapsed() > LIMIT {
                return Err(format!("the broker does not listen after {LIMIT:?}"));
            }
            sleep(Duration::from_millis(100));
        }
        Ok(())
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn java(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("java");
    command.args(["-Xmx512m", "-cp", "lib/*"]).args(args).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn free_address() -> Result<String, String> {
    let bound = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    bound.map(|address| address.to_string()).map_err(|error| format!("can't find a free port: {error}"))
}

fn properties(address: &str, controller: &str, data: &Path) -> String {
    let data = data.join("log");
    format!(
        "process.roles=broker,controller\n\
         node.id=1\n\
         controller.quorum.voters=1@{controller}\n\
         listeners=PLAINTEXT://{address},CONTROLLER://{controller}\n\
         controller.listener.names=CONTROLLER\n\
         listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT\n\
         log.dirs={}\n\
         offsets.topic.replication.factor=1\n\
         transaction.state.log.replication.factor=1\n\
         transaction.state.log.min.isr=1\n\
         transaction.state.log.num.partitions=4\n\
         offsets.topic.num.partitions=4\n",
        data.display()
    )
}
