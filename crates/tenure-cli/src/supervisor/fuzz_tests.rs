//! I7 for what a member and its helpers tell each other: whatever comes over a socket, or stands on the slate, breaks neither side.

use std::time::Duration;

use tenure_core::ids::{Epoch, ShardId};
use tenure_core::moment::Moment;
use tenure_core::warden::{
    Action, Actions, Ending, Event, JobId, Machine, Order, Pulse, Report, Term, Vigil, Vote, Work,
};
use tenure_fuzz::Target;
use tokio::sync::oneshot;

use super::jobs::Jobs;
use super::slate::{Helper, Slate};
use super::wakefulness::Wakefulness;
use super::wire::Wire;

const ALLOWANCE: Duration = Duration::from_millis(100);
const NOW: Moment = Moment::from_nanos(1_000_000_000_000);
const TERM: Term = Term { life: 1, until: Moment::from_nanos(1_002_000_000_000) };

fn work() -> Work {
    let traceparent = Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".into());
    Work { shard: ShardId(3), epoch: Epoch(7), incarnation: "a#00000001.1".into(), traceparent }
}

/// What the other end of a wire makes of these bytes.
fn received<M: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<M> {
    let (here, there) = Wire::pair().unwrap();
    // Longer ones than a socket takes never come.
    here.send_bytes(bytes).ok()?;
    there.try_receive::<M>().ok().flatten().map(|packet| packet.message)
}

/// A warden with a job that runs, which hears of the order and then of the end of all that it began.
fn obeys(order: Order) {
    let (mut machine, mut out) = (Machine::new(ALLOWANCE), Actions::new());
    machine.lease(NOW, TERM, &mut out);
    machine.handle(NOW, Event::Ordered(Order::Start(JobId(1), 1, work())), &mut out);
    machine.begin(NOW, true, &mut out);
    machine.handle(NOW, Event::Ordered(order), &mut out);
    machine.begin(NOW, true, &mut out);
    let (began, mut ended) = (started(&out), Actions::new());
    for job in &began {
        machine.handle(NOW, Event::Exited(*job, Ending::Exited(0)), &mut ended);
        machine.handle(NOW, Event::Gone(*job), &mut ended);
    }
    let told = |job: &JobId| {
        ended.iter().any(|action| matches!(action, Action::Tell(Report::Ended(of, _)) if of == job))
    };
    assert!(began.iter().all(told), "a job began whose end is never told: {began:?} {ended:?}");
    machine.handle(NOW, Event::Orphaned, &mut ended);
    assert_eq!(machine.deadline(), None, "nothing is left to end");
}

fn started(actions: &Actions) -> std::collections::BTreeSet<JobId> {
    let job = |action: &Action| if let Action::Start(job, _) = action { Some(*job) } else { None };
    actions.iter().filter_map(job).collect()
}

#[test]
fn fuzz_order() {
    let start = Order::Start(JobId(2), 1, work());
    let whole = [Order::Hello, start, Order::Terminate(JobId(1)), Order::Kill(JobId(1)), Order::Look];
    let whole = whole.map(|order| serde_json::to_vec(&order).unwrap());
    Target::new("order", whole).run(|bytes| received(bytes).map(obeys).is_some());
}

/// A member with a run under way, which hears of the report.
fn hears(report: Report) {
    let (mut jobs, (end, mut ended)) = (Jobs::new(), oneshot::channel());
    jobs.add(JobId(1), 1, work(), Vec::new(), end);
    assert!(jobs.send().is_some());
    match report {
        Report::Begun(job) => jobs.begun(job),
        Report::Ended(job, ending) => {
            let said = ending.to_string();
            jobs.end(job, ending);
            assert!(job != JobId(1) || ended.try_recv().unwrap().to_string() == said);
        }
        Report::Trouble(what) => drop(what),
    }
    jobs.close(|_| {});
}

#[test]
fn fuzz_report() {
    let endings = [
        Ending::Exited(0),
        Ending::Signalled(9),
        Ending::Refused,
        Ending::Unborn("no".into()),
        Ending::Bereft,
    ];
    let ends = endings.map(|ending| Report::Ended(JobId(1), ending));
    let whole = [Report::Begun(JobId(1)), Report::Trouble("the disk is full".into())];
    let whole = whole.into_iter().chain(ends).map(|report| serde_json::to_vec(&report).unwrap());
    Target::new("report", whole).run(|bytes| received(bytes).map(hears).is_some());
}

fn slate() -> Slate {
    let slate = Slate::new().unwrap();
    slate.set_term(TERM).unwrap();
    slate.beat(Helper::Reaper, NOW).unwrap();
    slate.beat(Helper::Warden, NOW).unwrap();
    slate.set_guard(Some(NOW)).unwrap();
    slate
}

/// All that anybody concludes from the slate, before and after the moment that it names.
fn concludes(slate: &Slate) -> bool {
    let (term, guarded) = (slate.term(), slate.is_guarded());
    for now in [NOW, term.until, NOW + Duration::from_secs(60)] {
        let (mut machine, mut out) = (Machine::new(ALLOWANCE), Actions::new());
        machine.lease(now, TERM, &mut out);
        machine.handle(now, Event::Ordered(Order::Start(JobId(1), 1, work())), &mut out);
        machine.begin(now, guarded, &mut out);
        machine.lease(now, term, &mut out);
        let _ = machine.deadline();
        let mut vigil = Vigil::new(ALLOWANCE);
        vigil.lease(NOW, TERM);
        vigil.lease(now, term);
        let vote = vigil.seen(now, true);
        assert!(vote == Vote::Leave || vigil.guard().is_none());
        let _ = (vigil.deadline(), vigil.is_guarding());
    }
    let (mut pulse, mut wakefulness) = (Pulse::default(), Wakefulness::new(NOW, ALLOWANCE));
    for helper in [Helper::Reaper, Helper::Warden] {
        pulse.look(slate.pulse(helper));
        wakefulness.look(Moment::from_nanos(slate.pulse(helper)));
    }
    let _ = wakefulness.saw_the_end(NOW, Moment::from_nanos(slate.pulse(Helper::Warden)));
    term != Term::default()
}

#[test]
fn fuzz_slate() {
    // A torn row is read a thousand times.
    Target::new("slate", [slate().bytes().unwrap()]).runs(40).run(|bytes| {
        let slate = slate();
        slate.scribble(bytes).unwrap();
        concludes(&slate)
    });
}

/// A row whose check fits may say any two numbers: a slate that is only cut and struck seldom has one.
#[test]
fn fuzz_slate_numbers() {
    let whole = [TERM.life, TERM.until.as_nanos(), 1_000].map(|number| number.to_string()).join(" ");
    Target::new("slate-numbers", [whole]).run(|bytes| {
        let words = String::from_utf8_lossy(bytes);
        let mut numbers = words.split(' ').map(|word| word.parse::<u64>());
        let (Some(Ok(life)), Some(Ok(until)), Some(Ok(beat))) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return false;
        };
        let slate = slate();
        slate.set_term(Term { life, until: Moment::from_nanos(until) }).unwrap();
        slate.beat(Helper::Warden, Moment::from_nanos(beat)).unwrap();
        concludes(&slate);
        true
    });
}
