//! What a driver makes known to those outside: how far the member is, its lease, its routes.

use std::sync::Arc;
use tenure_core::message::Notice;
use tracing::error;

use super::Driver;
use super::stage::{Last, Stage};
use crate::error::ErrorKind;
use crate::member::{Event, LeaseView};
use crate::router::Table;

impl Driver {
    pub(super) fn note_lease(&mut self, notice: &Notice) {
        match notice {
            Notice::Joined(_) => {
                self.joined = true;
                self.parts.workers.tell(Event::Joined);
            }
            Notice::Lapsed { reason, .. } => {
                self.joined = false;
                self.parts.workers.tell(Event::Lapsed(reason.clone()));
            }
            _ => {}
        }
    }

    /// Until the cluster is found, what can't get better by waiting is the answer of `start`.
    pub(super) fn note_stage(&mut self, notice: &Notice) {
        let hopeless = |kind, problem: String| Stage::Hopeless { kind, problem };
        let next = match notice {
            Notice::Found { .. } => Stage::Running,
            Notice::Unreadable(record) => hopeless(ErrorKind::Incompatible, record.to_string()),
            Notice::Rollback(what) => hopeless(ErrorKind::Incompatible, what.clone()),
            Notice::Refused(what) => {
                hopeless(ErrorKind::Denied, format!("the store refuses this member: {what}"))
            }
            _ => return,
        };
        self.parts.stage.send_if_modified(|stage| {
            let starting = !stage.has_started();
            if starting {
                *stage = next;
            }
            starting
        });
    }

    /// A ledger of many pages changes in many replies: the routes are drawn up once there is nothing else to do.
    pub(super) fn publish_routes(&mut self) {
        let known = self.parts.machine.members_revision();
        // A page may tell of a life before its record was read, which says where it is reached.
        self.routes_stale |= std::mem::replace(&mut self.members_known, known) != known;
        if !self.routes_stale || !self.parts.inbox.is_empty() {
            return;
        }
        self.routes_stale = false;
        let snapshot = self.parts.machine.snapshot(self.parts.clock.now());
        self.parts.routes.send_replace(Arc::new(Table::of(self.parts.shards, snapshot)));
    }

    /// Supervisors of work that asks no guard hear of each change.
    pub(super) fn publish_lease(&self) {
        let machine = &self.parts.machine;
        let view =
            LeaseView { valid_until: machine.lease().valid_until(), incarnation: machine.incarnation() };
        self.parts.term.send_if_modified(|told| std::mem::replace(told, view) != view);
    }

    /// The driver can't go on: it tells work, waiting calls and figures at once, and asks the machine no more.
    pub(super) fn give_up(&mut self, why: &str) {
        self.parts.machine.lease().close();
        self.parts.term.send_replace(LeaseView::default());
        self.parts.reporter.metrics.broken();
        let me = &self.parts.me;
        error!(member = %me, error = why, "the driver of this member can't go on; all guards are closed");
        let problem = format!(
            "the driver of {me} {why}; its guards are closed and its work is told to stop: report this, and start a new member"
        );
        self.parts.stage.send_replace(Stage::Hopeless { kind: ErrorKind::Internal, problem });
    }

    pub(super) fn finish(&mut self) {
        let Some(ending) = self.ending.take() else { return };
        self.parts.reporter.metrics.attached(false);
        let snapshot = self.parts.machine.snapshot(self.parts.clock.now());
        self.parts.stage.send_replace(Stage::Over(Arc::new(Last { ending, snapshot })));
    }
}
