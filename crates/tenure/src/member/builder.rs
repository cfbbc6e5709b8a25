//! From settings and a store to a running member.

use std::sync::Arc;
use std::time::Duration;

use tenure_core::config::OnStuck;
use tenure_core::entropy::Entropy;
use tenure_core::ids::Process;
use tenure_core::member::Machine;
use tenure_core::plan::Placement;
use tenure_core::record::Key;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tracing::Instrument;

use super::handle::CountedStore;
use super::name::{fresh_bits, nameless};
use super::{LeaseView, LeaseWatch, Member, Puppet};
use crate::clock::Clock;
use crate::driver::{
    Calls, Deaths, Driver, Inbox, Input, Location, Parts, Reporter, Running, Stage, Workers,
};
use crate::error::{Error, ErrorKind};
use crate::metric::Metrics;
use crate::router::{Router, Table};
use crate::settings::{Checked, Settings};
use crate::store::layer::{Metered, Timeout};
use crate::store::{Registration, SharedStore, Store, StoreError, StoreErrorKind, probe};
use crate::watchdog::{Abort, Watchdog, watch_in_simulation};

/// Collects what a member is made of. The cluster's name and shard count must be said; the rest has defaults.
#[derive(Debug)]
#[must_use = "a member begins with start()"]
pub struct MemberBuilder {
    store: SharedStore,
    clock: Clock,
    settings: Settings,
    puppet: Option<Puppet>,
}

impl MemberBuilder {
    pub(super) fn new(store: SharedStore) -> Self {
        Self { store, clock: Clock::boot(), settings: Settings::default(), puppet: None }
    }

    /// Draws nothing from the system, and drives the member on the present runtime in place of a thread of its own.
    #[cfg(any(test, feature = "testing"))]
    #[doc(hidden)]
    pub fn puppet(mut self, puppet: Puppet) -> Self {
        self.puppet = Some(puppet);
        self
    }

    /// Takes all settings at once, in place of those given before.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The cluster: the members that divide one set of shards.
    pub fn cluster(mut self, name: impl Into<String>) -> Self {
        self.settings.cluster = name.into();
        self
    }

    /// How many shards the cluster has; the same for all members, for ever.
    pub fn shards(mut self, count: u32) -> Self {
        self.settings.shards = count;
        self
    }

    /// The member's name; only one process at a time can hold it.
    pub fn member_id(mut self, id: impl Into<String>) -> Self {
        self.settings.member_id = Some(id.into());
        self
    }

    /// This member's share of the shards, relative to the others.
    pub fn weight(mut self, weight: u32) -> Self {
        self.settings.weight = weight;
        self
    }

    /// The failure domain that this member runs in.
    pub fn zone(mut self, zone: impl Into<String>) -> Self {
        self.settings.zone = Some(zone.into());
        self
    }

    /// Where others reach this member: members tell it to those who ask for the owner of a key.
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.settings.address = Some(address.into());
        self
    }

    /// How long a lease lasts.
    pub fn lease_ttl(mut self, ttl: Duration) -> Self {
        self.settings.lease_ttl = ttl;
        self
    }

    /// Who should own what, if this member founds the cluster.
    pub fn placement(mut self, placement: Placement) -> Self {
        self.settings.placement = placement;
        self
    }

    /// What happens to interrupted work that does not end.
    pub fn on_stuck(mut self, on_stuck: OnStuck) -> Self {
        self.settings.on_stuck = on_stuck;
        self
    }

    /// Another clock than this machine's, for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Starts the member: checks the settings, checks that the store can be used, and finds or founds the cluster. Its shards'
    /// work runs on the present tokio runtime, its renewals on a thread of their own, which no work can hold up. It joins in
    /// the background; shards that come before [`Member::run`] or [`Member::events`] is called wait for it.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] names the setting that is wrong, or that differs from the cluster's.
    /// [`ErrorKind::Incompatible`]: the store, or a record in it, can't be used. [`ErrorKind::Denied`] and
    /// [`ErrorKind::Unavailable`]: what the store answered to the first calls, and went on answering for ten seconds.
    pub async fn start(self) -> Result<Member, Error> {
        let process = Process(self.puppet.as_ref().map_or_else(fresh_bits, |puppet| Ok(puppet.process))?);
        let mut checked = self.settings.checked(process, || nameless(process))?;
        checked.config.rules = self.puppet.as_ref().map_or(checked.config.rules, |puppet| puppet.rules);
        let start = Start::new(self.store, self.clock, process, &checked, self.puppet);
        let alive = start.prepare().await?;
        let member = start.launch(checked, alive)?;
        found(member).await
    }
}

