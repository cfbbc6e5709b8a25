//! The show's state, and how it changes.

use std::time::Duration;

use tenure::MemberId;
use tenure_dashboard::view::{Kind, Marks};

use super::super::cluster_view::{ClusterView, Seat};
use super::super::tally::Tally;
use super::log::Log;
use super::{Blow, Closing, End, Happening, Order, Press, ProcessState, ShownMember, difference};

/// So long one that has ended, and holds nothing, stays in view.
const REMEMBERED: Duration = Duration::from_secs(10);

/// So long a shard is shown as one that has just changed hands.
const FRESH: Duration = Duration::from_millis(1200);

/// How many times something was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deeds {
    /// Members started.
    pub(crate) started: usize,
    /// Members killed.
    pub(crate) killed: usize,
    /// Members frozen.
    pub(crate) frozen: usize,
    /// Members told to leave.
    pub(crate) stopped: usize,
}

/// Everything that is to be seen.
#[derive(Clone, Debug)]
pub(crate) struct Show {
    /// The time since it began.
    pub(crate) now: Duration,
    /// How long a lease lasts.
    pub(crate) ttl: Duration,
    /// Whether keys are listened to.
    pub(crate) keys: bool,
    /// The address of the page that shows the same.
    pub(crate) page: Option<String>,
    /// The members, in the order of their keys.
    pub(crate) members: Vec<ShownMember>,
    /// The selected one: by name, for rows come and go.
    pub(crate) selected: Option<MemberId>,
    /// How lives ended that did not end as planned.
    pub(crate) closings: Vec<Closing>,
    marks: Marks,
    /// The shards.
    pub(crate) seats: Vec<Seat>,
    /// When each shard last changed hands.
    pub(crate) changed: Vec<Option<Duration>>,
    /// The last events.
    pub(crate) log: Log,
    /// What the work logs say.
    pub(crate) tally: Tally,
    /// What was done so far.
    pub(crate) deeds: Deeds,
}

impl Show {
    /// A show that has not begun.
    pub(crate) fn new(shards: u32, ttl: Duration, keys: bool) -> Self {
        Self {
            now: Duration::ZERO,
            ttl,
            keys,
            page: None,
            members: Vec::new(),
            selected: None,
            closings: Vec::new(),
            marks: Marks::default(),
            seats: vec![Seat::Vacant; shards as usize],
            changed: vec![None; shards as usize],
            log: Log::default(),
            tally: Tally::default(),
            deeds: Deeds::default(),
        }
    }

    /// Time has passed: it is `now`.
    pub(crate) fn advance(&mut self, now: Duration) {
        self.now = now;
        let forgotten =
            |member: &ShownMember| !member.is_alive() && member.holds == 0 && now > member.since + REMEMBERED;
        self.members.retain(|member| !forgotten(member));
        self.selected = self.selected.take().filter(|id| self.find(id).is_some());
    }

    /// Something happened.
    pub(crate) fn handle(&mut self, happening: Happening) {
        match happening {
            Happening::Started(id) => self.started(id),
            Happening::Struck(id, blow) => self.struck(&id, blow),
            Happening::Ended(id, end) => self.ended(&id, end),
            Happening::Saw(cluster_view) => self.saw(cluster_view),
            Happening::Tallied(tally) => self.tally = tally,
        }
    }

    fn say(&mut self, text: impl Into<String>) {
        self.log.add(self.now, text);
    }

    fn started(&mut self, id: MemberId) {
        self.say(format!("{id} started"));
        let now = self.now;
        match self.member(&id) {
            Some(member) => member.turn(ProcessState::Running, now),
            None => self.enter(id),
        }
        self.deeds.started += 1;
    }

    /// A new row, under the first free key. The first of all is selected.
    fn enter(&mut self, id: MemberId) {
        let key = (1..).find(|key| self.keyed(*key).is_none()).expect("there are more numbers than members");
        if self.deeds.started == 0 {
            self.selected = Some(id.clone());
        }
        let place = self.members.partition_point(|member| member.key < key);
        let mark = self.marks.of(&id);
        self.members.insert(place, ShownMember::new(id, mark, key, self.now));
    }

    fn keyed(&self, key: usize) -> Option<&ShownMember> {
        self.members.iter().find(|member| member.key == key)
    }

    fn struck(&mut self, id: &MemberId, blow: Blow) {
        let (said, count) = match blow {
            Blow::Kill => ("killed (SIGKILL)", Some(&mut self.deeds.killed)),
            Blow::Freeze => ("frozen (SIGSTOP)", Some(&mut self.deeds.frozen)),
            Blow::Thaw => ("thawed (SIGCONT)", None),
            Blow::Stop => ("told to leave (SIGTERM)", Some(&mut self.deeds.stopped)),
            Blow::Cut => ("cut off from the store", None),
            Blow::Mend => ("reaches the store again", None),
        };
        count.into_iter().for_each(|count| *count += 1);
        self.say(format!("{id} {said}"));
        let now = self.now;
        self.member(id).into_iter().for_each(|member| member.feel(blow, now));
    }

