//! What a page consists of, for whoever carries it out: blocks of code, hidden commands, and what stands for what here.

use super::mark::{Mark, marks};

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The line that opens it, from 1.
    pub(super) line: usize,
    /// The first word of its info string.
    pub(super) language: String,
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Block(Block),
    /// Commands that the reader does not see.
    Hidden {
        line: usize,
        terminal: Option<String>,
        text: String,
    },
    /// From here on, one text in place of another.
    Here {
        old: String,
        new: String,
    },
}

/// All items of a page, in order; an error names the line that makes no sense.
pub(super) fn items(text: &str) -> Result<Vec<Item>, String> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let (mut found, mut pending) = (Vec::new(), Vec::new());
    while let Some((number, line)) = lines.next() {
        if let Some(fence) = fence(line) {
            let body = body(&mut lines, fence);
            let language = info(line).split([',', ' ']).next().unwrap_or_default().to_owned();
            found.push(Item::Block(Block { line: number, language, text: body, marks: pending }));
            pending = Vec::new();
        } else if line.starts_with("<!--") {
            let comment = comment(line, &mut lines);
            let item = read(&comment, number, &mut pending).map_err(|error| format!("{number}: {error}"))?;
            found.extend(item);
        } else if !pending.is_empty() && !line.trim().is_empty() {
            return Err(format!("{number}: a mark of a block, and no block after it"));
        }
    }
    Ok(found)
}

/// What a comment means; marks wait for their block.
fn read(comment: &str, line: usize, pending: &mut Vec<Mark>) -> Result<Option<Item>, String> {
    if let Some((terminal, text)) = hidden(comment) {
        return Ok(Some(Item::Hidden { line, terminal, text: format!("{}\n", text.trim()) }));
    }
    if let Some(text) = comment.strip_prefix("block:") {
        pending.extend(marks(text)?);
        return Ok(None);
    }
    let Some(text) = comment.strip_prefix("here:") else { return Ok(None) };
    let (old, new) = text.split_once(" = ").ok_or("say `here: OLD = NEW`")?;
    Ok(Some(Item::Here { old: old.trim().to_owned(), new: new.trim().to_owned() }))
}

/// `run: COMMANDS`, or `run in TERMINAL: COMMANDS`.
fn hidden(comment: &str) -> Option<(Option<String>, &str)> {
    let (opening, text) = comment.split_once(':')?;
    let terminal = opening.strip_prefix("run in ").map(str::to_owned);
    (opening == "run" || terminal.is_some()).then_some((terminal, text))
}

/// The space before a fence, if the line is one.
fn fence(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    trimmed.starts_with("```").then(|| line.len() - trimmed.len())
}

fn info(line: &str) -> &str {
    line.trim_start().trim_start_matches('`').trim()
}

/// The lines up to the closing fence, without the space that the fence has before it.
fn body<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>, indent: usize) -> String {
    let inside = lines.map(|(_, line)| line).take_while(|line| fence(line).is_none());
    inside.map(|line| format!("{}\n", line.get(indent..).unwrap_or_default())).collect()
}

/// The text of a comment that may have several lines.
fn comment<'a>(first: &str, lines: &mut impl Iterator<Item = (usize, &'a str)>) -> String {
    let mut text = first.to_owned();
    while !text.contains("-->") {
        let Some((_, line)) = lines.next() else { break };
        text = format!("{text}\n{line}");
    }
    text.trim_start_matches("<!--").split("-->").next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(line: usize, language: &str, text: &str, marks: Vec<Mark>) -> Item {
        Item::Block(Block { line, language: language.into(), text: text.into(), marks })
    }

    #[test]
    fn blocks_come_with_their_line_and_the_marks_before_them() {
        let page = "# A\n<!-- block: ends with 3 -->\n\n```sh\ntenure status\n```\n\n```json,x\n{}\n```\n";
        assert_eq!(
            items(page).unwrap(),
            [block(4, "sh", "tenure status\n", vec![Mark::Ends(3)]), block(8, "json", "{}\n", vec![])]
        );
    }

    #[test]
    fn hidden_commands_may_have_several_lines() {
        let hidden = |terminal, text: &str| Item::Hidden { line: 1, terminal, text: text.into() };
        assert_eq!(items("<!-- run:\na\nb\n-->\ntext\n").unwrap(), [hidden(None, "a\nb\n")]);
        assert_eq!(items("<!-- run in two: c -->\n").unwrap(), [hidden(Some("two".into()), "c\n")]);
    }

    #[test]
    fn a_substitution_is_split_at_its_sign() {
        let here = Item::Here { old: "'s3://b?region=x'".into(), new: "\"$S3_URL\"".into() };
        assert_eq!(items("<!-- here: 's3://b?region=x' = \"$S3_URL\" -->\n").unwrap(), [here]);
    }

    #[test]
    fn other_comments_are_left_alone_and_a_mark_without_a_block_is_refused() {
        assert_eq!(items("<!-- a note -->\n").unwrap(), []);
        assert_eq!(
            items("<!-- block: ends with 1 -->\ntext\n").unwrap_err(),
            "2: a mark of a block, and no block after it"
        );
    }

    #[test]
    fn a_block_within_a_list_loses_the_space_before_it() {
        assert_eq!(
            items("- x\n\n  ```text\n  a\n    b\n  ```\n").unwrap(),
            [block(3, "text", "a\n  b\n", vec![])]
        );
    }
}
