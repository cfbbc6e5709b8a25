//! Puts the show on: runs the processes, looks at the cluster, and tells the show what happens.
//!
//! Everything that must not outlive the show is owned here, and goes when this is dropped: by quitting, by a signal, by an
//! error or by a panic. The processes go first, then the folder that they write to.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use tenure::MemberId;
use tenure::clock::Clock;
use tenure_core::moment::Moment;

use super::cluster_view::Observer;
use super::fleet::{Fleet, Orders};
use super::interface::Interface;
use super::script::Script;
use super::show::{Happening, Order, Show, name};
use super::tally::{Endings, Tally};
use super::visitors::{Visitors, told};
use super::{fleet, work_log};
use crate::exit::{Exit, Failure};

/// The pause between two looks.
const LOOK: Duration = Duration::from_millis(50);
/// Every so many looks the work logs are added up.
const TALLY_EVERY: u32 = 5;

/// What the show is made of. Dropped in this order.
#[derive(Debug)]
pub(super) struct Driver {
    fleet: Fleet,
    observer: Observer,
    folder: TempDir,
    clock: Clock,
    began: Moment,
    script: Option<Script>,
    visitors: Visitors,
    pub(super) show: Show,
}

impl Driver {
    /// A driver with a store, and no members yet.
    pub(super) async fn set(show: Show, script: Option<Script>, visitors: Visitors) -> Result<Self, Failure> {
        // Other users of this machine may neither read it nor play along.
        let ours = Permissions::from_mode(0o700);
        let folder =
            tempfile::Builder::new().prefix("tenure-up-").permissions(ours).tempdir().map_err(no_folder)?;
        let observer = Observer::new(tenure_stores::open(&fleet::store(folder.path())).await?);
        let (shards, ttl) = (show.seats.len() as u32, show.ttl);
        let fleet = Fleet::new(Orders { folder: folder.path().to_owned(), shards, ttl });
        let clock = Clock::boot();
        Ok(Self { fleet, observer, folder, began: clock.now(), clock, script, visitors, show })
    }

    /// Where the cluster is kept.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Plays with `members` at the start, until it is over.
    pub(super) async fn play(&mut self, members: usize, interface: &mut Interface) -> Result<(), Failure> {
        for _ in 0..members {
            self.add()?;
        }
        for round in 0_u32.. {
            if self.round(round, interface).await? {
                break;
            }
        }
        self.close()
    }

    /// One round: wait for a key or a while, look, and show. True when it is over.
    async fn round(&mut self, round: u32, interface: &mut Interface) -> Result<bool, Failure> {
        let wish = interface.listen(&self.clock, LOOK).await?;
        self.show.advance(self.clock.now().since(self.began));
        let asked = wish.and_then(|press| self.show.press(press));
        let scripted = self.script.as_mut().and_then(|script| script.next(&self.show));
        let over = self.obey(asked)? | self.obey(scripted)?;
        self.hear_visitors()?;
        self.look().await?;
        self.visitors.show(&self.show);
        if round.is_multiple_of(TALLY_EVERY) {
            self.tally()?;
        }
        interface.tell(&mut self.show)?;
        Ok(over)
    }

    fn add(&mut self) -> Result<(), Failure> {
        // A name that was given by hand, to one that was started again, is left out.
        self.start(name(self.show.deeds.started))
    }

    fn start(&mut self, id: MemberId) -> Result<(), Failure> {
        self.fleet.start(&id).map_err(no_process)?;
        self.show.handle(Happening::Started(id));
        Ok(())
    }

    /// Does what is asked for; true if that is to end.
    fn obey(&mut self, order: Option<Order>) -> Result<bool, Failure> {
        match order {
            None => {}
            Some(Order::Quit) => return Ok(true),
            Some(Order::Add) => self.add()?,
            Some(Order::Restart(id)) => self.start(id)?,
            Some(Order::Strike(id, blow)) => {
                self.fleet.strike(&id, blow).map_err(no_process)?;
                self.show.handle(Happening::Struck(id, blow));
            }
        }
        Ok(false)
    }

    /// Does what visitors of the page ask for, if it makes sense.
    fn hear_visitors(&mut self) -> Result<(), Failure> {
        while let Some(wish) = self.visitors.next() {
            let order = wish.order(&self.show);
            let answer = match &order {
                Ok(order) => Ok(told(order, &self.show)),
                Err(reason) => Err(reason.clone()),
            };
            self.obey(order.ok())?;
            wish.answer(answer);
        }
        Ok(())
    }

    async fn look(&mut self) -> Result<(), Failure> {
        for (id, end) in self.fleet.reap() {
            self.show.handle(Happening::Ended(id, end));
        }
        let cluster_view = self.observer.look().await?;
        cluster_view.into_iter().for_each(|cluster_view| self.show.handle(Happening::Saw(cluster_view)));
        Ok(())
    }

    fn tally(&mut self) -> Result<(), Failure> {
        let now = self.clock.now().as_nanos();
        let work_logs = work_log::read_all(self.folder.path()).map_err(no_folder)?;
        let endings = Endings::of(self.began, &self.show.closings);
        self.show.handle(Happening::Tallied(Tally::of(&work_logs, &endings, now)));
        Ok(())
    }

    /// The last word of the work logs: they are read once more.
    fn close(&mut self) -> Result<(), Failure> {
        self.show.advance(self.clock.now().since(self.began));
        self.tally()
    }
}

fn no_folder(error: std::io::Error) -> Failure {
    Failure::new(Exit::Store, "can't use the temporary folder; set TMPDIR to one that can be written")
        .because(error)
}

fn no_process(error: std::io::Error) -> Failure {
    Failure::new(Exit::Store, "can't run a member process; raise the limit of processes").because(error)
}
