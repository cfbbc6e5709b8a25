//! The settings that there are, by what the commands declare; and how a value gets beneath them.

use std::collections::BTreeMap;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};

use super::CONFIG_VARIABLE;

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
