//! Cuts a stream of bytes into lines, each with the shard it comes from.
//!
//! What is given on is whole lines only, so that lines of different shards never mix. A line that grows too long is given on
//! in pieces, each a line of its own; a last line without an end gets one.

/// The longest piece that is held back while its end has not come.
const LONGEST: usize = 64 * 1024;

/// One stream's lines.
#[derive(Debug)]
pub(super) struct Lines {
    prefix: Vec<u8>,
    /// A line whose end has not come yet.
    begun: Vec<u8>,
}

impl Lines {
    /// Lines that begin with `prefix`.
    pub(super) fn new(prefix: String) -> Self {
        Self { prefix: prefix.into_bytes(), begun: Vec::new() }
    }

    /// Takes in `bytes`; returns the lines that are whole now.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut whole = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.begun.len() >= LONGEST {
                self.give(&mut whole);
            }
        }
        whole
    }

    /// The stream has ended; returns what is left.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        if !self.begun.is_empty() {
            self.give(&mut rest);
        }
        rest
    }

    fn give(&mut self, whole: &mut Vec<u8>) {
        whole.extend_from_slice(&self.prefix);
        whole.append(&mut self.begun);
        if !whole.ends_with(b"\n") {
            whole.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Lines {
        Lines::new("[3] ".into())
    }

    #[test]
    fn only_whole_lines_are_given_on() {
        let mut lines = lines();
        assert_eq!(lines.take(b"one\ntw"), b"[3] one\n");
        assert_eq!(lines.take(b"o"), b"");
        assert_eq!(lines.take(b"\n\n"), b"[3] two\n[3] \n");
        assert_eq!(lines.finish(), b"");
    }

    #[test]
    fn a_last_line_without_an_end_gets_one() {
        let mut lines = lines();
        lines.take(b"last words");
        assert_eq!(lines.finish(), b"[3] last words\n");
    }

    #[test]
    fn a_line_that_grows_too_long_is_given_on_in_pieces() {
        let mut lines = lines();
        let piece = lines.take(&vec![b'x'; LONGEST]);
        assert_eq!(piece.len(), LONGEST + 5);
        assert!(piece.ends_with(b"x\n"));
        assert_eq!(lines.take(b"y\n"), b"[3] y\n");
    }

    #[test]
    fn bytes_that_are_no_text_stay_as_they_are() {
        assert_eq!(lines().take(b"\xff\x00\n"), b"[3] \xff\x00\n");
    }
}
