//! Random blows to scribes, and to whatever else a test can hurt.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tenure::clock::Clock;
use tenure::journal::{Author, Run};
use tenure_core::moment::Moment;
use tokio::runtime::Runtime;

use super::child::{AGAIN, JOURNALS, LINEAGE, Spec, VARIABLE, place, take_epoch};
use super::judge::{Findings, judge};
use super::page::{Mark, Page, remember};
use crate::fleet::storm::blows;
use crate::fleet::{Blow, Deck};

/// How many scribes there are.
pub const SCRIBES: usize = 8;

/// About three lines of a page.
const SOME_LINES: u64 = 64;

/// So long they get for that.
const PATIENCE: Duration = Duration::from_secs(4);

/// What can happen to one scribe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Card {
    Kill(usize),
    Freeze(usize),
    FreezeLong(usize),
    Hazard(usize),
}

/// One scribe process. Killed when it is dropped.
struct Scribe {
    child: Child,
    spec: Spec,
    thaws_at: Option<Moment>,
}

impl Scribe {
    fn start(spec: Spec) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("a path to ourselves"));
        command.args(AGAIN).env(VARIABLE, spec.to_line()).stdin(Stdio::null()).stdout(Stdio::null());
        Self { child: command.spawn().expect("we can start ourselves"), spec, thaws_at: None }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("our own child, not yet waited for");
    }
}

impl Drop for Scribe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Hazard {
    name: String,
    blow: Box<dyn Blow>,
    lasts: Range<u64>,
    heals_at: Option<Moment>,
}

/// Scribes, and what befalls them.
pub struct ScribeStorm {
    folder: PathBuf,
    clock: Clock,
    dice: fastrand::Rng,
    scribes: Vec<Scribe>,
    hazards: Vec<Hazard>,
    struck: BTreeSet<Card>,
}

