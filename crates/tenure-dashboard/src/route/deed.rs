//! Doing a deed: written down before, done in a task of its own, and written down again when it is over.
//!
//! The client may have hung up by then. That ends their wait, not the deed: what was begun is ended and told, so that the audit
//! log never leaves open what came of it.

use std::future::Future;
use std::sync::Arc;

use tenure::Cluster;
use tenure::cluster::Act;

use super::act::failed;
use crate::audit::{Stage, Stakes};
use crate::guard::Who;
use crate::json::JsonAnswer;
use crate::shared::Shared;
use crate::view::{Acted, Deed, DeedKind, Problem, ProblemKind};

/// The way by which deeds come from here.
const BY: &str = "dashboard";

/// The most characters of a reason.
const WHY_MAX: usize = 500;

impl Shared {
    /// The cluster, to steer it.
    pub(super) async fn cluster(&self) -> Result<Cluster, Problem> {
        let found = Cluster::find(Arc::clone(&self.store), &self.cluster).await;
        let absent = || Problem::new(ProblemKind::Refused, "there is no such cluster in the store yet");
        found.map_err(|error| failed(&error))?.ok_or_else(absent)
    }

    /// Does it: written down before, and again when it is over, whatever came of it, and also if the client is gone.
    pub(super) async fn act<F>(
        self: &Arc<Self>,
        who: Who,
        what: DeedKind,
        why: String,
        act: impl FnOnce(Arc<Self>) -> F,
    ) -> Result<JsonAnswer<Acted>, Problem>
    where
        F: Future<Output = Result<Acted, Problem>> + Send + 'static,
    {
        let (at_ms, why) = (self.now_ms(), reason(why)?);
        let entry = Act::new(who.name.as_str(), BY, &what.to_string(), &why, at_ms)
            .map_err(|error| failed(&error))?;
        let deed = Deed { id: entry.id, at_ms, who: entry.who, by: entry.by, what, why, refused: None };
        self.write_down(Stage::Asked, &deed)?;
        let act = tokio::spawn(act(Arc::clone(self)));
        let shared = Arc::clone(self);
        let ended = self.deeds.spawn(async move {
            let came = act.await.unwrap_or_else(|_| Err(lost()));
            shared.finish(deed, &came).await;
            came
        });
        ended.await.unwrap_or_else(|_| Err(lost())).map(JsonAnswer)
    }

    async fn finish(&self, deed: Deed, came: &Result<Acted, Problem>) {
        let refused = came.as_ref().err().map(|problem| problem.message.clone());
        let stage = if refused.is_some() { Stage::Refused } else { Stage::Done };
        let deed = Deed { refused, ..deed };
        // It is over: that it could not be written down again changes nothing of it.
        let _ = self.write_down(stage, &deed);
        self.write_into_store(&deed).await;
        self.tell(|board, _| board.did(deed));
    }

    fn write_down(&self, stage: Stage, deed: &Deed) -> Result<(), Problem> {
        let stakes = if self.setup.playground.is_some() { Stakes::Play } else { Stakes::Real };
        self.setup.audit.write(stage, deed, stakes).map_err(|error| {
            tracing::error!(%error, "a deed could not be written down");
            Problem::new(
                ProblemKind::Unavailable,
                format!("{error}; nothing is done that is not written down"),
            )
        })
    }

    /// Beside the deeds of those who use the command line, for everybody who looks after the cluster.
    async fn write_into_store(&self, deed: &Deed) {
        if matches!(deed.what, DeedKind::Play { .. }) {
            return;
        }
        let Ok(mut cluster) = self.cluster().await else { return };
        let Deed { id, at_ms, who, by, why, refused, what } = deed.clone();
        let came = Some(refused.map_or(Ok(()), Err).into());
        let act = Act { id, at_ms, who, by, what: what.to_string(), why, came };
        if let Err(error) = cluster.write_down(&act).await {
            tracing::warn!(%error, "a deed could not be written into the store; the audit log has it");
        }
    }
}

fn lost() -> Problem {
    Problem::new(ProblemKind::Unavailable, "a bug ended it; look at the cluster for whether it was done")
}

fn reason(why: String) -> Result<String, Problem> {
    let why = why.trim().to_owned();
    match why.chars().count() {
        0 => Err(Problem::new(ProblemKind::Invalid, "say why: that is written down")),
        count if count > WHY_MAX => {
            Err(Problem::new(ProblemKind::Invalid, format!("a reason has at most {WHY_MAX} characters")))
        }
        _ => Ok(why),
    }
}
