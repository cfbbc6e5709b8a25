//! The map: every shard a cell, in rows that begin with a number.

use ratatui::text::{Line, Span};

use super::super::show::Show;
use super::Palette;
use super::cell::cell;
use super::layout::Grid;

/// The title of the map, which explains its marks.
pub(super) fn title(show: &Show, palette: Palette) -> Line<'static> {
    let unserved = show.unserved();
    let mut spans = vec![Span::styled(format!(" shards {}", show.seats.len()), palette.strong())];
    if unserved > 0 {
        spans.push(Span::raw("  "));
        spans.push(Span::styled(format!(" {unserved} unserved "), palette.alarm()));
    }
    spans.push(Span::styled("  A owner  ›A new  A›B moving  (A) stranded  · none", palette.faint()));
    Line::from(spans)
}

/// The rows of the map.
pub(super) fn rows(show: &Show, palette: Palette, grid: Grid) -> Vec<Line<'static>> {
    let columns = usize::from(grid.columns);
    let rows = show.seats.chunks(columns).enumerate().take(usize::from(grid.rows));
    let mut lines: Vec<Line<'_>> =
        rows.map(|(row, seats)| line(show, palette, grid, row * columns, seats.len())).collect();
    say_what_is_cut(show, grid, &mut lines, palette);
    lines
}

fn line(show: &Show, palette: Palette, grid: Grid, first: usize, count: usize) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("{first:>6} "), palette.faint())];
    for shard in first..first + count {
        spans.extend(cell(show, palette, shard, width(grid)));
        spans.extend((grid.pitch > width(grid)).then(|| Span::raw(" ")));
    }
    Line::from(spans)
}

/// Cells touch each other where they are small.
fn width(grid: Grid) -> u16 {
    if grid.pitch > 2 { grid.pitch - 1 } else { grid.pitch }
}

fn say_what_is_cut(show: &Show, grid: Grid, lines: &mut [Line<'static>], palette: Palette) {
    let shown = (lines.len().saturating_sub(1)) * usize::from(grid.columns);
    let whole = usize::from(grid.rows) * usize::from(grid.columns) >= show.seats.len();
    if let Some(last) = lines.last_mut().filter(|_| !whole) {
        let more = show.seats.len() - shown;
        *last = Line::styled(format!("       … and {more} more; enlarge the window",), palette.faint());
    }
}
