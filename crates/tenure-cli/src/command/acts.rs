//! `tenure acts`: who drained, moved and fenced what, and why.

use tenure::cluster::{Act, Came};

use super::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::show::{self, Align, Table};
use crate::{runtime, talk};

/// Show what people did to the cluster, by whichever way
///
/// The last hundred drains, moves, fences and notes, by the command line and by dashboards, with who, when, why and what came of
/// it. They are kept in the store; whoever may write to it could forge them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print a line of JSON for each
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let acts = self.cluster.find().await?.acts().await?;
            let text = if self.json { acts.iter().map(show::json).collect() } else { table(&acts) };
            talk::data(&text)?;
            Ok(Exit::Done)
        })
    }
}

fn table(acts: &[Act]) -> String {
    use Align::Left;
    let columns = ["TIME", "WHO", "BY", "WHAT", "CAME OF IT", "WHY"].map(|head| (head, Left));
    let mut table = Table::new(&columns);
    for act in acts {
        let time = show::clock_time(act.at_ms);
        table.row([time, act.who.clone(), act.by.clone(), act.what.clone(), came(act), act.why.clone()]);
    }
    table.draw(Paint::for_data())
}

fn came(act: &Act) -> String {
    match &act.came {
        Some(Came::Done) => "done".into(),
        Some(Came::Refused(why)) => format!("refused: {why}"),
        None => "not known".into(),
    }
}
