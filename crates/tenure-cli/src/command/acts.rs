//! `tenure acts`: who drained, moved and fenced what, and why.

use tenure::cluster::{Act, Came, Cluster};

use super::options::{LookOptions, Printable};
use crate::exit::{Exit, Failure};
use crate::format::{self, Align, Table};
use crate::paint::Paint;

/// Show what people did to the cluster, by whichever way
///
/// The last hundred drains, moves, fences and notes, by the command line and by dashboards, with who, when, why and what came of
/// it. They are kept in the store; whoever may write to it could forge them. With --json, a line for each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure acts
  tenure acts --json --store sqlite:/var/lib/orders/tenure.db")]
pub(crate) struct Args {
    #[command(flatten)]
    look: LookOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        self.look.show(async |cluster: &mut Cluster| Ok(Acts(cluster.acts().await?)))
    }
}

struct Acts(Vec<Act>);

impl Printable for Acts {
    fn json(&self) -> String {
        self.0.iter().map(format::json).collect()
    }

    fn text(&self, paint: Paint) -> String {
        use Align::Left;
        let columns = ["TIME", "WHO", "BY", "WHAT", "CAME OF IT", "WHY"].map(|head| (head, Left));
        let mut table = Table::new(&columns);
        for act in &self.0 {
            let time = format::clock_time(act.at_ms);
            table.row([time, act.who.clone(), act.by.clone(), act.what.clone(), came(act), act.why.clone()]);
        }
        table.draw(paint)
    }
}

fn came(act: &Act) -> String {
    match &act.came {
        Some(Came::Done) => "done".into(),
        Some(Came::Refused(why)) => format!("refused: {why}"),
        None => "not known".into(),
    }
}
