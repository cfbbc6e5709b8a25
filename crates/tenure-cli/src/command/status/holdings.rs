//! Each shard on a line: who owns it, at which epoch, since when, and why.

use tenure::cluster::{HoldingView, Survey};

use crate::format::{self, Align, Table};

/// The table of all shards.
pub(super) fn table(survey: &Survey, now_ms: u64) -> Table {
    use Align::{Left, Right};
    let mut table = Table::new(&[
        ("SHARD", Right),
        ("OWNER", Left),
        ("EPOCH", Right),
        ("HEIR", Left),
        ("SINCE", Left),
        ("WHY", Left),
    ]);
    survey.holdings.iter().for_each(|view| table.row(row(view, now_ms)));
    table
}

fn row(view: &HoldingView, now_ms: u64) -> [String; 6] {
    let name = |id: Option<String>| id.unwrap_or_else(|| "-".into());
    [
        view.shard.to_string(),
        name(view.owner.as_ref().map(ToString::to_string)),
        view.epoch.to_string(),
        name(view.heir.as_ref().map(ToString::to_string)),
        name(view.since_ms.map(|since| format::ago(now_ms, since))),
        name(view.why.as_deref().map(Into::into)),
    ]
}