/// How long the store may be busy before there is a lease: another process that was stopped in the middle of a write is no
/// reason not to start.
const PATIENCE: Duration = Duration::from_secs(10);
/// The pause before a busy store is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// A member that is about to start.
struct Start {
    store: Arc<CountedStore>,
    /// The same store, for calls that no lease waits for.
    patient: Timeout<SharedStore>,
    clock: Clock,
    location: Location,
    process: Process,
    puppet: Option<Puppet>,
}

impl Start {
    fn new(
        store: SharedStore,
        clock: Clock,
        process: Process,
        checked: &Checked,
        puppet: Option<Puppet>,
    ) -> Self {
        let limit = checked.config.timing.call_timeout;
        let patient = Timeout::new(Arc::clone(&store), clock.clone(), limit.max(PATIENCE));
        let timed = Timeout::new(store, clock.clone(), limit);
        let store = Arc::new(Metered::new(timed, clock.clone()).of_member(checked.config.id.clone()));
        Self { store, patient, clock, location: Location::of(&checked.cluster), process, puppet }
    }

    /// The store keeps its word, and this process can be told from a dead one, before its first record is written.
    async fn prepare(&self) -> Result<Option<Arc<dyn Registration>>, Error> {
        self.probe().await?;
        let Some(witness) = self.store.witness() else { return Ok(None) };
        Ok(Some(Arc::from(witness.register(self.process).await?)))
    }

    /// Asks a store that is busy again, for a while.
    async fn probe(&self) -> Result<(), StoreError> {
        let (name, until) = (format!("{}", self.process), self.clock.now() + PATIENCE);
        loop {
            match probe(&self.patient, self.location.prefix(), &name).await {
                Err(error) if is_passing(&error) && self.clock.now() < until => self.clock.sleep(PAUSE).await,
                answer => return answer,
            }
        }
    }

    fn launch(self, checked: Checked, alive: Option<Arc<dyn Registration>>) -> Result<Member, Error> {
        let puppet = self.puppet.clone();
        let entropy = Entropy::new(puppet.as_ref().map_or_else(fresh_bits, |puppet| Ok(puppet.entropy))?);
        let machine = Machine::new(checked.config.clone(), entropy);
        let running = Running::default();
        let watchdog = self.watchdog(&checked, &machine, &running)?;
        let (inbox, receiver) = mpsc::unbounded_channel();
        let (stage, stages) = watch::channel(Stage::Starting);
        let (routes, router) = Router::new(checked.config.shards);
        let (term, terms) = LeaseWatch::new();
        let metrics = Arc::new(Metrics::default());
        let member = Member {
            id: checked.config.id.clone(),
            inbox: inbox.clone(),
            stage: stages,
            router,
            clock: self.clock.clone(),
            lease: machine.lease().clone(),
            terms,
            alive: alive.clone(),
            metrics: Arc::clone(&metrics),
            store: Arc::clone(&self.store),
        };
        let runtime = Handle::current();
        let workers = Workers::new(
            checked.config.id.clone(),
            self.clock.clone(),
            inbox.clone(),
            running,
            alive,
            runtime,
            metrics.journals().clone(),
        );
        let channels = Channels { inbox, receiver, stage, routes, term };
        let parts = self.parts(checked, machine, workers, metrics, channels);
        let span = tracing::info_span!("member", member = %member.id);
        let driving = drive(Driver::new(parts), watchdog).instrument(span);
        match puppet {
            Some(_) => drop(tokio::spawn(driving)),
            None => office(driving)?,
        }
        Ok(member)
    }

