//! Marks: what a page says of a block to those who carry it out, in a comment before it.

/// One mark of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// `not run: REASON`
    NotRun(String),
    /// `needs PROGRAM`: left out, openly, where that is not installed.
    Needs(String),
    /// `until TEXT`: never ends by itself; it is interrupted, as by Ctrl-C, once its output holds this, and must then end well.
    Until(String),
    /// `stays until TEXT`: as `until`, but it goes on beside what follows, to the end of the page.
    Stays(String),
    /// `ends with CODE`
    Ends(i32),
    /// `in terminal NAME`: other than the first.
    Terminal(String),
    /// `file PATH`: the reader writes it down there.
    File(String),
    /// `part of PATH`: it stands so in that file of the tree, which is run itself.
    PartOf(String),
}

/// All marks of a comment, between semicolons.
pub(super) fn marks(text: &str) -> Result<Vec<Mark>, String> {
    text.split(';').map(|mark| read(mark.trim())).collect()
}

fn read(text: &str) -> Result<Mark, String> {
    let after = |words: &str| text.strip_prefix(words).map(|rest| rest.trim().to_owned());
    let known = None
        .or_else(|| after("not run:").map(Mark::NotRun))
        .or_else(|| after("needs ").map(Mark::Needs))
        .or_else(|| after("until ").map(Mark::Until))
        .or_else(|| after("stays until ").map(Mark::Stays))
        .or_else(|| after("ends with ").and_then(|code| code.parse().ok()).map(Mark::Ends))
        .or_else(|| after("in terminal ").map(Mark::Terminal))
        .or_else(|| after("file ").map(Mark::File))
        .or_else(|| after("part of ").map(Mark::PartOf));
    known.ok_or_else(|| format!("nobody knows the mark {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_marks_stand_between_semicolons() {
        let expected = [Mark::Terminal("two".into()), Mark::Stays("epoch 1".into())];
        assert_eq!(marks("in terminal two; stays until epoch 1").unwrap(), expected);
    }

    #[test]
    fn an_unknown_mark_is_refused() {
        assert_eq!(marks("skip").unwrap_err(), "nobody knows the mark \"skip\"");
        assert!(marks("ends with love").is_err());
    }
}
