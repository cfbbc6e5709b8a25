//! Plays one page: its items in order, in the terminals that it asks for.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use super::data;
use super::item::{Block, Item};
use super::judge::{Order, Task, task};
use super::mark::Mark;
use super::page::Page;
use super::place::{Grounds, Place};
use super::spoken;
use super::tally::Tally;
use super::terminal::{Begun, Terminal};
use crate::cargo::root;

/// The terminal of a page that names none.
const FIRST: &str = "one";

/// A page that can't even begin is a failure like any other.
pub(super) fn page(page: &Page, grounds: &Grounds) -> Tally {
    let mut tally = Tally { pages: 1, ..Tally::default() };
    match grounds.place() {
        Err(problem) => tally.failures.push(format!("{}: {problem}", page.path)),
        Ok(place) => {
            let terminals = BTreeMap::new();
            let mut player = Player {
                page,
                grounds,
                place: &place,
                terminals,
                here: Vec::new(),
                stays: Vec::new(),
                tally,
            };
            player.play();
            tally = player.tally;
        }
    }
    tally
}

#[derive(Debug)]
struct Player<'a> {
    page: &'a Page,
    grounds: &'a Grounds,
    place: &'a Place,
    terminals: BTreeMap<String, Terminal>,
    /// What stands for what.
    here: Vec<(String, String)>,
    /// What still runs, by line and terminal.
    stays: Vec<(usize, String, Begun)>,
    tally: Tally,
}

