//! Data goes to standard output, talk to standard error, and nothing but text, line ends and our own colours reaches a terminal.
//!
//! Code that shows a text from a record spells it with [`tenure_core::text::plain`]. Errors quote much unseen text, so everything
//! passes here besides.

use std::borrow::Cow;
use std::io::Write;

use tenure_core::text::is_unseemly;

use crate::exit::Failure;
use crate::paint::Paint;

/// Writes data.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(sanitized(text).as_bytes()).and_then(|()| out.flush()).map_err(Failure::output)
}

/// Says something to the person who waits.
pub(crate) fn say(text: &str) {
    // Standard error may be closed; that changes nothing.
    let _ = writeln!(std::io::stderr().lock(), "{}", sanitized(text));
}

/// Tells what went wrong.
pub(crate) fn error(text: &str) {
    say(&format!("{} {text}", Paint::for_talk().bad("error:")));
}

/// The text, with whatever would do something to a terminal spelled out. Line ends, tabs and colours stay.
fn sanitized(text: &str) -> Cow<'_, str> {
    spelled(text, |c| matches!(c, '\n' | '\t'))
}

pub(super) fn spelled(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(|c| is_unseemly(c) && !stays(c)) {
        return Cow::Borrowed(text);
    }
    let (mut said, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        let length = colour(rest).unwrap_or(0);
        match length {
            0 if is_unseemly(c) && !stays(c) => said.extend(c.escape_unicode()),
            0 => said.push(c),
            length => said.push_str(&rest[..length]),
        }
        rest = &rest[length.max(c.len_utf8())..];
    }
    Cow::Owned(said)
}

/// How long the sequence is that the text begins with, if it sets a colour and nothing else.
fn colour(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\x1b[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some("\x1b[".len() + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_line_ends_and_colours_stay() {
        for text in ["Zürich\n\tb", "\x1b[1;31merror:\x1b[0m no", ""] {
            assert_eq!(sanitized(text), text);
        }
    }

    #[test]
    fn what_else_would_do_something_is_spelled() {
        assert_eq!(sanitized("a\x1b[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(sanitized("\x1b]0;title\x07\x1b[3"), "\\u{1b}]0;title\\u{7}\\u{1b}[3");
        assert_eq!(sanitized("\x1b[31mred\u{202e}\r"), "\x1b[31mred\\u{202e}\\u{d}");
    }

    #[test]
    fn an_event_of_the_log_is_one_line() {
        assert_eq!(spelled("why=a\nINFO all is well", |_| false), "why=a\\u{a}INFO all is well");
    }
}
