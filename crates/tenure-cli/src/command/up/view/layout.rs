//! How the room is divided: the map gets cells as large as fit, the events what is left.

use ratatui::layout::Rect;

/// The columns before the map's cells: the number of the row's first shard.
pub(super) const MARGIN: u16 = 7;
/// The largest pitch of cells first: what a cell takes, with the gap after it.
const PITCHES: [u16; 4] = [4, 3, 2, 1];
/// Title of the whole, a blank after each part, a title for each part, figures and keys.
const FIXED: u16 = 9;
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
    /// Lines for members.
    pub(super) members: u16,
    /// The map.
    pub(super) grid: Grid,
    /// Lines for events.
    pub(super) events: u16,
}

impl Layout {
    /// Divides `area` for so many members and shards.
    pub(super) fn of(area: Rect, members: usize, shards: usize) -> Self {
        let members = count(members).clamp(1, (area.height / 3).max(1));
        let room = area.height.saturating_sub(FIXED + members);
        let width = area.width.saturating_sub(MARGIN + 1);
        let fits = |least: u16| {
            let grids = PITCHES.into_iter().map(|pitch| grid(width, pitch, shards));
            grids.into_iter().find(|grid| grid.rows + least <= room)
        };
        let grid =
            fits(EVENTS_WANTED).or_else(|| fits(EVENTS_LEAST)).unwrap_or_else(|| cut(width, shards, room));
        Self { members, grid, events: room.saturating_sub(grid.rows) }
    }
}

/// Rows of a round number of cells are easier to count: a multiple of 16, or of 8 where it is narrow.
fn grid(width: u16, pitch: u16, shards: usize) -> Grid {
    let most = (width / pitch).max(1);
    let round = [64, 32, 16, 8].into_iter().find(|step| most >= *step).unwrap_or(1);
    let columns = if round == 1 { most } else { most / round * round };
    Grid { pitch, columns, rows: count(shards.div_ceil(columns as usize)) }
}

/// More shards than can be shown: as many as can, in the smallest cells.
fn cut(width: u16, shards: usize, room: u16) -> Grid {
    let whole = grid(width, 1, shards);
    Grid { rows: whole.rows.min(room.saturating_sub(EVENTS_LEAST).max(1)), ..whole }
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
        assert_eq!(grids.map(|grid| grid.pitch), [4, 4, 4, 1].map(|pitch: u16| pitch));
        assert!(
            grids.iter().zip([16, 64, 256, 1024]).all(|(grid, shards)| grid.rows * grid.columns >= shards)
        );
    }

    #[test]
    fn a_thousand_shards_fit_a_small_terminal() {
        let layout = of(80, 30, 3, 1024);
        assert_eq!(layout.grid, Grid { pitch: 1, columns: 64, rows: 16 });
        assert!(layout.events >= EVENTS_LEAST);
    }

    #[test]
    fn more_shards_than_fit_are_cut_and_nothing_overflows() {
        for (width, height) in [(80, 24), (20, 10), (1, 1), (200, 60)] {
            let layout = of(width, height, 40, 100_000);
            let used = u32::from(layout.grid.rows) + u32::from(layout.events) + u32::from(layout.members);
            assert!(used <= u32::from(height).max(3), "{width}x{height}: {layout:?}");
        }
    }
}
