//! The handle to a running member.

use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use tenure_core::guard::Lease;
use tenure_core::ids::{MemberId, ShardId};
use tenure_core::member::Snapshot;
use tokio::sync::{oneshot, watch};

use super::{Events, LeaseWatch, MemberBuilder};
use crate::clock::Clock;
use crate::driver::{ComingShard, Command, Consumer, Handler, Inbox, Input, Stage};
use crate::error::{BoxError, Error, ErrorKind};
use crate::metric::{Figures, Metrics};
use crate::router::Router;
use crate::shard::{Fence, Shard};
use crate::store::layer::{Metered, Timeout};
use crate::store::{Registration, SharedStore, Store};

pub(super) type CountedStore = Metered<Timeout<SharedStore>>;

/// This process as a member of a cluster.
///
/// Dropping it without [`leave`](Self::leave) gives everything up at once: guards close, work is interrupted, and in the
/// background the member's record is closed, if the runtime lives long enough. What is owned next starts without a
/// handover; prefer to leave.
#[derive(Debug)]
pub struct Member {
    pub(super) id: MemberId,
    pub(super) inbox: Inbox,
    pub(super) stage: watch::Receiver<Stage>,
    pub(super) router: Router,
    pub(super) clock: Clock,
    pub(super) lease: Lease,
    pub(super) terms: LeaseWatch,
    pub(super) alive: Option<Arc<dyn Registration>>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) store: Arc<CountedStore>,
}

impl Member {
    /// A member that keeps its records in `store`. To share a store, pass an `Arc` of it.
    pub fn builder(store: impl Store) -> MemberBuilder {
        MemberBuilder::new(Arc::new(store))
    }

    /// The member's name.
    pub fn id(&self) -> &MemberId {
        &self.id
    }

    /// Calls `handler` once for each shard gained, in a task of its own, until the member has left.
    ///
    /// A handler that returns `Ok` has finished with its shard; one that fails or panics is called again after a pause. So is,
    /// at once, one that finished because its shard drained, if the move was called off meanwhile and the shard stays here.
    /// When the shard [drains](Shard::draining) it should finish and return; when it is lost, the handler's future is dropped
    /// at its next await. Either way the shard is released only after the future has ended and its [`Shard`] is dropped.
    ///
    /// If the future that `run` returns is dropped, the handlers go on.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if shards are taken care of already; otherwise why the member ended, if it didn't leave.
    pub async fn run<H, W>(&self, handler: H) -> Result<(), Error>
    where
        H: Fn(Shard) -> W + Send + Sync + 'static,
        W: Future<Output = Result<(), BoxError>> + Send + 'static,
    {
        self.attach(Consumer::Handler(working(handler))).await?;
        self.over().await
    }

    /// Like [`run`](Self::run), for shards that need to load something first. `warm` is called as soon as the shard is known to
    /// come, while its former owner still works: it may read, and must not act. What it returns goes to `handler`, or is
    /// dropped if the shard doesn't come after all. A journal is read so by [`ahead`](crate::journal::Journal::ahead), and opened
    /// by [`Shard::journal_after`].
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn run_warmed<T, L, F, H, W>(&self, warm: L, handler: H) -> Result<(), Error>
    where
        T: Send + 'static,
        L: Fn(Fence) -> F + Send + Sync + 'static,
        F: Future<Output = Result<T, BoxError>> + Send + 'static,
        H: Fn(Shard, T) -> W + Send + Sync + 'static,
        W: Future<Output = Result<(), BoxError>> + Send + 'static,
    {
        self.attach(Consumer::Handler(warmed(warm, handler))).await?;
        self.over().await
    }

    /// Ownership as a stream of events, for those who don't want handlers.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if shards are taken care of already; [`ErrorKind::Closed`] if the member has ended.
    pub async fn events(&self) -> Result<Events, Error> {
        let (sender, events) = Events::new();
        self.attach(Consumer::Stream(sender)).await?;
        Ok(events)
    }

    /// Leaves: hands every shard on, ends all work, and says so in the store. Completes when that is done, at the latest
    /// after the limits that were set for it.
    ///
    /// # Errors
    /// Why the member ended, if not by leaving.
    pub async fn leave(&self) -> Result<(), Error> {
        self.send(Command::Leave);
        self.over().await
    }

    /// Leaves without waiting for others to take over: all guards close now.
    ///
    /// # Errors
    /// Why the member ended, if not by leaving.
    pub async fn leave_at_once(&self) -> Result<(), Error> {
        self.send(Command::Hurry);
        self.over().await
    }

