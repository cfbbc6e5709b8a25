//! How the room is divided: the map gets cells as large as fit, the events what is left.

use ratatui::layout::Rect;

/// The columns before the map's cells: the number of the row's first shard.
pub(super) const MARGIN: u16 = 7;
/// The largest pitch of cells first: what a cell takes, with the gap after it.
const PITCHES: [u16; 4] = [4, 3, 2, 1];
/// Heading, figures, keys and a title for members, shards and events; and, where there is room, a blank line before each.
const TITLES: u16 = 6;
const BLANKS: u16 = 3;
/// Events are worth this many lines, if the map can do with smaller cells; and this many in any case.
const EVENTS_WANTED: u16 = 5;
const EVENTS_LEAST: u16 = 2;

/// The map's measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// The columns from one cell to the next.
    pub(super) pitch: u16,
    /// Cells in a row.
    pub(super) columns: u16,
    /// Rows that are shown.
    pub(super) rows: u16,
}

/// Who gets which lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Whether parts are set apart by blank lines.
    pub(super) airy: bool,
    /// Lines for members.
    pub(super) members: u16,
    /// The map.
    pub(super) grid: Grid,
    /// Lines for events.
    pub(super) events: u16,
}

impl Layout {
    /// Divides `area` for so many members and shards: the first way that fits, from comfortable to cramped.
    pub(super) fn of(area: Rect, members: usize, shards: usize) -> Self {
        let members = count(members).clamp(1, (area.height / 3).max(1));
        let tight = area.height.saturating_sub(TITLES + members);
        let airy = tight.saturating_sub(BLANKS);
        let width = area.width.saturating_sub(MARGIN);
        let comfortable = fitting(width, shards, airy, EVENTS_WANTED)
            .or_else(|| fitting(width, shards, airy, EVENTS_LEAST))
            .map(|grid| Self { airy: true, members, grid, events: airy - grid.rows });
        comfortable.unwrap_or_else(|| Self::cramped(width, shards, tight, members))
    }

    /// Where no line is left for events, their title is not needed either.
    fn cramped(width: u16, shards: usize, room: u16, members: u16) -> Self {
        let fits = |grid: &Grid| grid.rows <= room;
        let whole = Some(rounded(width, 1, shards)).filter(fits).unwrap_or_else(|| grid(width, 1, shards));
        let grid = Grid { rows: whole.rows.min(room + 1), ..whole };
        Self { airy: false, members, grid, events: room.saturating_sub(grid.rows) }
    }
}

/// The largest cells that leave `least` lines of `room`.
fn fitting(width: u16, shards: usize, room: u16, least: u16) -> Option<Grid> {
    let mut grids = PITCHES.into_iter().map(|pitch| rounded(width, pitch, shards));
    grids.find(|grid| u32::from(grid.rows) + u32::from(least) <= u32::from(room))
}

/// Rows of a round number of cells are easier to count.
fn rounded(width: u16, pitch: u16, shards: usize) -> Grid {
    let most = (width / pitch).max(1);
    let step = [64, 32, 16, 8].into_iter().find(|step| most >= *step).unwrap_or(most);
    grid(most / step * step * pitch, pitch, shards)
}

fn grid(width: u16, pitch: u16, shards: usize) -> Grid {
    let columns = (width / pitch).max(1);
    Grid { pitch, columns, rows: count(shards.div_ceil(usize::from(columns))) }
}

fn count(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: u16, height: u16, members: usize, shards: usize) -> Layout {
        Layout::of(Rect::new(0, 0, width, height), members, shards)
    }

    #[test]
    fn few_shards_get_large_cells_and_many_small_ones() {
        let grids = [16, 64, 256, 1024].map(|shards| of(100, 30, 3, shards).grid);
        assert_eq!(grids.map(|grid| grid.pitch), [4, 4, 2, 1]);
        assert!(
            grids.iter().zip([16, 64, 256, 1024]).all(|(grid, shards)| grid.rows * grid.columns >= shards)
        );
    }

    #[test]
    fn a_thousand_shards_fit_a_small_terminal() {
        let roomy = of(80, 30, 3, 1024);
        assert_eq!((roomy.grid, roomy.airy), (Grid { pitch: 1, columns: 64, rows: 16 }, true));
        let small = of(80, 24, 3, 1024);
        assert_eq!((small.grid, small.airy), (Grid { pitch: 1, columns: 73, rows: 15 }, false));
        assert_eq!(of(80, 24, 4, 1024).grid, small.grid);
    }

    #[test]
    fn more_shards_than_fit_are_cut_and_nothing_overflows() {
        for (width, height) in [(80, 24), (20, 10), (1, 1), (200, 60)] {
            let layout = of(width, height, 40, 100_000);
            let used = u32::from(layout.grid.rows) + u32::from(layout.events) + u32::from(layout.members);
            assert!(used <= u32::from(height).max(2), "{width}x{height}: {layout:?}");
        }
    }
}
