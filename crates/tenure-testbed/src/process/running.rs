//! One process of a server, which tests kill, freeze, thaw and start again.

use std::path::PathBuf;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::guard::Guard;
use super::order::{Life, Order};
use super::table::{Identity, signal_family};
use crate::error::{Doing, Error};

/// How long a process may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(5);
const GLANCE: Duration = Duration::from_millis(5);

/// A process that runs, or that ran and can be started again. It ends when this is dropped, unless it was let go.
#[derive(Debug)]
pub(crate) struct Process {
    order: Order,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    _guard: Option<Guard>,
}

impl Process {
    pub(crate) fn start(order: Order) -> Result<Self, Error> {
        let mut process = Self { order, running: None };
        process.restart()?;
        Ok(process)
    }

    /// Starts it again; whatever ran before is killed first.
    pub(crate) fn restart(&mut self) -> Result<(), Error> {
        self.kill();
        let mut command = self.order.command()?;
        let child = command.spawn().doing(|| format!("start {} by {command:?}", self.order.name))?;
        let guard = (self.order.life == Life::Owned)
            .then(|| Guard::over(child.id(), self.order.folder()))
            .transpose();
        let mut running = Running { child, _guard: None };
        match guard {
            Ok(guard) => running._guard = guard,
            Err(error) => {
                running.kill();
                return Err(error);
            }
        }
        self.running = Some(running);
        Ok(())
    }

    /// Kills it and all that it started, at once.
    pub(crate) fn kill(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.kill();
        }
    }

    /// Freezes it and all that it started.
    pub(crate) fn stop(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on.
    pub(crate) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        if let Some(running) = &self.running {
            signal_family(running.leader(), signal);
        }
    }

    /// Whether it has not ended by itself and was not killed.
    pub(crate) fn is_running(&mut self) -> bool {
        self.running.as_mut().is_some_and(|running| matches!(running.child.try_wait(), Ok(None)))
    }

    /// Leaves it running; answers how to find it again.
    pub(crate) fn let_go(&mut self) -> Option<Identity> {
        self.running.take().and_then(|running| Identity::of(running.leader()))
    }

    pub(crate) fn name(&self) -> &str {
        &self.order.name
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.order.log()
    }

    /// Lets it tidy up and end; kills it where it does not.
    fn end(&mut self) {
        if let Some(farewell) = self.order.farewell {
            self.thaw();
            self.signal_leader(farewell);
            let begun = Instant::now();
            while self.is_running() && begun.elapsed() < FAREWELL {
                sleep(GLANCE);
            }
        }
        self.kill();
    }

    fn signal_leader(&self, signal: Signal) {
        let leader = self.running.as_ref().map(Running::leader).and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = leader {
            let _ = rustix::process::kill_process(pid, signal);
        }
    }
}

impl Running {
    /// The number of the process, and of the group that it leads.
    fn leader(&self) -> i32 {
        i32::try_from(self.child.id()).expect("the kernel's numbers of processes are below 2^22")
    }

    fn kill(&mut self) {
        signal_family(self.leader(), Signal::KILL);
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
