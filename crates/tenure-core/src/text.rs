//! Text that somebody else wrote, made fit to be shown.
//!
//! Names of zones, reasons and notes come from records, and whoever may write records may write anything: sequences that repaint a
//! terminal, line ends that forge a line of a log, marks that let text run backwards. None of that belongs on a screen or into a log,
//! so it is spelled out instead.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character does something else than being seen: controls, line ends, marks of direction, tags.
pub fn is_unseemly(c: char) -> bool {
    let of_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let of_lines = matches!(c, '\u{2028}' | '\u{2029}');
    c.is_control() || of_direction || of_lines || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The text on one line, with everything unseemly spelled as `\u{202e}`.
pub fn plain(text: &str) -> Cow<'_, str> {
    spelled(text, is_unseemly, |into, c| write!(into, "{}", c.escape_unicode()))
}

/// JSON with everything unseemly spelled as JSON spells it: the same value, fit to be shown. Line ends between its values stay.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| is_unseemly(c) && c != '\n';
    spelled(text, is_hidden, |into, c| {
        c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(into, "\\u{unit:04x}"))
    })
}

fn spelled(
    text: &str,
    is_hidden: impl Fn(char) -> bool,
    spell: impl Fn(&mut String, char) -> std::fmt::Result,
) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut into = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_hidden(c) {
            true => spell(&mut into, c).expect("a string takes everything"),
            false => into.push(c),
        }
    }
    Cow::Owned(into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_to_be_seen_stays() {
        for text in ["attic", "Zürich, 東京 🙂", "a\\b \"c\" <d>", ""] {
            assert_eq!(plain(text), text);
            assert_eq!(json(text), text);
        }
    }

    #[test]
    fn what_would_do_something_is_spelled() {
        assert_eq!(plain("a\x1b[2Jb\nc\u{9b}d"), "a\\u{1b}[2Jb\\u{a}c\\u{9b}d");
        assert_eq!(plain("user\u{202e}nimda"), "user\\u{202e}nimda");
    }

    #[test]
    fn json_says_the_same_as_before() {
        let said = "a\x1b\x7f\u{9b}\u{202e}\u{2028}\u{e0041}\nb";
        let spelled = serde_json::to_string_pretty(&[said]).unwrap();
        let shown = json(&spelled);
        assert!(!shown.contains(|c| is_unseemly(c) && c != '\n'), "{shown:?}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).unwrap(), [said]);
    }
}
