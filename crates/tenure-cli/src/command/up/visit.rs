//! Visitors: those who watch the show on its page, and ask for something to happen.
//!
//! The stage alone touches processes. A wish waits for its turn there, and gets an answer in words.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tenure::MemberId;
use tenure_dashboard::view::{Measured, Process, Times};
use tenure_dashboard::{Blow as Wished, Playground};
use tokio::sync::{mpsc, oneshot};

use super::show::{Actor, Blow, End, Order, Plight, Show, name};
use super::tally::{Gaps, Tally};

/// So many wishes may wait.
const WAITING_MAX: usize = 16;

/// What came of a wish: what was done, or why not.
type Answer = Result<String, String>;

/// What visitors see.
#[derive(Debug, Default)]
struct Shown {
    processes: BTreeMap<MemberId, Process>,
    measured: Option<Measured>,
}

/// A wish, and whoever waits for its answer.
#[derive(Debug)]
pub(super) struct Wish {
    member: Option<MemberId>,
    blow: Wished,
    answer: oneshot::Sender<Answer>,
}

/// The visitors' side.
#[derive(Debug)]
pub(super) struct Window {
    wishes: mpsc::Sender<Wish>,
    shown: Arc<Mutex<Shown>>,
}

/// The stage's side.
#[derive(Debug)]
pub(super) struct Visitors {
    wishes: mpsc::Receiver<Wish>,
    shown: Arc<Mutex<Shown>>,
}

/// Both sides.
pub(super) fn doors() -> (Window, Visitors) {
    let (sender, wishes) = mpsc::channel(WAITING_MAX);
    let shown = Arc::new(Mutex::new(Shown::default()));
    (Window { wishes: sender, shown: Arc::clone(&shown) }, Visitors { wishes, shown })
}

#[async_trait::async_trait]
impl Playground for Window {
    fn processes(&self) -> BTreeMap<MemberId, Process> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).processes.clone()
    }

    fn measured(&self) -> Option<Measured> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).measured.clone()
    }

    async fn play(&self, member: Option<&MemberId>, blow: Wished) -> Answer {
        let (answer, answered) = oneshot::channel();
        let wish = Wish { member: member.cloned(), blow, answer };
        let over = |_| "the show is over".to_owned();
        self.wishes.send(wish).await.map_err(|error| over(error.to_string()))?;
        answered.await.map_err(|error| over(error.to_string()))?
    }
}

impl Visitors {
    /// The next wish, if one waits.
    pub(super) fn next(&mut self) -> Option<Wish> {
        self.wishes.try_recv().ok()
    }

    /// Shows how things stand.
    pub(super) fn show(&self, show: &Show) {
        let processes = show.cast.iter().map(|actor| (actor.id.clone(), process(actor))).collect();
        let shown = Shown { processes, measured: Some(measured(&show.tally)) };
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = shown;
    }
}

impl Wish {
    /// What it asks for, if that makes sense now.
    pub(super) fn order(&self, show: &Show) -> Result<Order, String> {
        let Some(id) = &self.member else { return Ok(Order::Add) };
        let actor = show.find(id);
        let blow = match (self.blow, actor) {
            (Wished::Start, Some(actor)) if actor.is_alive() => return Err(format!("{id} runs already")),
            (Wished::Start, Some(actor)) if actor.plight == Plight::Struck => {
                return Err(format!("{id} is about to end; try again in a moment"));
            }
            (Wished::Start, _) => return Ok(Order::Restart(id.clone())),
            (Wished::Kill, _) => Blow::Kill,
            (Wished::Freeze, _) => Blow::Freeze,
            (Wished::Thaw, _) => Blow::Thaw,
            (Wished::Cut, _) => Blow::Cut,
            (Wished::Mend, _) => Blow::Mend,
            (Wished::Stop, _) => Blow::Stop,
        };
        let actor = actor.ok_or_else(|| format!("{id} has no process here"))?;
        match actor.why_not(blow) {
            Some(reason) => Err(format!("{id} {reason}")),
            None => Ok(Order::Strike(id.clone(), blow)),
        }
    }

    /// Answers it.
    pub(super) fn answer(self, answer: Answer) {
        // Nobody may wait for it any more.
        let _ = self.answer.send(answer);
    }
}

/// An order that is carried out now, in words.
pub(super) fn told(order: &Order, show: &Show) -> String {
    match order {
        Order::Add => format!("{} is started", name(show.deeds.started)),
        Order::Restart(id) => format!("{id} is started again"),
        Order::Quit => "the show is over".into(),
        Order::Strike(id, Blow::Kill) => format!("{id} is killed"),
        Order::Strike(id, Blow::Freeze) => format!("{id} is frozen"),
        Order::Strike(id, Blow::Thaw) => format!("{id} goes on"),
        Order::Strike(id, Blow::Stop) => format!("{id} is told to leave"),
        Order::Strike(id, Blow::Cut) => format!("{id} is cut off from the store"),
        Order::Strike(id, Blow::Mend) => format!("{id} reaches the store again"),
    }
}

fn process(actor: &Actor) -> Process {
    match &actor.plight {
        Plight::Running => Process::Running,
        Plight::Frozen => Process::Frozen,
        Plight::Cut => Process::Cut,
        Plight::Struck | Plight::Ended(End::Killed) => Process::Killed,
        Plight::Ended(End::Left) => Process::Left,
        Plight::Ended(End::Failed(_)) => Process::Failed,
    }
}

fn measured(tally: &Tally) -> Measured {
    Measured {
        tenures: tally.tenures as u64,
        overlaps: tally.overlaps.len() as u64,
        failovers: times(&tally.failovers),
        moves: times(&tally.moves),
    }
}

fn times(gaps: &Gaps) -> Times {
    Times {
        count: gaps.count() as u64,
        median_ms: gaps.median().as_secs_f64() * 1e3,
        longest_ms: gaps.longest().as_secs_f64() * 1e3,
    }
}