    fn watchdog(
        &self,
        checked: &Checked,
        machine: &Machine,
        running: &Running,
    ) -> Result<Option<Watchdog>, Error> {
        if checked.config.on_stuck == OnStuck::Wait {
            return Ok(None);
        }
        let limit = checked.config.timing.abort_limit;
        let (lease, running, clock) = (machine.lease().clone(), running.clone(), self.clock.clone());
        if let Some(puppet) = &self.puppet {
            let aborted = Arc::clone(&puppet.aborted);
            tokio::spawn(watch_in_simulation(lease, running, clock, limit, aborted));
            return Ok(None);
        }
        let set = Watchdog::set(lease, running, clock, limit);
        set.map(Some).map_err(|error| {
            Error::new(ErrorKind::Unavailable, "no thread for the watchdog; raise the limit of threads")
                .because(error)
        })
    }

    fn parts(
        self,
        checked: Checked,
        machine: Machine,
        workers: Workers,
        metrics: Arc<Metrics>,
        channels: Channels,
    ) -> Parts {
        let config = checked.config;
        let store: SharedStore = self.store;
        let abort = self.puppet.map_or(Abort::Process, |puppet| Abort::Told(puppet.aborted));
        Parts {
            machine,
            abort,
            me: Key::Member(config.id.clone()),
            shards: config.shards,
            drift: config.timing.drift,
            margin: config.timing.margin,
            inbox: channels.receiver,
            hints: store.watch(self.location.prefix()),
            deaths: Deaths::new(store.witness(), self.process, channels.inbox.clone()),
            calls: Calls::new(store, self.location.clone(), channels.inbox),
            location: self.location,
            workers,
            reporter: Reporter::new(config.id, metrics, checked.retry_window),
            stage: channels.stage,
            routes: channels.routes,
            term: channels.term,
            clock: self.clock,
        }
    }
}

fn is_passing(error: &StoreError) -> bool {
    matches!(error.kind, StoreErrorKind::Unavailable | StoreErrorKind::Indeterminate)
}

/// The ends of a member's channels that its driver holds.
struct Channels {
    inbox: Inbox,
    receiver: mpsc::UnboundedReceiver<Input>,
    stage: watch::Sender<Stage>,
    routes: watch::Sender<Arc<Table>>,
    term: watch::Sender<LeaseView>,
}

/// A thread with a runtime of its own for what must go on whatever the user's work does: renewals first of all. Work that
/// blocks every thread of its own runtime does not cost the lease.
fn office(driving: impl Future<Output = ()> + Send + 'static) -> Result<(), Error> {
    let no_thread = |error| {
        Error::new(ErrorKind::Unavailable, "no thread for the member; raise the limit of threads")
            .because(error)
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(no_thread)?;
    let thread = std::thread::Builder::new().name("tenure-member".into());
    thread.spawn(move || runtime.block_on(driving)).map(drop).map_err(no_thread)
}

/// The watchdog stays until the driver is gone; then it stays as long as any work does.
async fn drive(driver: Driver, _watchdog: Option<Watchdog>) {
    driver.run().await;
}

/// Waits until the cluster is found and is what the settings say.
async fn found(member: Member) -> Result<Member, Error> {
    let mut stage = member.stage.clone();
    let started = stage.wait_for(Stage::has_started).await;
    let verdict = started.map_or_else(
        |_| Err(Error::new(ErrorKind::Internal, "the member's driver ended while it started; report this")),
        |stage| stage.verdict(),
    );
    verdict.map(|()| member)
}
