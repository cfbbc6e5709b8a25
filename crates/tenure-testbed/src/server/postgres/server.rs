//! The server, and what tests do to it.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

use super::options::Options;
use crate::certificate::Certificates;
use crate::error::{Doing, Error};
use crate::install::postgres::Programs;
use crate::port::Port;
use crate::process::{Life, Order, Process, User, run_in_background};
use crate::ready;
use crate::server::struck::struck;
use crate::server::{Home, Left};

/// One server. It ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    process: Process,
    port: Port,
    programs: Programs,
    options: Options,
    certificates: Option<Certificates>,
    home: Home,
}

struck!(Server, process);

impl Server {
    /// Starts one that asks clients for nothing.
    ///
    /// # Panics
    ///
    /// When it does not start; the message says why, and what to run when PostgreSQL is not installed.
    pub async fn start() -> Self {
        Self::start_with(Options::default()).await
    }

    /// Starts one that is set up so.
    ///
    /// # Panics
    ///
    /// When it does not start; the message says why, and what to run when PostgreSQL is not installed.
    pub async fn start_with(options: Options) -> Self {
        Self::open(options, Life::Owned).await.unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) async fn open(options: Options, life: Life) -> Result<Self, Error> {
        let (programs, home) = (Programs::find()?, Home::new("postgres")?);
        let certificates = options.tls.then(|| Certificates::make(home.path())).transpose()?;
        let user = User::are_we_root().then(|| User::named("postgres")).transpose()?;
        prepare(&programs, &options, &home, user).await?;
        let server = Self::launch(programs, options, certificates, home, life).await?;
        server.query("postgres", "create database tenure").await?;
        Ok(server)
    }

    /// Starts the server whose data lie in `home`.
    async fn launch(
        programs: Programs,
        options: Options,
        certificates: Option<Certificates>,
        home: Home,
        life: Life,
    ) -> Result<Self, Error> {
        let user = User::are_we_root().then(|| User::named("postgres")).transpose()?;
        let port = Port::free()?;
        let order =
            Order::new("postgres", life, &programs.postgres, home.path()).user(user).farewell(Signal::QUIT);
        let settings = settings(&port).into_iter().chain(options.settings(certificates.as_ref()));
        let order = order.args(["-D", "data"]).args(settings.flat_map(|setting| ["-c".into(), setting]));
        let process = Process::start(order)?;
        let mut server = Self { process, port, programs, options, certificates, home };
        server.answered().await?;
        Ok(server)
    }

    /// Starts a standby of this server, which follows it without being waited for. It must ask clients for nothing.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub async fn standby(&self) -> Self {
        self.follow().await.unwrap_or_else(|error| panic!("{error}"))
    }

    async fn follow(&self) -> Result<Self, Error> {
        let home = Home::new("postgres")?;
        copy(&self.programs, self.port(), &home).await?;
        Self::launch(self.programs.clone(), self.options.clone(), None, home, Life::Owned).await
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// What a store opens: the database `tenure`, as the user `postgres`, with the password if there is one.
    pub fn url(&self) -> String {
        self.url_of("tenure")
    }

    fn url_of(&self, database: &str) -> String {
        let secret =
            self.options.password.as_ref().map(|password| format!(":{password}")).unwrap_or_default();
        format!("postgres://postgres{secret}@{}/{database}", self.port.address())
    }

    /// What clients trust, where TLS was asked for.
    pub fn certificates(&self) -> Option<&Certificates> {
        self.certificates.as_ref()
    }

    pub(super) fn psql_program(&self) -> &Path {
        &self.programs.psql
    }

    /// Runs `sql` in the database `tenure`; answers the rows, a line each, their fields parted by `|`.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub async fn psql(&self, sql: &str) -> String {
        self.query("tenure", sql).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// All that the database `tenure` holds, as SQL that puts it back.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub async fn dump(&self) -> String {
        let mut command = Command::new(self.programs.postgres.with_file_name("pg_dump"));
        command.args(["--inserts", "-d", &self.url()]);
        run_in_background(command).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs what [`dump`](Self::dump) gave, in which there may be commands to psql itself.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub async fn put_back(&self, dump: &str) {
        let file = self.home.path().join("dump.sql");
        std::fs::write(&file, dump).unwrap_or_else(|error| panic!("can't write a dump: {error}"));
        let mut command = Command::new(&self.programs.psql);
        command.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", &self.url(), "-f"]).arg(file);
        run_in_background(command).await.map(drop).unwrap_or_else(|error| panic!("{error}"));
    }

    async fn query(&self, database: &str, sql: &str) -> Result<String, Error> {
        run_in_background(query(&self.programs.psql, &self.url_of(database), sql)).await
    }

    async fn answered(&mut self) -> Result<(), Error> {
        let (psql, url) = (self.programs.psql.clone(), self.url_of("postgres"));
        ready::ask(&mut self.process, async || {
            run_in_background(query(&psql, &url, "select 1"))
                .await
                .map(drop)
                .map_err(|error| error.to_string())
        })
        .await
    }

    /// Leaves it running; answers what is to be known of it.
    pub(crate) fn let_go(mut self) -> Result<Left, Error> {
        let version = self.programs.version()?;
        let processes = self.process.let_go().into_iter().collect();
        let (address, url) = (self.port.address(), self.url());
        Ok(Left { version, address, url, folder: self.home.let_go(), processes, s3: None })
    }
}

/// Whether a server answers at `url`.
pub(crate) async fn answers(url: &str) -> bool {
    let Ok(programs) = Programs::find() else { return false };
    run_in_background(query(&programs.psql, url, "select 1")).await.is_ok()
}

pub(super) fn query(psql: &Path, url: &str, sql: &str) -> Command {
    let mut command = Command::new(psql);
    command.env("PGCONNECT_TIMEOUT", "5");
    command.args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql]);
    command
}

/// Only the loopback, no socket in the file system, and no shared memory that would outlive a kill.
fn settings(port: &Port) -> Vec<String> {
    vec![
        "listen_addresses=127.0.0.1".into(),
        format!("port={}", port.number()),
        "unix_socket_directories=".into(),
        "dynamic_shared_memory_type=mmap".into(),
        "max_connections=200".into(),
    ]
}

/// Makes the folder of data.
async fn prepare(
    programs: &Programs,
    options: &Options,
    home: &Home,
    user: Option<User>,
) -> Result<(), Error> {
    let secret = home.path().join("password");
    std::fs::write(&secret, options.password.as_deref().unwrap_or("none"))
        .doing(|| "write a password".into())?;
    let mut command = Command::new(&programs.initdb);
    let method = if options.password.is_some() { "scram-sha-256" } else { "trust" };
    command.args(["-D", "data", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "-A", method]);
    command.arg("--pwfile=password").current_dir(home.path());
    if let Some(user) = user {
        home.give_to(user)?;
        command.uid(user.uid).gid(user.gid);
    }
    run_in_background(command).await.map(drop)
}

/// Copies the data of the server at `port`, as those of a standby of it.
async fn copy(programs: &Programs, port: u16, home: &Home) -> Result<(), Error> {
    let mut command = Command::new(programs.postgres.with_file_name("pg_basebackup"));
    let source = format!("postgres://postgres@127.0.0.1:{port}/");
    command.args(["-D", "data", "--write-recovery-conf", "--checkpoint=fast", "--no-sync", "-d", &source]);
    command.current_dir(home.path());
    if User::are_we_root() {
        let user = User::named("postgres")?;
        home.give_to(user)?;
        command.uid(user.uid).gid(user.gid);
    }
    run_in_background(command).await.map(drop)
}
