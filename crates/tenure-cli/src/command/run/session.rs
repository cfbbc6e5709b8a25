//! One run of `tenure run`, from joining to having left.

use std::io;
use std::sync::Arc;
use std::thread;

use tenure::Member;
use tenure::member::LeaseWatch;
use tokio::runtime::Handle;

use super::args::Args;
use super::environment::withheld;
use super::lease_relay::{LeaseRelay, allowance};
use super::listen::Endpoint;
use super::output::{Output, Written};
use super::preflight;
use super::runner::Runner;
use crate::exit::{Exit, Failure};
use crate::signals::StopSignals;
use crate::supervisor::{Plan, Supervisor, raise_descriptor_limit};
use crate::talk;

/// Joins, runs, leaves.
pub(super) async fn run(args: Args) -> Result<Exit, Failure> {
    let isolated = args.isolate.decide()?;
    let descriptors = raise_descriptor_limit();
    preflight::warn_of_limits(args.shards, args.raw);
    let mut stops = StopSignals::listen()?;
    let endpoints = endpoints(&args).await?;
    let store = tenure_stores::open(&args.cluster.store).await?;
    let member = Arc::new(Member::builder(store).settings(args.settings()).start().await?);
    endpoints.iter().for_each(|endpoint| endpoint.show(&member));
    // Started before the first child: shards that have come wait until the work begins.
    let url = endpoints.iter().find_map(Endpoint::url);
    let supervisor = supervisor(&args, &member, url, descriptors, isolated)?;
    let ended = work(&args, &member, &supervisor, &mut stops).await;
    supervisor.dismiss().await;
    ended
}

async fn endpoints(args: &Args) -> Result<Vec<Endpoint>, Failure> {
    let (mut endpoints, cluster) = (Vec::new(), &args.cluster.cluster);
    if let Some(address) = args.listen {
        endpoints.push(Endpoint::open(address, &args.access, cluster).await?);
    }
    if let Some(address) = args.metrics_listen {
        endpoints.push(Endpoint::open_plain(address, &args.access, cluster).await?);
    }
    Ok(endpoints)
}

fn supervisor(
    args: &Args,
    member: &Member,
    url: Option<&str>,
    descriptors: Option<u64>,
    isolated: bool,
) -> Result<Supervisor, Failure> {
    let lock = member.registration().map(|alive| alive.share()).transpose();
    let lock = lock.map_err(cannot("share the lock with the warden"))?.flatten();
    let mut environment = vec![
        ("TENURE_CLUSTER", args.cluster.cluster.to_string()),
        ("TENURE_SHARDS", args.shards.to_string()),
        ("TENURE_MEMBER", member.id().to_string()),
        ("TENURE_DRAIN_SECONDS", args.drain.as_secs_f64().to_string()),
    ];
    environment.extend(url.map(|url| ("TENURE_STATUS_URL", url.to_owned())));
    let plan = Plan {
        member: member.id().clone(),
        command: args.command.clone(),
        environment,
        withheld: withheld(std::env::vars_os().map(|(name, _)| name), &args.pass_env),
        descriptors,
        ttl: args.ttl,
        allowance: allowance(args.ttl),
        isolated,
        history: args.history.clone(),
        lock,
    };
    Supervisor::start(plan).map_err(cannot("start the warden"))
}

async fn work(
    args: &Args,
    member: &Arc<Member>,
    supervisor: &Supervisor,
    stops: &mut StopSignals,
) -> Result<Exit, Failure> {
    let relay = Arc::new(LeaseRelay::new(supervisor.clone(), member.lease(), allowance(args.ttl)));
    follow(Arc::clone(&relay), member.lease()).map_err(cannot("start a thread for the lease"))?;
    let (output, written) = output(args)?;
    let runner = Arc::new(Runner { supervisor: supervisor.clone(), relay, restart: args.restart, output });
    let handler = move |shard| Arc::clone(&runner).shard(shard);
    let ended = tokio::select! {
        ran = member.run(handler) => ran.map_err(Failure::from),
        () = supervisor.gone() => bereft(member, supervisor).await,
        () = stops.next() => leave(member, stops).await.map_err(Failure::from),
    };
    if let Some(written) = written {
        written.all().await;
    }
    ended.map(|()| Exit::Done)
}

fn output(args: &Args) -> Result<(Option<Output>, Option<Written>), Failure> {
    if args.raw {
        return Ok((None, None));
    }
    let (output, written) = Output::open().map_err(cannot("write the output of children"))?;
    Ok((Some(output), Some(written)))
}

/// The lease has a thread of its own: a runtime that is busy with ten thousand shards holds no renewal up. It ends with the
/// member.
fn follow(relay: Arc<LeaseRelay>, lease: LeaseWatch) -> io::Result<()> {
    let runtime = Handle::current();
    let following = move || runtime.block_on(relay.follow(lease));
    thread::Builder::new().name("lease".into()).spawn(following).map(drop)
}

/// Leaves the cluster; at the next signal, at once.
async fn leave(member: &Member, stops: &mut StopSignals) -> Result<(), tenure::Error> {
    talk::say("leaving: handing all shards on; signal again to hurry");
    tokio::select! {
        left = member.leave() => return left,
        () = stops.next() => {}
    }
    talk::say("leaving at once");
    member.leave_at_once().await
}

/// Nothing runs any more; others get the shards at once.
async fn bereft(member: &Member, supervisor: &Supervisor) -> Result<(), Failure> {
    member.leave_at_once().await?;
    let what = match supervisor.silent() {
        Some(helper) => format!("the {helper} did not answer any more (was it stopped?) and was killed"),
        None => "the warden was killed".into(),
    };
    Err(Failure::new(
        Exit::Unfinished,
        format!("{what}; all children were ended and the member has left: start it again"),
    ))
}

fn cannot(what: &'static str) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure::new(Exit::Store, format!("can't {what}")).because(error)
}
