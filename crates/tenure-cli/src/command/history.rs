//! `tenure history FILE…`: what members did with their shards, in the order of time.

use std::path::PathBuf;

use tenure::MemberId;

use crate::exit::{Exit, Failure};
use crate::format::{Align, Table, clock_time};
use crate::history::{self, Boundary, HistoryLine};
use crate::paint::Paint;
use crate::{format, talk};

/// Show the history files that members wrote with --history
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure history ada.jsonl ben.jsonl
  tenure history --shard 7 --json ada.jsonl")]
pub(crate) struct Args {
    /// The files, of any number of members
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only this shard
    #[arg(long)]
    shard: Option<u32>,
    /// Only this member
    #[arg(long)]
    member: Option<MemberId>,
    /// Print JSON, a line each, merged
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let lines = history::read(&self.files)?;
        let wanted: Vec<&HistoryLine> = lines.iter().filter(|line| self.wants(line)).collect();
        talk::data(&if self.json { json(&wanted) } else { table(&wanted, Paint::for_data()) })?;
        Ok(Exit::Done)
    }

    fn wants(&self, line: &HistoryLine) -> bool {
        self.shard.is_none_or(|shard| line.shard.0 == shard)
            && self.member.as_ref().is_none_or(|member| line.member == *member)
    }
}

fn json(lines: &[&HistoryLine]) -> String {
    lines.iter().map(format::json).collect()
}

fn table(lines: &[&HistoryLine], paint: Paint) -> String {
    use Align::{Left, Right};
    let mut table = Table::new(&[
        ("TIME", Left),
        ("SHARD", Right),
        ("EPOCH", Right),
        ("", Left),
        ("MEMBER", Left),
        ("LIFE", Left),
        ("REASON", Left),
    ]);
    for line in lines {
        let (word, look) = match line.deed {
            Boundary::Act => ("act", paint.good("act")),
            Boundary::End => ("end", paint.dim("end")),
        };
        let plain = format::cell;
        table.painted([
            plain(clock_time(line.wall_ms)),
            plain(line.shard.to_string()),
            plain(line.epoch.to_string()),
            (word.into(), look),
            plain(line.member.to_string()),
            plain(line.incarnation.clone()),
            plain(line.reason.clone()),
        ]);
    }
    table.draw(paint)
}
