//! The last events, the latest below.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::show::{LogEntry, Show};
use super::Palette;

/// The title over the events.
pub(super) fn title(palette: Palette) -> Line<'static> {
    Line::styled(" events", palette.strong())
}

/// The last of them.
pub(super) fn rows(show: &Show, palette: Palette, lines: u16) -> Vec<Line<'static>> {
    show.log.last(usize::from(lines)).map(|entry| row(show, entry, palette)).collect()
}

fn row(show: &Show, entry: &LogEntry, palette: Palette) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("{:>7.1}s  ", entry.at.as_secs_f64()), palette.faint())];
    spans.extend(entry.text.split_inclusive(' ').map(|word| coloured(show, word, palette)));
    Line::from(spans)
}

/// Members have their colours here too.
fn coloured(show: &Show, word: &str, palette: Palette) -> Span<'static> {
    let named = show.members.iter().find(|member| member.id.as_str() == word.trim_end());
    let style = named.map_or_else(Style::new, |member| palette.of(&member.mark));
    Span::styled(word.to_owned(), style)
}
