//! What came of the pages: counted, and every block that was not run named with its reason.

/// Counts, failures, and what was left out.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) pages: usize,
    /// Scripts, and commands of sessions.
    pub(super) run: usize,
    /// Blocks of data, and what inline commands say.
    pub(super) read: usize,
    /// Blocks that are files, or parts of files, that are run elsewhere.
    pub(super) files: usize,
    pub(super) left: Vec<String>,
    pub(super) failures: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.pages += other.pages;
        self.run += other.run;
        self.read += other.read;
        self.files += other.files;
        self.left.extend(other.left);
        self.failures.extend(other.failures);
    }

    pub(super) fn verdict(mut self) -> Result<(), String> {
        self.left.sort();
        self.left.iter().for_each(|left| println!("not run: {left}"));
        self.failures.iter().for_each(|failure| println!("{failure}"));
        println!("{}", self.summary());
        if self.failures.is_empty() { Ok(()) } else { Err(format!("{} blocks fail", self.failures.len())) }
    }

    fn summary(&self) -> String {
        let Self { pages, run, read, files, left, failures } = self;
        let (left, failures) = (left.len(), failures.len());
        format!(
            "{pages} pages: {run} commands and scripts run, {files} files and parts of files, {read} read; {left} not run, {failures} failed"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted_and_no_failure() {
        let left = vec!["README.md:1: it asks a person".into()];
        let tally = Tally { pages: 1, run: 2, left, ..Tally::default() };
        assert!(tally.summary().contains("1 not run, 0 failed"), "{}", tally.summary());
        assert_eq!(tally.verdict(), Ok(()));
    }

    #[test]
    fn one_failure_fails_all() {
        let mut tally = Tally::default();
        tally.add(Tally { failures: vec!["a.md:3: it ended with 1".into()], ..Tally::default() });
        assert_eq!(tally.verdict(), Err("1 blocks fail".into()));
    }
}
