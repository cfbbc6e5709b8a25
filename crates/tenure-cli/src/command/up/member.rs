//! `tenure up-member`: one member of `tenure up`, as a process of its own. Not for people to type.
//!
//! Its work does nothing but write down when it acts. When a shard is to move, the work takes a moment to finish, so that one
//! sees it moving; it acts until then, so that this costs no time without an owner.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use tenure::clock::Clock;
use tenure::store::layer::faulty::{Faulty, Outage};
use tenure::{Event, Events, Fence, Member, MemberId, Shard, ShardId};
use tenure_core::moment::Moment;
use tokio::signal::unix::SignalKind;

use super::fleet;
use super::work_log::{self, WorkEntry, WorkLog};
use crate::exit::{Exit, Failure};
use crate::signals::StopSignals;
use crate::talk;

/// What a member is told when it is to reach the store no more, and when it may again.
pub(super) const CUT: &str = "cut";
pub(super) const MEND: &str = "mend";

/// The pause between two beats.
const BEAT: Duration = Duration::from_millis(5);
/// How long the work of a shard takes to finish.
const FINISH: Duration = Duration::from_millis(300);

/// What this program is called as to be one. No command of the program: neither completions nor the help offer it.
const CALLED: &str = "up-member";

/// Be one member of `tenure up`
#[derive(Debug, clap::Parser)]
#[command(name = "tenure up-member")]
pub(crate) struct MemberProcess {
    #[command(flatten)]
    pub(crate) talk: talk::Options,
    #[command(flatten)]
    pub(crate) args: Args,
}

impl MemberProcess {
    /// What was said, if this process was started to be one.
    pub(crate) fn called() -> Option<Self> {
        let mut words = std::env::args_os().skip(1).peekable();
        words.peek().is_some_and(|word| word == CALLED).then(|| Self::parse_from(words))
    }
}

/// Which member to be.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the cluster is
    #[arg(long)]
    pub(super) folder: PathBuf,
    /// Its name
    #[arg(long)]
    pub(super) id: MemberId,
    /// How many shards the cluster has
    #[arg(long)]
    pub(super) shards: u32,
    /// How long a lease lasts
    #[arg(long, value_parser = humantime::parse_duration)]
    pub(super) ttl: Duration,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let outage = Outage::new();
        listen_to_the_show(outage.clone());
        crate::runtime::block_on(self.live(outage))
    }

    /// Lives until SIGTERM, then leaves.
    async fn live(self, outage: Outage) -> Result<Exit, Failure> {
        let mut stops = StopSignals::listen_to(&[SignalKind::terminate()])?;
        let member = tokio::select! {
            member = self.start(outage) => member?,
            () = stops.next() => return Ok(Exit::Done),
        };
        let work = Work::new(self.work_log()?).run(member.events().await?);
        let mut work = tokio::spawn(work);
        tokio::select! {
            ended = &mut work => return told(ended),
            () = stops.next() => member.leave().await?,
        }
        told(work.await)
    }

    async fn start(&self, outage: Outage) -> Result<Member, Failure> {
        let store = tenure_stores::open(&fleet::store(&self.folder)).await?;
        let store = Faulty::new(store, 0).judged_by(outage);
        let builder = Member::builder(store).cluster(fleet::CLUSTER).shards(self.shards);
        Ok(builder.member_id(self.id.as_str()).lease_ttl(self.ttl).start().await?)
    }

    fn work_log(&self) -> Result<WorkLog, Failure> {
        let name = work_log::name(&self.id, std::process::id());
        WorkLog::create(&self.folder.join(name)).map_err(no_diary)
    }
}

/// The show holds the other end of our input, and signals; what it says there is done. On Linux the system ends
/// even a frozen process when the one that started it is gone.
fn listen_to_the_show(outage: Outage) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    std::thread::spawn(move || {
        for word in std::io::stdin().lock().lines().map_while(Result::ok) {
            match word.as_str() {
                CUT => outage.begin(),
                MEND => outage.end(),
                _ => {}
            }
        }
        std::process::exit(0);
    });
}

fn told(ended: Result<Result<(), Failure>, tokio::task::JoinError>) -> Result<Exit, Failure> {
    let ended = ended.map_err(|error| Failure::new(Exit::Bug, "the work panicked").because(error))?;
    ended.map(|()| Exit::Done)
}

fn no_diary(error: std::io::Error) -> Failure {
    Failure::new(Exit::Store, "can't write the log of the work; is the disk full?").because(error)
}

/// One shard in our hands.
struct Held {
    shard: Shard,
    entry: Option<WorkEntry>,
    finish: Option<Moment>,
}

/// The work for all shards of this process.
struct Work {
    clock: Clock,
    work_log: WorkLog,
    held: BTreeMap<ShardId, Held>,
}

impl Work {
    fn new(work_log: WorkLog) -> Self {
        Self { clock: Clock::boot(), work_log, held: BTreeMap::new() }
    }

    async fn run(mut self, mut events: Events) -> Result<(), Failure> {
        loop {
            tokio::select! {
                event = events.next() => match event {
                    Some(event) => self.take(event),
                    None => return Ok(()),
                },
                () = self.clock.sleep(BEAT) => {}
            }
            self.beat().map_err(no_diary)?;
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Gained(shard) => {
                self.held.insert(shard.id(), Held { shard, entry: None, finish: None });
            }
            Event::Draining { fence, .. } => {
                let finish = self.clock.now() + FINISH;
                self.with(fence, |held| held.finish = Some(finish));
            }
            Event::Resumed(fence) => self.with(fence, |held| held.finish = None),
            Event::Lost(fence) => self.held.retain(|_, held| held.shard.fence() != fence),
            _ => {}
        }
    }

    fn with(&mut self, fence: Fence, change: impl FnOnce(&mut Held)) {
        let held = self.held.get_mut(&fence.shard);
        held.filter(|held| held.shard.fence() == fence).map(change);
    }

    /// Acts for every shard, and lets go of those that have finished. What was done is on paper before the shard is free.
    fn beat(&mut self) -> std::io::Result<()> {
        self.held.values_mut().for_each(|held| act(held, &mut self.work_log, self.clock.now()));
        let finished: Vec<ShardId> =
            self.held.iter().filter(|(_, held)| self.is_finished(held)).map(|(id, _)| *id).collect();
        let entries = finished.iter().filter_map(|id| self.held[id].entry);
        entries.for_each(|entry| self.work_log.end(entry));
        self.work_log.write()?;
        finished.iter().for_each(|id| drop(self.held.remove(id)));
        Ok(())
    }

    fn is_finished(&self, held: &Held) -> bool {
        held.finish.is_some_and(|finish| finish <= self.clock.now())
    }
}

/// `now` was read before the guard is asked: if it holds, it held at that moment.
fn act(held: &mut Held, work_log: &mut WorkLog, now: Moment) {
    if !held.shard.holds() {
        return;
    }
    match held.entry {
        Some(entry) => work_log.act(entry, now.as_nanos()),
        None => held.entry = Some(work_log.begin(held.shard.fence(), now.as_nanos())),
    }
}
