//! A captured screen, understood: lines of runs of text, each in one style.

/// How text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Style {
    /// The colour of the letters, if not the usual one.
    pub(super) front: Option<u8>,
    /// The colour behind them, if any.
    pub(super) back: Option<u8>,
    /// Whether they are bold.
    pub(super) bold: bool,
    /// Whether they are underlined.
    pub(super) underlined: bool,
}

/// Text in one style.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Run {
    /// Its first column.
    pub(super) column: usize,
    /// The text: one column for each character.
    pub(super) text: String,
    /// How it looks.
    pub(super) style: Style,
}

/// One line.
pub(super) type Row = Vec<Run>;
/// All lines.
pub(super) type Screen = Vec<Row>;

/// Understands a capture. A style holds on until it is changed, over the ends of lines too.
pub(super) fn parse(text: &str) -> Screen {
    let mut style = Style::default();
    text.lines().map(|line| row(line, &mut style)).collect()
}

fn row(line: &str, style: &mut Style) -> Row {
    let mut row: Row = Vec::new();
    let mut column = 0;
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        if let Some((codes, after)) = styling(rest) {
            restyle(style, &codes);
            rest = after;
            continue;
        }
        add(&mut row, column, next, *style);
        column += 1;
        rest = &rest[next.len_utf8()..];
    }
    row
}

fn add(row: &mut Row, column: usize, letter: char, style: Style) {
    match row.last_mut() {
        Some(run) if run.style == style => run.text.push(letter),
        _ => row.push(Run { column, text: letter.into(), style }),
    }
}

/// The numbers of a styling sequence at the beginning of `text`, and what follows it.
fn styling(text: &str) -> Option<(Vec<u8>, &str)> {
    let (codes, after) = text.strip_prefix("\x1b[")?.split_once('m')?;
    let numbers = codes.split([';', ':']).map(|code| code.parse().unwrap_or(0));
    Some((numbers.collect(), after))
}

fn restyle(style: &mut Style, codes: &[u8]) {
    let mut codes = codes.iter().copied();
    while let Some(code) = codes.next() {
        match code {
            0 => *style = Style::default(),
            1 => style.bold = true,
            4 => style.underlined = true,
            22 => style.bold = false,
            24 => style.underlined = false,
            38 => style.front = indexed(&mut codes),
            48 => style.back = indexed(&mut codes),
            39 => style.front = None,
            49 => style.back = None,
            30..=37 => style.front = Some(code - 30),
            40..=47 => style.back = Some(code - 40),
            90..=97 => style.front = Some(code - 82),
            _ => {}
        }
    }
}

/// `5;n` after 38 or 48: one of 256 colours.
fn indexed(codes: &mut impl Iterator<Item = u8>) -> Option<u8> {
    (codes.next() == Some(5)).then(|| codes.next()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_the_style_changes() {
        let screen = parse("ab\x1b[1mcd\x1b[0m e");
        let texts: Vec<_> =
            screen[0].iter().map(|run| (run.column, run.text.as_str(), run.style.bold)).collect();
        assert_eq!(texts, [(0, "ab", false), (2, "cd", true), (4, " e", false)]);
    }

    #[test]
    fn a_style_holds_over_the_end_of_its_line() {
        let screen = parse("\x1b[38;5;74m\x1b[48;5;16ma\nb\x1b[39;49mc");
        assert_eq!((screen[1][0].style.front, screen[1][0].style.back), (Some(74), Some(16)));
        assert_eq!(screen[1][1].style, Style::default());
    }

    #[test]
    fn letters_count_by_columns_and_not_by_bytes() {
        assert_eq!(parse("━━\x1b[1mx")[0][1].column, 2);
    }
}
