//! What is to be done with a block, by its language and its marks. Every block has an answer, or the page is wrong.

use super::item::Block;
use super::mark::Mark;

/// Into the database that a page made for itself, else into that of the tests.
const SQL: &str = "psql -q -v ON_ERROR_STOP=1 \"${DATABASE_URL:-$POSTGRES_URL}\"";

/// What is to be done with a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// It is not run, for this reason.
    Leave(String),
    /// It is written to this file.
    Write(String),
    /// It must stand in this file of the tree.
    Find(String),
    /// It must be readable data.
    Read,
    /// It shows something, and orders nothing.
    Look,
    /// It is a script.
    Script(String),
    /// It is a session: commands behind `$`, each with what it prints.
    Session(Vec<Order>),
}

/// A command of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) command: String,
    pub(super) shown: Vec<String>,
}

pub(super) fn task(block: &Block) -> Result<Task, String> {
    for mark in &block.marks {
        match mark {
            Mark::NotRun(why) => return Ok(Task::Leave(why.clone())),
            Mark::File(path) => return Ok(Task::Write(path.clone())),
            Mark::PartOf(path) => return Ok(Task::Find(path.clone())),
            Mark::Needs(_) | Mark::Until(_) | Mark::Stays(_) | Mark::Ends(_) | Mark::Terminal(_) => {}
        }
    }
    by_language(block)
}

fn by_language(block: &Block) -> Result<Task, String> {
    match block.language.as_str() {
        "sh" => Ok(Task::Script(block.text.clone())),
        "python" => Ok(Task::Script(heredoc("python3 -", &block.text))),
        "sql" => Ok(Task::Script(heredoc(SQL, &block.text))),
        "console" => Ok(Task::Session(orders(&block.text))),
        "text" if block.text.starts_with("$ ") => Ok(Task::Session(orders(&block.text))),
        "text" => Ok(Task::Look),
        "json" | "yaml" | "toml" => Ok(Task::Read),
        "rust" => Err("code must be a file that is run, or a part of one: mark it".into()),
        other => Err(format!("nobody knows how to judge a block of {other:?}")),
    }
}

fn heredoc(program: &str, text: &str) -> String {
    format!("{program} <<'END OF BLOCK'\n{text}END OF BLOCK\n")
}

fn orders(text: &str) -> Vec<Order> {
    let mut orders: Vec<Order> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), orders.last_mut()) {
            (Some(command), _) => {
                orders.push(Order { command: command.to_owned(), shown: Vec::new() });
            }
            (None, Some(order)) => order.shown.push(line.to_owned()),
            (None, None) => {}
        }
    }
    orders
}

impl Order {
    /// Whether the page shows that this command fails.
    pub(super) fn fails(&self) -> bool {
        self.shown.iter().any(|line| line.starts_with("error:"))
    }

    /// The first line that the page shows and the command did not print. Numbers differ from run to run, so lines that hold
    /// some are not asked for, but for errors.
    pub(super) fn missing(&self, printed: &str) -> Option<&str> {
        let printed: Vec<String> = printed.lines().map(even).collect();
        let asked =
            self.shown.iter().filter(|line| line.starts_with("error:") || is_the_same_each_time(line));
        asked.map(String::as_str).find(|line| {
            let begun = even(line.split('…').next().unwrap_or_default());
            !printed
                .iter()
                .any(|other| other == &even(line) || line.contains('…') && other.starts_with(&begun))
        })
    }
}

fn is_the_same_each_time(line: &str) -> bool {
    !line.trim().is_empty() && !line.contains(|c: char| c.is_ascii_digit() || c == '…')
}

/// Columns are as wide as what stands in them.
fn even(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(language: &str, text: &str, marks: Vec<Mark>) -> Block {
        Block { line: 1, language: language.into(), text: text.into(), marks }
    }

    #[test]
    fn a_block_of_an_unknown_language_and_code_without_a_mark_are_refused() {
        assert!(task(&block("", "x\n", vec![])).unwrap_err().contains("nobody knows"));
        assert!(task(&block("rust", "fn main() {}\n", vec![])).unwrap_err().contains("mark it"));
    }

    #[test]
    fn a_text_that_begins_with_a_prompt_is_a_session() {
        let text = "$ tenure status\nerror: no\n$ tenure acts\n";
        let order = |command: &str, shown: &[&str]| Order {
            command: command.into(),
            shown: shown.iter().map(|&line| line.into()).collect(),
        };
        let expected = vec![order("tenure status", &["error: no"]), order("tenure acts", &[])];
        assert_eq!(task(&block("text", text, vec![])), Ok(Task::Session(expected)));
        assert_eq!(task(&block("text", "a ─► b\n", vec![])), Ok(Task::Look));
    }

    #[test]
    fn what_is_not_run_has_a_reason() {
        let marks = vec![Mark::NotRun("it asks a person".into())];
        assert_eq!(task(&block("sh", "x\n", marks)), Ok(Task::Leave("it asks a person".into())));
    }

    #[test]
    fn lines_without_numbers_and_errors_must_be_printed_as_shown() {
        let shown = ["  A   ada  owns", "took 3 ms", "error: 7 wrong; these are known: a, …", "…"];
        let order = Order { command: String::new(), shown: shown.map(str::to_owned).to_vec() };
        assert_eq!(order.missing(" A ada   owns\nerror: 7 wrong; these are known: a, b\n"), None);
        assert_eq!(order.missing("A ada owns\nerror: 8 wrong\n"), Some(shown[2]));
        assert_eq!(order.missing("error: 7 wrong; these are known: a, b\n"), Some(shown[0]));
        assert!(order.fails());
    }
}
