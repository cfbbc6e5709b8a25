//! Settings in layers: flag over environment variable over file over default, under one name everywhere.
//!
//! The definitions of the commands are the only list of settings. An option `--name` with the variable `TENURE_NAME` is the
//! key `name` of the file; what the file says becomes the option's default, so that the upper layers win by themselves, and
//! every value is read by the same parser wherever it stands.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use toml::{Table, Value};

use crate::exit::{Exit, Failure};

/// Names the file.
pub(crate) const CONFIG_VARIABLE: &str = "TENURE_CONFIG";

/// Read without being named, if it is there.
const USUAL: &str = "tenure.toml";

/// A settings file.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    table: Table,
}

impl File {
    /// Reads the file at `path`, or without one the usual file, if there is one.
    pub(crate) fn find(path: Option<&PathBuf>) -> Result<Option<Self>, Failure> {
        match path {
            Some(path) => Self::read(path).map(Some),
            None if Path::new(USUAL).exists() => Self::read(Path::new(USUAL)).map(Some),
            None => Ok(None),
        }
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let hint = if error.kind() == ErrorKind::NotFound { "; name one that is there" } else { "" };
            wrong(path, format!("can't be read{hint}")).because(error)
        })?;
        let table = text.parse().map_err(|error: toml::de::Error| {
            wrong(path, format!("is not TOML:\n{}", error.to_string().trim_end()))
        })?;
        Ok(Self { path: path.to_owned(), table })
    }

    /// Puts what the file says beneath what is typed and what the environment says.
    pub(crate) fn beneath(&self, mut program: Command) -> Result<Command, Failure> {
        let known = settings(&program);
        for (key, value) in &self.table {
            let Some(setting) = known.get(key) else { return Err(self.unknown(key, known.keys())) };
            let words = self.words(key, value)?;
            try_out(setting, &words).map_err(|why| self.refuse(key, &why))?;
            program = lay(program, key, &words);
        }
        Ok(program)
    }

    fn words(&self, key: &str, value: &Value) -> Result<Vec<String>, Failure> {
        match value {
            Value::Array(values) => values.iter().map(|value| self.word(key, value)).collect(),
            single => self.word(key, single).map(|word| vec![word]),
        }
    }

    fn word(&self, key: &str, value: &Value) -> Result<String, Failure> {
        match value {
            Value::String(text) => Ok(text.clone()),
            Value::Integer(number) => Ok(number.to_string()),
            Value::Float(number) => Ok(number.to_string()),
            Value::Boolean(flag) => Ok(flag.to_string()),
            Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
                Err(self.refuse(key, "write a text, a number, true or false"))
            }
        }
    }

    fn refuse(&self, key: &str, why: &str) -> Failure {
        wrong(&self.path, format!("has a bad value for `{key}`: {why}"))
    }

    fn unknown<'a>(&self, key: &str, known: impl Iterator<Item = &'a String>) -> Failure {
        let known = known.map(String::as_str).collect::<Vec<_>>().join(", ");
        wrong(&self.path, format!("has an unknown key `{key}`; these are known: {known}"))
    }
}

fn wrong(path: &Path, problem: String) -> Failure {
    Failure::new(Exit::Usage, format!("settings file {} {problem}", path.display()))
}

/// Every setting of `program` and its commands, by name.
pub(super) fn settings(program: &Command) -> BTreeMap<String, Arg> {
    let own = program.get_arguments().filter_map(|arg| Some((name(arg)?.to_owned(), arg.clone())));
    own.chain(program.get_subcommands().flat_map(settings)).collect()
}

/// An option that has an environment variable of its own name is a setting.
fn name(arg: &Arg) -> Option<&str> {
    let long = arg.get_long()?;
    let variable = format!("TENURE_{}", long.to_uppercase().replace('-', "_"));
    (variable != CONFIG_VARIABLE && arg.get_env()?.to_str() == Some(variable.as_str())).then_some(long)
}

/// Gives the setting `key` these words as its default, in every command that has it.
pub(super) fn lay(program: Command, key: &str, words: &[String]) -> Command {
    let takes = |arg: Arg| if name(&arg) == Some(key) { arg.default_values(words.to_vec()) } else { arg };
    program.mut_args(takes).mut_subcommands(|command| lay(command, key, words))
}

/// Whether the setting takes these words; if not, why.
pub(super) fn try_out(setting: &Arg, words: &[String]) -> Result<(), String> {
    let alone = setting.clone().default_values(words.to_vec()).env(None::<&str>).required(false);
    let command = Command::new("tenure").no_binary_name(true).arg(alone);
    command.try_get_matches_from(std::iter::empty::<&str>()).map(drop).map_err(|error| reason(&error, words))
}

fn reason(error: &clap::Error, words: &[String]) -> String {
    let said = words.join(", ");
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(valid)) => format!("{said:?} is not one of {}", valid.join(", ")),
        _ => format!("{said:?} is not accepted{cause}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, value_parser};

    fn program() -> Command {
        let shards = Arg::new("shards").long("shards").env("TENURE_SHARDS").value_parser(value_parser!(u32));
        let store = Arg::new("store").long("store").env("TENURE_STORE").default_value("sqlite:tenure.db");
        let silent = Arg::new("json").long("json");
        Command::new("tenure").subcommand(Command::new("run").args([shards, store, silent]))
    }

    fn file(text: &str) -> File {
        File { path: "tenure.toml".into(), table: text.parse().unwrap() }
    }

    fn story(text: &str) -> String {
        file(text).beneath(program()).unwrap_err().story()
    }

    #[test]
    fn what_is_typed_wins_over_the_file_and_the_file_over_the_default() {
        let program = file("shards = 8\nstore = 'sqlite:file.db'").beneath(program()).unwrap();
        let matches = program.get_matches_from(["tenure", "run", "--shards", "4"]);
        let run = matches.subcommand_matches("run").unwrap();
        assert_eq!(run.get_one::<u32>("shards"), Some(&4));
        assert_eq!(run.get_one::<String>("store").unwrap(), "sqlite:file.db");
    }

    #[test]
    fn an_unknown_key_is_named_with_its_file() {
        let told = story("shard = 8");
        assert_eq!(
            told,
            "settings file tenure.toml has an unknown key `shard`; these are known: shards, store"
        );
    }

    #[test]
    fn an_option_without_a_variable_is_no_setting() {
        assert!(story("json = true").contains("unknown key `json`"));
    }

    #[test]
    fn a_bad_value_is_named_with_its_key_and_file() {
        let told = story("shards = 'many'");
        assert!(told.starts_with("settings file tenure.toml has a bad value for `shards`: "), "{told}");
        assert!(story("[shards]\nx = 1").contains("write a text, a number, true or false"));
    }
}
