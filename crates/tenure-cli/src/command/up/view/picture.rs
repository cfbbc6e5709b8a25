//! The whole picture, from top to bottom.

use ratatui::Frame;
use ratatui::text::Line;

use super::super::show::Show;
use super::layout::Layout;
use super::{Palette, events, figures, map, members};

/// Draws the show.
pub(crate) fn draw(show: &Show, palette: Palette, frame: &mut Frame<'_>) {
    let area = frame.area();
    let layout = Layout::of(area, show.members.len(), show.seats.len());
    for (line, y) in
        lines(show, palette, layout, area.width).iter().zip(area.top()..area.bottom().saturating_sub(1))
    {
        frame.buffer_mut().set_line(area.left(), y, line, area.width);
    }
    let keys = figures::keys(show, palette);
    frame.buffer_mut().set_line(area.left(), area.bottom().saturating_sub(1), &keys, area.width);
}

/// Everything but the last line, which stays at the bottom.
fn lines(show: &Show, palette: Palette, layout: Layout, width: u16) -> Vec<Line<'static>> {
    let gap = layout.airy.then(Line::default);
    let mut lines = vec![figures::heading(show, palette), figures::figures(show, palette)];
    lines.extend(gap.clone());
    lines.push(members::title(show, palette));
    lines.extend(members::rows(show, palette, layout.members, width));
    lines.extend(gap.clone());
    lines.push(map::title(show, palette));
    lines.extend(map::rows(show, palette, layout.grid));
    lines.extend(gap);
    lines.extend((layout.events > 0).then(|| events::title(palette)));
    lines.extend(events::rows(show, palette, layout.events));
    lines
}
