//! Screens as a moving SVG: each distinct line once, each frame a list of lines.
//!
//! Where nothing may move (reduced motion, a viewer without animations) one chosen frame is shown.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::ansi::{Row, Run, Screen, Style};
use super::colour::hex;

const COLUMN: f64 = 8.4;
const LINE: f64 = 19.0;
const BORDER: f64 = 14.0;
/// The last frame stays for so many.
const REST: usize = 10;

/// How the film runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// Time from one frame to the next.
    pub(super) frame: Duration,
    /// The frame for those who don't see it move.
    pub(super) still: usize,
}

/// The film of these frames.
pub(super) fn film(frames: &[Screen], timing: Timing, width: u16, height: u16) -> String {
    let (rows, screens) = shared(frames);
    let mut svg = head(width, height, timing, frames.len());
    let _ = writeln!(svg, "<defs>");
    for (number, row) in rows.iter().enumerate() {
        let _ = writeln!(svg, "<g id=\"r{number}\">{}</g>", line(row));
    }
    let _ = writeln!(svg, "</defs>");
    for (number, screen) in screens.iter().enumerate() {
        svg.push_str(&frame(number, screen, timing, frames.len()));
    }
    svg.push_str("</svg>\n");
    svg
}

/// A frame, as (place, line).
type Lines = Vec<(usize, usize)>;

/// Every distinct line that shows anything, and each frame.
fn shared(frames: &[Screen]) -> (Vec<&Row>, Vec<Lines>) {
    let mut known: BTreeMap<&Row, usize> = BTreeMap::new();
    let mut rows = Vec::new();
    let mut number_of = |row| {
        *known.entry(row).or_insert_with(|| {
            rows.push(row);
            rows.len() - 1
        })
    };
    let shown = |row: &Row| row.iter().any(|run| run.style.back.is_some() || !run.text.trim().is_empty());
    let screens = frames
        .iter()
        .map(|screen| {
            screen
                .iter()
                .enumerate()
                .filter(|(_, row)| shown(row))
                .map(|(y, row)| (y, number_of(row)))
                .collect()
        })
        .collect();
    (rows, screens)
}

fn head(width: u16, height: u16, timing: Timing, frames: usize) -> String {
    let (width, height) = (f64::from(width) * COLUMN + 2.0 * BORDER, f64::from(height) * LINE + 2.0 * BORDER);
    let whole = (frames + REST) as f64;
    let seconds = timing.frame.as_secs_f64() * whole;
    let (one, last) = (100.0 / whole, 100.0 * (1 + REST) as f64 / whole);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>tenure up: members are killed, added, frozen and thawed, and shards change hands</title>\n\
         <style>\n\
         text{{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;fill:#d4d8df}}\n\
         .b{{font-weight:bold}}.u{{text-decoration:underline}}\n\
         .f{{visibility:hidden;animation:one {seconds:.2}s steps(1,end) infinite}}\n\
         .last{{animation-name:last}}.still{{visibility:visible}}\n\
         @keyframes one{{0%{{visibility:visible}}{one:.3}%,100%{{visibility:hidden}}}}\n\
         @keyframes last{{0%{{visibility:visible}}{last:.3}%,100%{{visibility:hidden}}}}\n\
         @media (prefers-reduced-motion:reduce){{.f{{animation:none}}}}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n"
    )
}

/// The delays are negative: all frames begin at once, each at its own place of the round.
fn frame(number: usize, lines: &[(usize, usize)], timing: Timing, frames: usize) -> String {
    let mut classes = String::from("f");
    classes.push_str(if number + 1 == frames { " last" } else { "" });
    classes.push_str(if number == timing.still { " still" } else { "" });
    let delay = timing.frame.as_secs_f64() * (number as f64 - (frames + REST) as f64);
    let mut text = format!("<g class=\"{classes}\" style=\"animation-delay:{delay:.2}s\">");
    for (y, row) in lines {
        let _ = write!(text, "<use href=\"#r{row}\" x=\"{BORDER}\" y=\"{:.0}\"/>", BORDER + *y as f64 * LINE);
    }
    text + "</g>\n"
}

fn line(row: &Row) -> String {
    let backs = row.iter().filter_map(back);
    let words = row.iter().map(words);
    backs.chain(words).collect()
}

fn back(run: &Run) -> Option<String> {
    let colour = hex(run.style.back?);
    let (x, width) = (run.column as f64 * COLUMN, run.text.chars().count() as f64 * COLUMN);
    // Lines don't touch: cells of one colour would flow into each other.
    Some(format!(
        "<rect x=\"{x:.1}\" y=\"1\" width=\"{width:.1}\" height=\"{:.0}\" rx=\"2\" fill=\"{colour}\"/>",
        LINE - 2.0
    ))
}

/// The letters of a run, exactly as wide as their columns whatever the font. Wide gaps are left out: they are nothing to draw.
fn words(run: &Run) -> String {
    let letters: Vec<char> = run.text.chars().collect();
    let (classes, fill) = looks(run.style);
    let mut text = String::new();
    for (start, end) in phrases(&letters) {
        let (x, width) = ((run.column + start) as f64 * COLUMN, (end - start) as f64 * COLUMN);
        let phrase = escaped(&letters[start..end].iter().collect::<String>());
        let _ = write!(
            text,
            "<text x=\"{x:.1}\" y=\"14\" textLength=\"{width:.1}\"{classes}{fill}>{phrase}</text>"
        );
    }
    text
}

/// Where phrases begin and end: words with single spaces between them.
fn phrases(letters: &[char]) -> Vec<(usize, usize)> {
    let mut phrases: Vec<(usize, usize)> = Vec::new();
    for (place, _) in letters.iter().enumerate().filter(|(_, letter)| **letter != ' ') {
        match phrases.last_mut() {
            Some((_, end)) if place <= *end + 1 => *end = place + 1,
            _ => phrases.push((place, place + 1)),
        }
    }
    phrases
}

fn looks(style: Style) -> (String, String) {
    let names: Vec<&str> = [(style.bold, "b"), (style.underlined, "u")]
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, name)| *name)
        .collect();
    let classes = if names.is_empty() { String::new() } else { format!(" class=\"{}\"", names.join(" ")) };
    (classes, style.front.map(|front| format!(" style=\"fill:{}\"", hex(front))).unwrap_or_default())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::ansi::parse;
    use super::*;

    const TIMING: Timing = Timing { frame: Duration::from_millis(200), still: 0 };

    #[test]
    fn a_line_that_stays_is_written_once() {
        let frames = [parse("same\nfirst"), parse("same\nsecond")];
        let svg = film(&frames, TIMING, 10, 2);
        assert_eq!(svg.matches(">same<").count(), 1);
        assert_eq!(svg.matches("href=\"#r0\"").count(), 2);
    }

    #[test]
    fn one_frame_is_there_for_those_who_see_nothing_move() {
        let svg = film(&[parse("a"), parse("b")], TIMING, 10, 1);
        assert_eq!(svg.matches("class=\"f still\"").count(), 1);
        assert_eq!(svg.matches("class=\"f last\"").count(), 1);
    }

    #[test]
    fn wide_gaps_part_phrases_and_single_spaces_do_not() {
        let letters: Vec<char> = "  a b   cd ".chars().collect();
        assert_eq!(phrases(&letters), [(2, 5), (8, 10)]);
    }

    #[test]
    fn marks_of_the_language_are_escaped() {
        assert!(film(&[parse("a<b & c")], TIMING, 10, 1).contains("a&lt;b &amp; c"));
    }
}
