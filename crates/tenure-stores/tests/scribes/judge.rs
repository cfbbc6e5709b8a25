//! Judges the journals after a storm, by what the scribes wrote down, and without a line of what they run.

use std::collections::{BTreeMap, BTreeSet};

use super::page::{Line, Mark, digest};

/// What was found.
#[derive(Debug, Default)]
pub struct Findings {
    /// What must not be.
    pub violations: Vec<String>,
    /// How many records were acknowledged.
    pub stored: usize,
    /// How many starts of work opened a journal.
    pub opened: usize,
    /// How many were told that another has.
    pub fenced: usize,
}

/// Judges all journals: `history` is what each holds, from its first entry on.
pub fn judge(histories: &BTreeMap<u32, Vec<Mark>>, lines: &[Line]) -> Findings {
    let mut findings = Findings::default();
    for (number, history) in histories {
        findings.judge_history(*number, history);
    }
    for line in lines {
        findings.judge_line(histories, *line);
    }
    findings
}

impl Findings {
    fn find(&mut self, number: u32, what: String) {
        self.violations.push(format!("journal {number}: {what}"));
    }

    /// No number is left out, nothing stands after the fence of another, and no record is there twice.
    fn judge_history(&mut self, number: u32, history: &[Mark]) {
        let mut seen = BTreeSet::new();
        let (mut last, mut holder) = (0, (0, 0));
        for (seq, epoch, run, records) in history {
            if *seq != last + 1 {
                self.find(number, format!("entry {seq} comes after {last}"));
            }
            if *epoch < holder.0 || !records.is_empty() && holder != (*epoch, *run) {
                self.find(number, format!("entry {seq} of epoch {epoch}, run {run} comes after {holder:?}"));
            }
            if let Some(twice) = records.iter().find(|record| !seen.insert(**record)) {
                self.find(number, format!("entry {seq} has record {twice} once more"));
            }
            if records.windows(2).any(|pair| pair[0] >= pair[1]) {
                self.find(number, format!("entry {seq} has its records in another order: {records:?}"));
            }
            (last, holder) = (*seq, (*epoch, *run));
        }
    }

    fn judge_line(&mut self, histories: &BTreeMap<u32, Vec<Mark>>, line: Line) {
        let entry = |number: u32, seq: u64| histories.get(&number)?.get(usize::try_from(seq).ok()? - 1);
        match line {
            Line::Stored(number, seq, epoch, run, record) => {
                self.stored += 1;
                let found = entry(number, seq);
                if found.is_none_or(|mark| (mark.1, mark.2) != (epoch, run) || !mark.3.contains(&record)) {
                    let text = format!(
                        "record {record} was acknowledged in entry {seq} of epoch {epoch}: {found:?}"
                    );
                    self.find(number, text);
                }
            }
            Line::Opened(number, seq, epoch, run, digest_then) => {
                self.opened += 1;
                let before = histories.get(&number).and_then(|history| history.get(..seq as usize - 1));
                let is_ours = entry(number, seq).is_some_and(|mark| *mark == (seq, epoch, run, Vec::new()));
                if before.map(digest) != Some(digest_then) || !is_ours {
                    self.find(number, format!("epoch {epoch} opened at {seq}, and found another history"));
                }
            }
            Line::Fenced(..) => self.fenced += 1,
        }
    }
}
