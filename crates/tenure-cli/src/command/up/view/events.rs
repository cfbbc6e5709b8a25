//! The last events, the latest below.

use ratatui::text::{Line, Span};

use super::super::show::{Entry, Show};
use super::Palette;

/// The title over the events.
pub(super) fn title(palette: Palette) -> Line<'static> {
    Line::styled(" events", palette.strong())
}

/// The last of them.
pub(super) fn rows(show: &Show, palette: Palette, lines: u16) -> Vec<Line<'static>> {
    show.log.last(usize::from(lines)).map(|entry| row(entry, palette)).collect()
}

fn row(entry: &Entry, palette: Palette) -> Line<'static> {
    let time = Span::styled(format!("{:>7.1}s  ", entry.at.as_secs_f64()), palette.faint());
    Line::from(vec![time, Span::raw(entry.text.clone())])
}