    fn ended(&mut self, id: &MemberId, end: End) {
        match &end {
            // A process that ends so frees the lock that it held all its life.
            End::Killed => self.close(id, Kind::Proof),
            End::Left => self.say(format!("{id} has left")),
            End::Failed(words) => {
                self.say(format!("{id} failed: {words}"));
                self.close(id, Kind::Proof);
            }
        }
        let now = self.now;
        self.member(id).into_iter().for_each(|member| member.turn(ProcessState::Ended(end.clone()), now));
    }

    fn close(&mut self, member: &MemberId, how: Kind) {
        self.closings.push(Closing { member: member.clone(), at: self.now, how });
    }

    fn saw(&mut self, cluster_view: ClusterView) {
        for (id, lease) in &cluster_view.leases {
            let now = self.now;
            let Some(member) = self.member(id) else { continue };
            let before = member.renew(lease, now);
            let news = difference::of_lease(member, before.as_ref(), lease);
            news.into_iter().for_each(|news| self.say(news));
            if before.is_some_and(|before| difference::is_given_up(&before, lease)) {
                self.close(id, Kind::Silence);
            }
        }
        if !cluster_view.seats.is_empty() {
            self.seat(cluster_view.seats);
        }
    }

    fn seat(&mut self, seats: Vec<Seat>) {
        for news in difference::of_seats(&self.seats, &seats) {
            self.say(news);
        }
        for (shard, changed) in self.changed.iter_mut().enumerate() {
            let [before, now] = [&self.seats, &seats].map(|seats| seats.get(shard).and_then(Seat::owner));
            *changed = if before == now { *changed } else { Some(self.now) };
        }
        for member in &mut self.members {
            member.holds = seats.iter().filter(|seat| seat.owner() == Some(&member.id)).count();
        }
        self.seats = seats;
    }

    fn member(&mut self, id: &MemberId) -> Option<&mut ShownMember> {
        self.members.iter_mut().find(|member| member.id == *id)
    }

    /// The member of this name.
    pub(crate) fn find(&self, id: &MemberId) -> Option<&ShownMember> {
        self.members.iter().find(|member| member.id == *id)
    }

    /// How many shards have no owner that runs.
    pub(crate) fn unserved(&self) -> usize {
        self.seats.iter().filter(|seat| !self.is_served(seat)).count()
    }

    /// Whether the shard's owner runs.
    pub(crate) fn is_served(&self, seat: &Seat) -> bool {
        seat.owner().and_then(|owner| self.find(owner)).is_some_and(ShownMember::is_running)
    }

    /// Whether the shard has just changed hands.
    pub(crate) fn is_fresh(&self, shard: usize) -> bool {
        self.changed.get(shard).copied().flatten().is_some_and(|changed| self.now < changed + FRESH)
    }

    /// Whether every shard has an owner that runs, and none is to move.
    pub(crate) fn is_settled(&self) -> bool {
        self.unserved() == 0 && self.seats.iter().all(|seat| matches!(seat, Seat::Held(_)))
    }

    /// A key was pressed.
    pub(crate) fn press(&mut self, press: Press) -> Option<Order> {
        match press {
            Press::Quit => Some(Order::Quit),
            _ if !self.keys => None,
            Press::Up => self.select(self.place().unwrap_or(self.members.len()).checked_sub(1)),
            Press::Down => self.select(Some(self.place().map_or(0, |place| place + 1))),
            Press::Select(key) => self.select(self.members.iter().position(|member| member.key == key)),
            Press::Strike(blow) => self.strike(blow),
            Press::Add => Some(Order::Add),
        }
    }

    /// The selected one's place among the members.
    pub(crate) fn place(&self) -> Option<usize> {
        let selected = self.selected.as_ref()?;
        self.members.iter().position(|member| member.id == *selected)
    }

    fn select(&mut self, place: Option<usize>) -> Option<Order> {
        if let Some(member) = place.and_then(|place| self.members.get(place)) {
            self.selected = Some(member.id.clone());
        }
        None
    }

    /// What makes no sense is refused with the reason.
    fn strike(&mut self, blow: Blow) -> Option<Order> {
        let Some(member) = self.selected.as_ref().and_then(|id| self.find(id)) else {
            self.say("nobody is selected; choose one with the arrows or its number");
            return None;
        };
        let id = member.id.clone();
        match member.why_not(blow) {
            Some(reason) => self.say(format!("{id} {reason}")),
            None => return Some(Order::Strike(id, blow)),
        }
        None
    }
}
