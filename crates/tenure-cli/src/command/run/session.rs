//! One run of `tenure run`, from joining to having left.

use std::io;
use std::sync::Arc;

use tenure::Member;

use super::args::Args;
use super::environment::withheld;
use super::leash::{Leash, allowance};
use super::listen::Face;
use super::output::{Output, Written};
use super::stop::leave;
use super::tend::Tending;
use crate::exit::{Exit, Failure};
use crate::stops::{ASKED, Stops};
use crate::store;
use crate::warden::{Plan, Warden, raise_descriptor_limit};

/// Joins, runs, leaves.
pub(super) async fn run(args: Args) -> Result<Exit, Failure> {
    let descriptors = raise_descriptor_limit();
    let mut stops = Stops::listen(&ASKED)?;
    let face = face(&args).await?;
    let store = store::open(&args.cluster.store).await?;
    let member = Arc::new(Member::builder(store).settings(args.settings()).start().await?);
    face.iter().for_each(|face| face.show(&member));
    // Started before the first child: shards that have come wait until the work begins.
    let warden = warden(&args, &member, descriptors)?;
    let ended = work(&args, &member, &warden, &mut stops).await;
    warden.dismiss().await;
    ended
}

async fn face(args: &Args) -> Result<Option<Face>, Failure> {
    let Some(address) = args.listen else { return Ok(None) };
    Face::open(address, &args.door, &args.cluster.cluster).await.map(Some)
}

fn warden(args: &Args, member: &Member, descriptors: Option<u64>) -> Result<Warden, Failure> {
    let lock = member.registration().map(|alive| alive.share()).transpose();
    let lock = lock.map_err(cannot("share the lock with the warden"))?.flatten();
    let environment = vec![
        ("TENURE_CLUSTER", args.cluster.cluster.to_string()),
        ("TENURE_SHARDS", args.shards.to_string()),
        ("TENURE_MEMBER", member.id().to_string()),
    ];
    let plan = Plan {
        member: member.id().clone(),
        command: args.command.clone(),
        environment,
        withheld: withheld(std::env::vars_os().map(|(name, _)| name), &args.pass_env),
        descriptors,
        allowance: allowance(args.ttl),
        history: args.history.clone(),
        lock,
    };
    Warden::start(plan).map_err(cannot("start the warden"))
}

async fn work(
    args: &Args,
    member: &Arc<Member>,
    warden: &Warden,
    stops: &mut Stops,
) -> Result<Exit, Failure> {
    let leash = Arc::new(Leash::new(warden.clone(), member.lease(), allowance(args.ttl)));
    let following = tokio::spawn(Arc::clone(&leash).follow(member.lease()));
    let (output, written) = output(args)?;
    let tending = Arc::new(Tending { warden: warden.clone(), leash, restart: args.restart, output });
    let handler = move |shard| Arc::clone(&tending).shard(shard);
    let ended = tokio::select! {
        ran = member.run(handler) => ran.map_err(Failure::from),
        () = warden.gone() => bereft(member).await,
        () = stops.next() => leave(member, stops).await.map_err(Failure::from),
    };
    following.abort();
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

/// Nothing runs any more; others get the shards at once.
async fn bereft(member: &Member) -> Result<(), Failure> {
    member.leave_at_once().await?;
    Err(Failure::new(
        Exit::Unfinished,
        "the warden was killed; all children were ended and the member has left: start it again",
    ))
}

fn cannot(what: &'static str) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure::new(Exit::Store, format!("can't {what}")).because(error)
}
