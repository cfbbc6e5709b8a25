//! A member process: its work for each shard writes a beat every few milliseconds, for as long as its guard holds.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::{BoxError, Member, Shard};
use tokio::signal::unix::{SignalKind, signal};

/// The environment variable that makes a test or bench binary a member.
pub const VARIABLE: &str = "TENURE_FLEET_MEMBER";

/// The arguments by which a test binary started again lives as a member, if its module `storm` has a test for that.
pub const AGAIN: [&str; 3] = ["storm::member_process", "--exact", "--nocapture"];

/// The pause before a member that found its store out of reach is started again.
const START_PAUSE: Duration = Duration::from_millis(200);

/// What a member process is told.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Where the beats are.
    pub folder: PathBuf,
    /// The store, as this member reaches it.
    pub address: String,
    /// The member's name.
    pub id: String,
    /// How many shards the cluster has.
    pub shards: u32,
    /// How long a lease lasts.
    pub ttl: Duration,
    /// The pause between two beats of a shard.
    pub beat: Duration,
}

impl Spec {
    /// The specification as one line, for the environment.
    pub fn to_line(&self) -> String {
        let (ttl, beat) = (self.ttl.as_millis(), self.beat.as_micros());
        let Self { folder, address, id, shards, .. } = self;
        format!("{}\t{address}\t{id}\t{shards}\t{ttl}\t{beat}", folder.display())
    }

    /// The specification that this process was given, if it is to be a member.
    pub fn from_env() -> Option<Self> {
        let line = std::env::var(VARIABLE).ok()?;
        let mut parts = line.split('\t');
        let mut next = || parts.next().expect("six parts");
        Some(Self {
            folder: next().into(),
            address: next().into(),
            id: next().into(),
            shards: next().parse().expect("a shard count"),
            ttl: Duration::from_millis(next().parse().expect("milliseconds")),
            beat: Duration::from_micros(next().parse().expect("microseconds")),
        })
    }

    /// Each fleet is a cluster of its own: many may share a server.
    fn cluster(&self) -> String {
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("fleet-{}", folder.trim_start_matches('.'))
    }

    /// A store in the network may be out of reach when a member starts; a file never is.
    fn is_remote(&self) -> bool {
        self.address.contains("://")
    }
}

/// Lives as a member until SIGTERM, then leaves.
pub fn live(spec: &Spec) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let lived = runtime.expect("a runtime").block_on(run(spec));
    if let Err(error) = lived {
        eprintln!("{}: {error}", spec.id);
        std::process::exit(1);
    }
}

async fn run(spec: &Spec) -> Result<(), BoxError> {
    let mut terminate = signal(SignalKind::terminate())?;
    let member = tokio::select! {
        member = started(spec) => member?,
        _ = terminate.recv() => return Ok(()),
    };
    let journal = Arc::new(Journal::create(spec)?);
    let work = member.run(move |shard| beat(shard, Arc::clone(&journal)));
    tokio::select! {
        ended = work => return ended.map_err(Into::into),
        _ = terminate.recv() => {}
    }
    member.leave().await.map_err(Into::into)
}

/// Starts, and goes on trying where the store can be out of reach, as whoever supervises members does.
async fn started(spec: &Spec) -> Result<Member, BoxError> {
    loop {
        match start(spec).await {
            Err(error) if spec.is_remote() => eprintln!("{} can't start yet: {error}", spec.id),
            done => return done,
        }
        Clock::boot().sleep(START_PAUSE).await;
    }
}

async fn start(spec: &Spec) -> Result<Member, BoxError> {
    let store = tenure_stores::open(&spec.address).await?;
    let builder = Member::builder(store).cluster(spec.cluster()).shards(spec.shards);
    Ok(builder.member_id(spec.id.clone()).lease_ttl(spec.ttl).start().await?)
}

async fn beat(shard: Shard, journal: Arc<Journal>) -> Result<(), BoxError> {
    let clock = Clock::boot();
    while !shard.draining() {
        // The clock is read before the check: if the check holds, it held at that moment.
        let now = clock.now();
        shard.check()?;
        journal.write(&shard, now.as_nanos())?;
        clock.sleep(journal.pause).await;
    }
    Ok(())
}

/// Where one process writes its beats.
#[derive(Debug)]
struct Journal {
    file: File,
    pause: Duration,
}

impl Journal {
    fn create(spec: &Spec) -> std::io::Result<Self> {
        let path = spec.folder.join(format!("{}-{}.beats", spec.id, std::process::id()));
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file, pause: spec.beat })
    }

    /// One write for one line: the system keeps it whole, even if the process dies right after.
    fn write(&self, shard: &Shard, nanos: u64) -> std::io::Result<()> {
        let line = format!("{} {} {nanos}\n", shard.id(), shard.epoch());
        (&self.file).write_all(line.as_bytes())
    }
}