impl Player<'_> {
    /// What follows a failure would fail for its sake, so the first one ends the page.
    fn play(&mut self) {
        let (count, wrong) = spoken::judge(&self.page.text, self.place);
        self.tally.read += count;
        self.tally.failures.extend(wrong.into_iter().map(|wrong| format!("{}:{wrong}", self.page.path)));
        for item in &self.page.items {
            if let Err((line, problem)) = self.item(item) {
                return self.fail(line, &problem);
            }
        }
        for (line, name, begun) in std::mem::take(&mut self.stays) {
            if let Err(problem) = self.interrupted(&name, &begun) {
                self.fail(line, &problem);
            }
        }
    }

    fn fail(&mut self, line: usize, problem: &str) {
        self.tally.failures.push(format!("{}:{line}: {problem}", self.page.path));
    }

    fn item(&mut self, item: &Item) -> Result<(), (usize, String)> {
        match item {
            Item::Here { old, new } => self.here.push((old.clone(), new.clone())),
            Item::Hidden { line, terminal, text } if self.grounds.lacks(text).is_none() => {
                let wishes = Wishes::default().within(terminal.as_deref());
                self.script(text, &wishes).map_err(|problem| (*line, problem))?;
            }
            Item::Hidden { .. } => {}
            Item::Block(block) => self.block(block).map_err(|problem| (block.line, problem))?,
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<(), String> {
        match task(block)? {
            Task::Leave(why) => self.leave(block, &why),
            Task::Write(path) => self.write(&path, &block.text)?,
            Task::Find(path) => self.find(&path, &block.text)?,
            Task::Read => self.read(block)?,
            Task::Look => {}
            Task::Script(text) => {
                self.act(block, &text, |player, text, wishes| player.script(text, wishes))?
            }
            Task::Session(orders) => self.session(block, &orders)?,
        }
        Ok(())
    }

    fn leave(&mut self, block: &Block, why: &str) {
        self.tally.left.push(format!("{}:{}: {why}", self.page.path, block.line));
    }

    fn write(&mut self, path: &str, text: &str) -> Result<(), String> {
        let quoted = path.replace('\'', "");
        let order = format!(
            "mkdir -p \"$(dirname '{quoted}')\"; cat > '{quoted}' <<'END OF BLOCK'\n{text}END OF BLOCK\n"
        );
        self.tally.files += 1;
        let order = if text.starts_with("#!") { format!("{order}chmod +x '{quoted}'\n") } else { order };
        let order = self.translated(&order);
        self.script(&order, &Wishes::default())
    }

    fn find(&mut self, path: &str, text: &str) -> Result<(), String> {
        self.tally.files += 1;
        let whole =
            fs::read_to_string(root().join(path)).map_err(|error| format!("can't read {path}: {error}"))?;
        if whole.contains(text) { Ok(()) } else { Err(format!("this is not what stands in {path}")) }
    }

    fn read(&mut self, block: &Block) -> Result<(), String> {
        self.tally.read += 1;
        data::judge(&block.language, &block.text).unwrap_or(Ok(()))
    }

    fn session(&mut self, block: &Block, orders: &[Order]) -> Result<(), String> {
        for order in orders {
            self.act(block, &order.command, |player, text, wishes| player.order(order, text, wishes))?;
        }
        Ok(())
    }

    /// Carries a text out if all is there that it needs.
    fn act(
        &mut self,
        block: &Block,
        text: &str,
        carry_out: impl Fn(&mut Self, &str, &Wishes) -> Result<(), String>,
    ) -> Result<(), String> {
        let (text, wishes) = (self.translated(text), Wishes::of(block));
        let lacking = self.grounds.lacks(&text).or_else(|| wishes.lacking(self.place));
        if let Some(why) = lacking {
            self.leave(block, &why);
            return Ok(());
        }
        self.tally.run += 1;
        carry_out(self, &text, &wishes)
    }

    fn translated(&self, text: &str) -> String {
        self.here.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
    }

    fn script(&mut self, text: &str, wishes: &Wishes) -> Result<(), String> {
        let name = wishes.terminal.clone();
        if self.stays.iter().any(|(_, busy, _)| *busy == name) {
            return Err(format!("terminal {name} is busy with what stays; say `in terminal …`"));
        }
        let begun = self.terminal(&name)?.begin(text, wishes.code != 0 || wishes.until.is_some())?;
        match (&wishes.until, wishes.stays) {
            (None, _) => self.ended(&name, &begun, wishes.code),
            (Some(text), false) => {
                self.said(&name, &begun, text)?;
                self.interrupted(&name, &begun)
            }
            (Some(text), true) => {
                self.said(&name, &begun, text)?;
                self.stays.push((wishes.line, name, begun));
                Ok(())
            }
        }
    }

    /// A command of a session prints what the page shows, and fails if it shows that.
    fn order(&mut self, order: &Order, text: &str, wishes: &Wishes) -> Result<(), String> {
        if wishes.until.is_some() || wishes.code != 0 {
            return self.script(text, wishes);
        }
        let terminal = self.terminal(&wishes.terminal)?;
        let begun = terminal.begin(text, true)?;
        let code = terminal.wait(&begun)?;
        let printed = terminal.output(&begun);
        let missing = order.missing(&printed).map(|line| format!("it did not print {line:?}"));
        let wrong =
            if (code != 0) == order.fails() { missing } else { Some(format!("it ended with {code}")) };
        wrong.map_or(Ok(()), |wrong| Err(format!("`{text}`: {wrong}\n{printed}")))
    }

    fn terminal(&mut self, name: &str) -> Result<&mut Terminal, String> {
        if !self.terminals.contains_key(name) {
            self.terminals.insert(name.to_owned(), Terminal::open(self.place, name)?);
        }
        self.terminals.get_mut(name).ok_or_else(|| format!("there is no terminal {name}"))
    }

    fn said(&mut self, name: &str, begun: &Begun, text: &str) -> Result<(), String> {
        let terminal = self.terminal(name)?;
        terminal.wait_for(begun, text).map_err(|problem| format!("{problem}\n{}", terminal.output(begun)))
    }

    fn interrupted(&mut self, name: &str, begun: &Begun) -> Result<(), String> {
        let code = self.terminal(name)?.interrupt(begun)?;
        self.judged(name, begun, code, 0)
    }

    fn ended(&mut self, name: &str, begun: &Begun, expected: i32) -> Result<(), String> {
        let code = self.terminal(name)?.wait(begun)?;
        self.judged(name, begun, code, expected)
    }

    fn judged(&mut self, name: &str, begun: &Begun, code: i32, expected: i32) -> Result<(), String> {
        let terminal = self.terminal(name)?;
        let say = || format!("it ended with {code}, not {expected}\n{}", terminal.output(begun));
        if code == expected { Ok(()) } else { Err(say()) }
    }
}

/// How a block wants to be carried out.
#[derive(Debug)]
struct Wishes {
    line: usize,
    terminal: String,
    until: Option<String>,
    stays: bool,
    code: i32,
    needs: Vec<String>,
}

impl Default for Wishes {
    fn default() -> Self {
        Self { line: 0, terminal: FIRST.to_owned(), until: None, stays: false, code: 0, needs: Vec::new() }
    }
}

impl Wishes {
    fn of(block: &Block) -> Self {
        let mut wishes = Self { line: block.line, ..Self::default() };
        for mark in &block.marks {
            match mark.clone() {
                Mark::Needs(program) => wishes.needs.push(program),
                Mark::Until(text) => wishes.until = Some(text),
                Mark::Stays(text) => (wishes.until, wishes.stays) = (Some(text), true),
                Mark::Ends(code) => wishes.code = code,
                Mark::Terminal(name) => wishes.terminal = name,
                Mark::NotRun(_) | Mark::File(_) | Mark::PartOf(_) => {}
            }
        }
        wishes
    }

    /// The same, in another terminal than the first if one is named.
    fn within(self, terminal: Option<&str>) -> Self {
        Self { terminal: terminal.unwrap_or(FIRST).to_owned(), ..self }
    }

    fn lacking(&self, place: &Place) -> Option<String> {
        let absent = self.needs.iter().find(|program| !is_installed(program, place));
        absent.map(|program| format!("{program} is not installed"))
    }
}

/// Whether the page's own terminals would find it.
fn is_installed(program: &str, place: &Place) -> bool {
    let mut look = Command::new("bash");
    place.dress(&mut look);
    let found = look.args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}
