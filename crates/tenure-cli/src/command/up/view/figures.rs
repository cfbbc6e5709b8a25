//! The figures that matter, and the keys.

use ratatui::text::{Line, Span};

use super::super::show::Show;
use super::super::summary::span;
use super::super::tally::Gaps;
use super::Palette;

/// The first line: what this is.
pub(super) fn heading(show: &Show, palette: Palette) -> Line<'static> {
    let time = format!("  {:.1}s", show.now.as_secs_f64());
    let what = show.page.clone().unwrap_or_else(|| "one owner per shard, never two".into());
    Line::from(vec![
        Span::styled(" tenure up", palette.strong()),
        Span::styled(format!("  {what}"), palette.faint()),
        Span::styled(time, palette.faint()),
    ])
}

/// What was measured so far.
pub(super) fn figures(show: &Show, palette: Palette) -> Line<'static> {
    let tally = &show.tally;
    let overlaps = tally.overlaps.len();
    let verdict = if overlaps == 0 { palette.calm() } else { palette.alarm() };
    Line::from(vec![
        Span::styled(format!(" overlaps {overlaps}"), verdict),
        Span::styled("   gaps:", palette.faint()),
        Span::raw(format!(" moves {}", longest(&tally.moves))),
        Span::raw(format!("  proof {}", longest(&tally.proven))),
        Span::raw(format!("  silence {}", longest(&tally.silent))),
    ])
}

/// What one kind of handover cost at worst, and how many there were: kinds are not mixed.
fn longest(gaps: &Gaps) -> String {
    match gaps.count() {
        0 => "–".into(),
        count => format!("≤{} ({count})", span(gaps.longest())),
    }
}

/// The keys, or that there are none.
pub(super) fn keys(show: &Show, palette: Palette) -> Line<'static> {
    const KEYS: [(&str, &str); 7] = [
        ("↑↓ 1-9", "select"),
        ("k", "kill"),
        ("f", "freeze"),
        ("t", "thaw"),
        ("s", "stop"),
        ("a", "add"),
        ("q", "quit"),
    ];
    let shown = if show.keys { &KEYS[..] } else { &KEYS[6..] };
    let spans = shown.iter().flat_map(|(key, meaning)| {
        [
            Span::styled(format!(" {key}"), palette.strong()),
            Span::styled(format!(" {meaning} "), palette.faint()),
        ]
    });
    Line::from(spans.collect::<Vec<_>>())
}
