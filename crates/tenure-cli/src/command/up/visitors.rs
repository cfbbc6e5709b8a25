//! Visitors: those who watch the show on its page, and ask for something to happen.
//!
//! The driver alone touches processes. A wish waits for its turn there, and gets an answer in words.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tenure::MemberId;
use tenure_dashboard::view::{Measured, Process, Times};
use tenure_dashboard::{Blow as Wished, Playground};
use tokio::sync::{mpsc, oneshot};

use super::show::{Blow, End, Order, ProcessState, Show, ShownMember, name};
use super::tally::{Gaps, Tally};

/// So many wishes may wait.
const WAITING_MAX: usize = 16;

/// So many of those that ended last can be started again, when the screen has long forgotten them.
const ENDED_KEPT: usize = 3;

/// What came of a wish: what was done, or why not.
type Answer = Result<String, String>;

/// What visitors see.
#[derive(Debug, Default)]
struct Shown {
    processes: BTreeMap<MemberId, Process>,
    measured: Option<Measured>,
}

/// A wish, and where its answer goes.
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

/// The driver's side.
#[derive(Debug)]
pub(super) struct Visitors {
    wishes: mpsc::Receiver<Wish>,
    shown: Arc<Mutex<Shown>>,
    /// Those that ended last.
    ended: Vec<(MemberId, Process)>,
}

/// Both sides.
pub(super) fn doors() -> (Window, Visitors) {
    let (sender, wishes) = mpsc::channel(WAITING_MAX);
    let shown = Arc::new(Mutex::new(Shown::default()));
    (Window { wishes: sender, shown: Arc::clone(&shown) }, Visitors { wishes, shown, ended: Vec::new() })
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
    pub(super) fn show(&mut self, show: &Show) {
        self.keep_ended(show);
        let members = show.members.iter().map(told_of);
        let processes = self.ended.iter().cloned().chain(members).collect();
        let shown = Shown { processes, measured: Some(measured(&show.tally)) };
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = shown;
    }

    fn keep_ended(&mut self, show: &Show) {
        self.ended.retain(|(id, _)| show.find(id).is_none());
        self.ended.extend(show.members.iter().filter(|member| !member.is_alive()).map(told_of));
        let over = self.ended.len().saturating_sub(ENDED_KEPT);
        self.ended.drain(..over);
    }
}

impl Wish {
    /// What it asks for, if that makes sense now.
    pub(super) fn order(&self, show: &Show) -> Result<Order, String> {
        let Some(id) = &self.member else { return Ok(Order::Add) };
        let member = show.find(id);
        let blow = match (self.blow, member) {
            (Wished::Start, Some(member)) if member.is_alive() => return Err(format!("{id} runs already")),
            (Wished::Start, Some(member)) if member.process == ProcessState::Struck => {
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
        let member = member.ok_or_else(|| format!("{id} has no process here"))?;
        match member.why_not(blow) {
            Some(reason) => Err(format!("{id} {reason}")),
            None => Ok(Order::Strike(id.clone(), blow)),
        }
    }

    /// Answers it.
    pub(super) fn answer(self, answer: Answer) {
        // The visitor may be gone.
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

fn told_of(member: &ShownMember) -> (MemberId, Process) {
    (member.id.clone(), process(member))
}

fn process(member: &ShownMember) -> Process {
    match &member.process {
        ProcessState::Running => Process::Running,
        ProcessState::Frozen => Process::Frozen,
        ProcessState::Cut => Process::Cut,
        ProcessState::Struck | ProcessState::Ended(End::Killed) => Process::Killed,
        ProcessState::Ended(End::Left) => Process::Left,
        ProcessState::Ended(End::Failed(_)) => Process::Failed,
    }
}

fn measured(tally: &Tally) -> Measured {
    Measured {
        tenures: tally.tenures as u64,
        overlaps: tally.overlaps.len() as u64,
        after_proof: times(&tally.proven),
        after_silence: times(&tally.silent),
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::show::Happening;
    use super::*;

    fn ended(show: &mut Show, number: usize) {
        show.handle(Happening::Started(name(number)));
        show.handle(Happening::Ended(name(number), End::Killed));
    }

    #[test]
    fn those_that_ended_last_can_be_started_again_when_the_screen_has_forgotten_them() {
        let (window, mut visitors) = doors();
        let mut show = Show::new(4, Duration::from_secs(2), true);
        (0..5).for_each(|number| ended(&mut show, number));
        visitors.show(&show);
        assert_eq!(window.processes().len(), 5);
        show.advance(Duration::from_secs(60));
        visitors.show(&show);
        assert!(show.members.is_empty());
        assert_eq!(window.processes().into_keys().collect::<Vec<_>>(), [name(2), name(3), name(4)]);

        show.handle(Happening::Started(name(3)));
        visitors.show(&show);
        assert_eq!(window.processes()[&name(3)], Process::Running);
    }
}
