//! What can befall a server of a fleet's own: it is frozen, or killed and started again.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tenure_testbed::{kubernetes, postgres, s3};
use tokio::runtime::Handle;

use super::Blow;

/// A server that can be frozen: it keeps its connections and answers nothing.
pub trait Freeze {
    /// Freezes it.
    fn freeze(&self);

    /// Lets it go on.
    fn thaw(&self);
}

/// A server that keeps what it acknowledged when it is killed.
pub trait Kill {
    /// Kills it at once.
    fn kill(&mut self);

    /// Starts it again; returns when it answers.
    fn restart(&mut self, runtime: &Handle);
}

impl Freeze for kubernetes::Server {
    fn freeze(&self) {
        self.stop();
    }

    fn thaw(&self) {
        Self::thaw(self);
    }
}

impl Freeze for s3::Server {
    fn freeze(&self) {
        self.stop();
    }

    fn thaw(&self) {
        Self::thaw(self);
    }
}

impl Kill for kubernetes::Server {
    fn kill(&mut self) {
        Self::kill(self);
    }

    fn restart(&mut self, runtime: &Handle) {
        runtime.block_on(Self::restart(self));
    }
}

impl Kill for s3::Server {
    fn kill(&mut self) {
        Self::kill(self);
    }

    fn restart(&mut self, runtime: &Handle) {
        runtime.block_on(Self::restart(self));
    }
}

impl Kill for postgres::Server {
    fn kill(&mut self) {
        Self::kill(self);
    }

    fn restart(&mut self, runtime: &Handle) {
        runtime.block_on(Self::restart(self));
    }
}

/// A server that several blows are about, one at a time: a server that was killed can't be frozen.
#[derive(Debug)]
pub struct Target<Server>(Rc<Ailing<Server>>);

#[derive(Debug)]
struct Ailing<Server> {
    server: RefCell<Server>,
    hurt: Cell<bool>,
}

impl<Server> Target<Server> {
    /// A server that is well.
    pub fn new(server: Server) -> Self {
        Self(Rc::new(Ailing { server: RefCell::new(server), hurt: Cell::new(false) }))
    }

    /// The blow that freezes it.
    pub fn frozen(&self) -> Frozen<Server> {
        Frozen(Self(Rc::clone(&self.0)))
    }

    /// The blow that kills it; `runtime` waits until it is there again.
    pub fn killed(&self, runtime: &Handle) -> Killed<Server> {
        Killed { target: Self(Rc::clone(&self.0)), runtime: runtime.clone() }
    }

    fn befall(&self, hurt: bool, what: impl FnOnce(&mut Server)) {
        self.0.hurt.set(hurt);
        what(&mut self.0.server.borrow_mut());
    }

    fn is_well(&self) -> bool {
        !self.0.hurt.get()
    }
}

/// The server is frozen, and later goes on.
#[derive(Debug)]
pub struct Frozen<Server>(Target<Server>);

impl<Server: Freeze> Blow for Frozen<Server> {
    fn can_strike(&self) -> bool {
        self.0.is_well()
    }

    fn strike(&mut self) {
        self.0.befall(true, |server| server.freeze());
    }

    fn heal(&mut self) {
        self.0.befall(false, |server| server.thaw());
    }
}

/// The server is killed, and later started again.
#[derive(Debug)]
pub struct Killed<Server> {
    target: Target<Server>,
    runtime: Handle,
}

impl<Server: Kill> Blow for Killed<Server> {
    fn can_strike(&self) -> bool {
        self.target.is_well()
    }

    fn strike(&mut self) {
        self.target.befall(true, Kill::kill);
    }

    fn heal(&mut self) {
        self.target.befall(false, |server| server.restart(&self.runtime));
    }
}
