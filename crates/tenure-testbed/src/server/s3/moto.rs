//! The server, and what tests do to it.

use std::path::Path;

use super::bucket::Door;
use super::{KEY, SECRET};
use crate::S3Program;
use crate::error::{Doing, Error};
use crate::http;
use crate::install::moto::Programs;
use crate::port::Port;
use crate::process::{Life, Order, Process};
use crate::ready;
use crate::server::struck::struck;
use crate::server::{Home, Left};

const PROGRAM: &str = include_str!("locked_moto.py");
const BUCKET: &str = "tenure";

/// One server. It ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    process: Process,
    port: Port,
    home: Home,
    key: Key,
    onlooker: Key,
}

/// Who is let in.
#[derive(Debug)]
struct Key {
    id: String,
    secret: String,
}

impl Key {
    /// Of a server that lets anybody in.
    fn anybody() -> Self {
        Self { id: KEY.into(), secret: SECRET.into() }
    }

    /// The one that a guarded server has left in its folder for `user`.
    fn left_in(home: &Home, user: &str) -> Result<Self, Error> {
        let path = home.path().join(format!("key-{user}"));
        let said = std::fs::read_to_string(&path).doing(|| format!("read {}", path.display()))?;
        let (id, secret) = said.split_once(' ').unwrap_or_default();
        Ok(Self { id: id.into(), secret: secret.replace('+', "%2B").replace('/', "%2F") })
    }
}

/// What only one user may do, in a bucket that is there.
#[derive(Clone, Copy, Debug)]
struct Guard<'a> {
    bucket: &'a str,
    policy: &'a str,
}

struck!(Server, process);

impl Server {
    /// Starts one without buckets.
    ///
    /// # Panics
    ///
    /// When it does not start; the message says why, and what to run when moto is not installed.
    pub async fn start() -> Self {
        Self::open(Life::Owned).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts one with a bucket, whose user has the rights that `policy` grants, in Amazon's words; and an onlooker those of them by
    /// which nothing changes.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub async fn guarded(bucket: &str, policy: &str) -> Self {
        let opened = Self::open_guarded(Guard { bucket, policy }).await;
        opened.unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) async fn open(life: Life) -> Result<Self, Error> {
        Self::launch(life, None).await
    }

    async fn open_guarded(guard: Guard<'_>) -> Result<Self, Error> {
        let server = Self::launch(Life::Owned, Some(guard)).await?;
        let (key, onlooker) = (Key::left_in(&server.home, "guest")?, Key::left_in(&server.home, "onlooker")?);
        Ok(Self { key, onlooker, ..server })
    }

    async fn launch(life: Life, guard: Option<Guard<'_>>) -> Result<Self, Error> {
        let (programs, home, port) = (Programs::find()?, Home::new("s3")?, Port::free()?);
        let process = Process::start(order(&programs.python, &home, &port, life, guard)?)?;
        let mut server = Self { process, port, home, key: Key::anybody(), onlooker: Key::anybody() };
        server.answered().await?;
        Ok(server)
    }

    /// `http://host:port`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.port.address())
    }

    /// What a store opens that keeps everything under `prefix` of `bucket`.
    pub fn url(&self, bucket: &str, prefix: &str) -> String {
        self.url_of(&self.key, bucket, prefix)
    }

    /// The same, for an onlooker.
    pub fn url_of_onlooker(&self, bucket: &str, prefix: &str) -> String {
        self.url_of(&self.onlooker, bucket, prefix)
    }

    fn url_of(&self, Key { id, secret }: &Key, bucket: &str, prefix: &str) -> String {
        Door { endpoint: &self.endpoint(), key: id, secret }.url(bucket, prefix)
    }

    /// Makes a bucket; one that is there stays.
    ///
    /// # Panics
    ///
    /// When the server refuses.
    pub async fn make_bucket(&self, name: &str) {
        make_bucket(&self.port.address(), name).await.unwrap_or_else(|problem| panic!("{problem}"));
    }

    /// Asks it in plain HTTP; answers the status.
    ///
    /// # Panics
    ///
    /// When it does not answer.
    pub async fn ask(&self, method: &str, path: &str) -> u16 {
        http::status(&self.port.address(), method, path).await.unwrap_or_else(|problem| panic!("{problem}"))
    }

    async fn answered(&mut self) -> Result<(), Error> {
        let address = self.port.address();
        // A guarded one refuses us, which is an answer.
        ready::ask(&mut self.process, async || http::status(&address, "GET", "/").await.map(drop)).await
    }

    /// Leaves it running, with the bucket that all share; answers what is to be known of it.
    pub(crate) async fn let_go(mut self) -> Result<Left, Error> {
        let (address, url) = (self.port.address(), self.url(BUCKET, "tenure"));
        make_bucket(&address, BUCKET).await.map_err(Error::Refused)?;
        let version = format!("moto {}", Programs::find()?.version()?);
        let processes = self.process.let_go().into_iter().collect();
        let s3 = Some(S3Program::Moto);
        Ok(Left { version, address, url, folder: self.home.let_go(), processes, s3 })
    }
}

fn order(
    python: &Path,
    home: &Home,
    port: &Port,
    life: Life,
    guard: Option<Guard<'_>>,
) -> Result<Order, Error> {
    let program = home.path().join("locked_moto.py");
    std::fs::write(&program, PROGRAM).doing(|| format!("write {}", program.display()))?;
    // One that outlives us is never started again.
    let journal = matches!(life, Life::Owned).then(|| "journal".to_owned());
    Ok(Order::new("moto", life, python, home.path())
        .args(["locked_moto.py".to_owned(), port.number().to_string()])
        .args(journal)
        .args(guard.into_iter().flat_map(|guard| [guard.bucket.to_owned(), guard.policy.to_owned()])))
}

/// Whether a server answers at `address`.
pub(crate) async fn answers(address: &str) -> bool {
    expect(address, "GET", "/").await.is_ok()
}

async fn make_bucket(address: &str, name: &str) -> Result<(), String> {
    expect(address, "PUT", &format!("/{name}")).await
}

async fn expect(address: &str, method: &str, path: &str) -> Result<(), String> {
    match http::status(address, method, path).await? {
        200 => Ok(()),
        other => Err(format!("{method} {path} at {address}: status {other}")),
    }
}
