//! Columns that line up, whatever colours they have.

use crate::paint::Paint;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table under construction. A cell is its text and, if painted, how that looks.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<(String, String)>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row of plain cells.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.painted(cells.map(super::cell));
    }

    /// Adds a row of cells, each with its text and its look.
    pub(crate) fn painted(&mut self, cells: impl Into<Vec<(String, String)>>) {
        self.rows.push(cells.into());
    }

    /// The table, indented by two.
    pub(crate) fn draw(&self, paint: Paint) -> String {
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        let heads = self.columns.iter().map(|(head, _)| ((*head).to_owned(), paint.dim(head)));
        let mut text = self.line(&heads.collect::<Vec<_>>(), &widths);
        for row in &self.rows {
            text.push_str(&self.line(row, &widths));
        }
        text
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|(text, _)| text.chars().count());
        cells.chain([self.columns[column].0.chars().count()]).max().unwrap_or(0)
    }

    fn line(&self, cells: &[(String, String)], widths: &[usize]) -> String {
        let mut line = String::new();
        for (((text, look), width), (_, align)) in cells.iter().zip(widths).zip(&self.columns) {
            let space = " ".repeat(width.saturating_sub(text.chars().count()));
            let cell = match align {
                Align::Left => format!("{look}{space}"),
                Align::Right => format!("{space}{look}"),
            };
            line.push_str("  ");
            line.push_str(&cell);
        }
        format!("{}\n", line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[("NAME", Align::Left), ("N", Align::Right)]);
        table.row(["a".into(), "100".into()]);
        table.row(["longer".into(), "7".into()]);
        assert_eq!(table.draw(Paint::off()), "  NAME      N\n  a       100\n  longer    7\n");
    }

    #[test]
    fn colours_take_no_room() {
        let mut table = Table::new(&[("A", Align::Left), ("B", Align::Left)]);
        table.painted([("x".into(), "\x1b[32mx\x1b[0m".into()), ("y".into(), "y".into())]);
        assert_eq!(table.draw(Paint::off()), "  A  B\n  \x1b[32mx\x1b[0m  y\n");
    }
}