    /// Says which shards this member should own, where the placement is `external`.
    pub fn want(&self, shards: impl IntoIterator<Item = ShardId>) {
        self.send(Command::Want(shards.into_iter().collect()));
    }

    /// Everything that this member knows; after its end, what it knew last.
    ///
    /// # Errors
    /// [`ErrorKind::Closed`] if the member is gone without having told.
    pub async fn snapshot(&self) -> Result<Snapshot, Error> {
        let (answer, told) = oneshot::channel();
        self.send(Command::Snapshot(answer));
        if let Ok(snapshot) = told.await {
            return Ok(snapshot);
        }
        match &*self.stage.borrow() {
            Stage::Over(last) => Ok(last.snapshot.clone()),
            Stage::Starting | Stage::Running | Stage::Hopeless { .. } => Err(gone(&self.id)),
        }
    }

    /// Follows the lease: for those who must end work before it does, since that work asks no guard.
    pub fn lease(&self) -> LeaseWatch {
        self.terms.clone()
    }

    /// What keeps others from proving this process dead, where the store has such proof. Other processes that may act for
    /// this member's shards must share it.
    pub fn registration(&self) -> Option<&dyn Registration> {
        self.alive.as_deref()
    }

    /// The shard of a key.
    pub fn shard_of(&self, key: impl AsRef<[u8]>) -> ShardId {
        self.router.shard_of(key)
    }

    /// The member that owns a key's shard, as far as is known here, or the heir of an owner that has ended;
    /// `None` while nobody does.
    pub fn owner_of(&self, key: impl AsRef<[u8]>) -> Option<MemberId> {
        self.router.owner_of(key)
    }

    /// Where the owner of a key's shard is reached, as far as is known here, or the heir of an owner that has ended.
    pub fn address_of(&self, key: impl AsRef<[u8]>) -> Option<Arc<str>> {
        self.router.address_of(key)
    }

    /// Finds owners of keys; goes on working without this handle.
    pub fn router(&self) -> &Router {
        &self.router
    }

    /// The member's figures, for monitoring.
    pub fn metrics(&self) -> Figures {
        let lag = self.lease.valid_until().since(self.clock.now());
        self.metrics.figures(lag, self.store.snapshot())
    }

    async fn attach(&self, consumer: Consumer) -> Result<(), Error> {
        let (answer, answered) = oneshot::channel();
        self.send(Command::Attach(consumer, answer));
        answered
            .await
            .unwrap_or_else(|_| Err(self.stage.borrow().verdict().err().unwrap_or_else(|| gone(&self.id))))
    }

    /// Waits for the end.
    async fn over(&self) -> Result<(), Error> {
        let mut stage = self.stage.clone();
        let over = stage.wait_for(Stage::is_over).await;
        over.map_or_else(|_| Err(gone(&self.id)), |stage| stage.verdict())
    }

    /// A member that has ended wants nothing; callers that wait for an answer see its end.
    fn send(&self, command: Command) {
        let _ = self.inbox.send(Input::Command(command));
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.send(Command::Hurry);
    }
}

fn gone(id: &MemberId) -> Error {
    Error::new(ErrorKind::Closed, format!("member {id} has ended; start a new one"))
}

fn working<H, W>(handler: H) -> Handler
where
    H: Fn(Shard) -> W + Send + Sync + 'static,
    W: Future<Output = Result<(), BoxError>> + Send + 'static,
{
    let nothing = |_| std::future::ready(Ok(()));
    warmed(nothing, move |shard, ()| handler(shard))
}

fn warmed<T, L, F, H, W>(warm: L, handler: H) -> Handler
where
    T: Send + 'static,
    L: Fn(Fence) -> F + Send + Sync + 'static,
    F: Future<Output = Result<T, BoxError>> + Send + 'static,
    H: Fn(Shard, T) -> W + Send + Sync + 'static,
    W: Future<Output = Result<(), BoxError>> + Send + 'static,
{
    let both = Arc::new((warm, handler));
    Arc::new(move |coming: ComingShard| {
        let both = Arc::clone(&both);
        async move {
            let (warm, handler) = &*both;
            let loaded = warm(coming.fence).await?;
            let Some((shard, _hold)) = coming.shard().await else { return Ok(()) };
            handler(shard, loaded).await
        }
        .boxed()
    })
}
