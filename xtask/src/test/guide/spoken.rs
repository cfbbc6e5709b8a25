//! Commands in the midst of a sentence: too short to be run, but their verb and their options exist.

use std::collections::BTreeMap;
use std::process::Command;

use super::place::Place;

/// What is wrong with the commands of the program in the text's `code`, with their lines.
pub(super) fn judge(text: &str, place: &Place) -> (usize, Vec<String>) {
    let mut helps = BTreeMap::new();
    let (mut count, mut found) = (0, Vec::new());
    for (line, said) in said(text) {
        count += 1;
        let (verb, options) = parts(&said);
        let help = helps.entry(verb.clone()).or_insert_with(|| help(&verb, place));
        match help {
            None => found.push(format!("{line}: there is no `tenure {verb}`")),
            Some(help) => found.extend(
                options
                    .iter()
                    .filter(|option| !knows(help, option))
                    .map(|option| format!("{line}: `tenure {verb}` has no option {option}")),
            ),
        }
    }
    (count, found)
}

/// Every `tenure …` between backticks, outside of blocks.
fn said(text: &str) -> Vec<(usize, String)> {
    let mut fenced = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        let spans = line.split('`').skip(1).step_by(2).filter(|span| span.starts_with("tenure "));
        found.extend(spans.filter(|_| !fenced).map(|span| (index + 1, span.to_owned())));
    }
    found
}

/// The verb, with its second word if it is of those that have one, and the options before a command of the reader's own.
fn parts(said: &str) -> (String, Vec<String>) {
    let words: Vec<&str> = said.split_whitespace().skip(1).take_while(|word| *word != "--").collect();
    let verb = words.iter().take(if matches!(words.first(), Some(&("store" | "journal"))) { 2 } else { 1 });
    let verb = verb.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    let options = words.iter().filter(|word| word.starts_with("--"));
    let named = options.map(|word| word.split('=').next().unwrap_or(word).to_owned()).collect();
    (verb.copied().collect::<Vec<_>>().join(" "), named)
}

fn knows(help: &str, option: &str) -> bool {
    help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(|word| word == option)
}

fn help(verb: &str, place: &Place) -> Option<String> {
    let mut command = Command::new("tenure");
    place.dress(&mut command);
    let answer = command.args(verb.split_whitespace()).arg("--help").output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_between_backticks_and_not_in_blocks() {
        let text = "Say `tenure status --check`, or `cargo`.\n```sh\n`tenure x`\n```\n";
        assert_eq!(said(text), [(1, "tenure status --check".to_owned())]);
    }

    #[test]
    fn a_command_has_a_verb_and_options() {
        let options = vec!["--store".to_owned(), "--shards".to_owned()];
        assert_eq!(parts("tenure run --store URL --shards=3 -- sh --login"), ("run".into(), options));
        assert_eq!(parts("tenure store check").0, "store check");
    }

    #[test]
    fn an_option_is_known_by_its_whole_name() {
        assert!(knows("  --dry-run  Say it", "--dry-run"));
        assert!(!knows("  --dry-run  Say it", "--dry"));
    }
}
