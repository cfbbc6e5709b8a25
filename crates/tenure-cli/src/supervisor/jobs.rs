//! The member's runs that have not ended: who waits for their ends, and which of them the warden has heard of.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use tenure_core::warden::{Ending, JobId, Order, Window, Work};
use tokio::sync::oneshot;

/// So many starts are on their way to the warden at once.
const IN_FLIGHT: usize = 32;

/// An order, and what goes with it.
pub(super) type Sent = (Order, Vec<OwnedFd>);

/// A run that has not ended.
#[derive(Debug)]
struct Open {
    work: Work,
    end: oneshot::Sender<Ending>,
    /// The order to start it, until it is sent.
    start: Option<Sent>,
    /// Whether its beginning stands in the history.
    begun: bool,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Jobs {
    open: BTreeMap<JobId, Open>,
    window: Window,
    over: bool,
}

impl Jobs {
    pub(super) fn new() -> Self {
        Self { open: BTreeMap::new(), window: Window::new(IN_FLIGHT), over: false }
    }

    /// A run is to be started.
    pub(super) fn add(
        &mut self,
        id: JobId,
        life: u64,
        work: Work,
        output: Vec<OwnedFd>,
        end: oneshot::Sender<Ending>,
    ) {
        if self.over {
            // The caller may be gone.
            let _ = end.send(Ending::Bereft);
            return;
        }
        let start = Some((Order::Start(id, life, work.clone()), output));
        self.open.insert(id, Open { work, end, start, begun: false });
        self.window.ask(id);
    }

    /// The next order to send.
    pub(super) fn send(&mut self) -> Option<Sent> {
        let id = self.window.send()?;
        self.open.get_mut(&id)?.start.take()
    }

    /// A run is not wanted any more. Says whether the warden never heard of it: then it has ended.
    pub(super) fn call_off(&mut self, id: JobId) -> bool {
        let unheard = self.window.cancel(id);
        if unheard {
            self.end(id, Ending::Refused);
        }
        unheard
    }

    /// A run stands in the history.
    pub(super) fn begun(&mut self, id: JobId) {
        self.window.landed(id);
        if let Some(open) = self.open.get_mut(&id) {
            open.begun = true;
        }
    }

    /// A run has ended.
    pub(super) fn end(&mut self, id: JobId, ending: Ending) {
        self.window.landed(id);
        if let Some(open) = self.open.remove(&id) {
            // The caller may be gone.
            let _ = open.end.send(ending);
        }
    }

    /// The warden is gone: all have ended, and no other will begin. `write` gets those whose end is not in the history.
    pub(super) fn close(&mut self, write: impl Fn(&Work)) {
        self.over = true;
        for open in std::mem::take(&mut self.open).into_values() {
            if open.begun {
                write(&open.work);
            }
            let _ = open.end.send(Ending::Bereft);
        }
    }

    /// Whether the warden is gone.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }
}