impl ScribeStorm {
    /// Eight scribes, of which each by its number reaches the journals at `address`. The seed is `TENURE_SEED`, or always the same.
    pub fn new(folder: &Path, address: impl Fn(usize) -> String) -> Self {
        let seed = std::env::var("TENURE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(4711);
        println!("TENURE_SEED={seed}");
        let spec = |number: usize| Spec {
            folder: folder.into(),
            address: address(number),
            name: format!("scribe{number}"),
        };
        Self {
            folder: folder.into(),
            clock: Clock::boot(),
            dice: fastrand::Rng::with_seed(seed),
            scribes: (0..SCRIBES).map(|number| Scribe::start(spec(number))).collect(),
            hazards: Vec::new(),
            struck: BTreeSet::new(),
        }
    }

    /// The same storm with one more hazard, which lasts for that many milliseconds.
    pub fn with(mut self, name: impl Into<String>, lasts: Range<u64>, blow: impl Blow + 'static) -> Self {
        self.hazards.push(Hazard { name: name.into(), blow: Box::new(blow), lasts, heals_at: None });
        self
    }

    /// Strikes that often, or as often as is said from outside, then heals everything.
    pub fn rage(&mut self, usual: usize) {
        let each = (0..SCRIBES).flat_map(|at| [Card::Kill(at), Card::Freeze(at), Card::FreezeLong(at)]);
        let cards = each.chain((0..self.hazards.len()).map(Card::Hazard)).collect();
        let mut deck = Deck::new(cards, self.dice.fork());
        let blows = blows(usual);
        for blow in 0..2 * blows {
            if blow >= blows && self.unstruck() == 0 {
                break;
            }
            if let Some(card) = deck.deal(|card| self.can_strike(card)) {
                self.strike(card);
            }
            self.let_them_write();
        }
        self.end_what(|_| true);
        // Who was cut off or frozen finds out what became of its work.
        self.pass(Duration::from_secs(1));
    }

    /// A blow to scribes that have done nothing since the last one proves nothing: on a slow store, or a busy machine, they get time.
    fn let_them_write(&mut self) {
        let (before, pause) = (self.written(), Duration::from_millis(self.dice.u64(50..300)));
        self.pass(pause);
        let patience = self.clock.now() + PATIENCE;
        while self.written() < before + SOME_LINES && self.clock.now() < patience {
            self.pass(Duration::from_millis(20));
        }
    }

    /// How many bytes all scribes have written down.
    fn written(&self) -> u64 {
        Page::bytes_of_all(&self.folder).expect("a folder of pages")
    }

    fn unstruck(&self) -> usize {
        SCRIBES * 3 + self.hazards.len() - self.struck.len()
    }

    fn can_strike(&self, card: Card) -> bool {
        match card {
            Card::Kill(at) | Card::Freeze(at) | Card::FreezeLong(at) => self.scribes[at].thaws_at.is_none(),
            Card::Hazard(at) => self.hazards[at].heals_at.is_none() && self.hazards[at].blow.can_strike(),
        }
    }

    fn strike(&mut self, card: Card) {
        self.struck.insert(card);
        match card {
            Card::Kill(at) => self.scribes[at] = Scribe::start(self.scribes[at].spec.clone()),
            Card::Freeze(at) => self.freeze(at, 50..300),
            Card::FreezeLong(at) => self.freeze(at, 800..1_500),
            Card::Hazard(at) => {
                let (until, hazard) = (self.until(self.hazards[at].lasts.clone()), &mut self.hazards[at]);
                println!("{}", hazard.name);
                hazard.blow.strike();
                hazard.heals_at = Some(until);
            }
        }
    }

    fn freeze(&mut self, at: usize, lasts: Range<u64>) {
        self.scribes[at].signal(Signal::STOP);
        self.scribes[at].thaws_at = Some(self.until(lasts));
    }

    fn until(&mut self, lasts: Range<u64>) -> Moment {
        self.clock.now() + Duration::from_millis(self.dice.u64(lasts))
    }

    /// Lets time pass, and ends what is due.
    fn pass(&mut self, span: Duration) {
        let end = self.clock.now() + span;
        while self.clock.now() < end {
            std::thread::sleep(Duration::from_millis(5));
            let now = self.clock.now();
            self.end_what(|at| at <= now);
            for scribe in &mut self.scribes {
                let ended = scribe.child.try_wait().expect("our own child");
                assert_eq!(ended, None, "{} ended by itself", scribe.spec.name);
            }
        }
    }

    fn end_what(&mut self, is_due: impl Fn(Moment) -> bool) {
        for scribe in &mut self.scribes {
            if scribe.thaws_at.take_if(|at| is_due(*at)).is_some() {
                scribe.signal(Signal::CONT);
            }
        }
        for hazard in &mut self.hazards {
            if hazard.heals_at.take_if(|at| is_due(*at)).is_some() {
                hazard.blow.heal();
            }
        }
    }

    /// Ends all scribes, opens every journal once more at `address`, and judges. A storm that left something out proves nothing.
    pub fn prove(mut self, runtime: &Runtime, address: &str) {
        self.scribes.clear();
        let lines = Page::read_all(&self.folder).expect("readable pages");
        let histories = runtime.block_on(histories(&self.folder, address));
        let Findings { violations, stored, opened, fenced } = judge(&histories, &lines);
        let entries: usize = histories.values().map(Vec::len).sum();
        println!(
            "{entries} entries; {stored} records acknowledged, {opened} openings, {fenced} told of another"
        );
        assert_eq!(violations, Vec::<String>::new());
        assert_eq!(self.unstruck(), 0, "blows that never fell");
        assert!(stored > 100 && opened > SCRIBES && fenced > 0, "too little happened to prove anything");
    }
}

/// All that each journal holds, read by somebody new.
async fn histories(folder: &Path, address: &str) -> BTreeMap<u32, Vec<Mark>> {
    let journals = tenure_stores::open_journal(address).await.expect("the journals are there");
    let mut histories = BTreeMap::new();
    for number in 0..JOURNALS {
        let epoch = take_epoch(folder, number, 0).expect("an epoch");
        let author = Author { lineage: LINEAGE, epoch, run: Run(0) };
        let opened = journals.open(&place(number), author).await.expect("it can be opened");
        histories.insert(number, remember(&opened.kept));
    }
    histories
}
