//! What a reaper or a warden is told on its command line.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tenure::MemberId;

/// The first argument that makes this program a reaper.
pub(super) const REAPER: &str = "__reaper";

/// The first argument that makes this program a warden.
pub(super) const WARDEN: &str = "__warden";

/// What a reaper or a warden is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HelperArgs {
    /// The member.
    pub(super) member: MemberId,
    /// How much earlier than the lease's end everything is killed.
    pub(super) allowance: Duration,
    /// How often it shows that it lives.
    pub(super) beat: Duration,
    /// Whether all that runs lives in a namespace of its own.
    pub(super) isolated: bool,
    /// The limit of descriptors for children.
    pub(super) descriptors: Option<u64>,
    /// Where the history goes.
    pub(super) history: Option<PathBuf>,
    /// What is run.
    pub(super) command: Vec<OsString>,
}

impl HelperArgs {
    /// As arguments of a process that is called `name`.
    pub(super) fn to_argv(&self, name: &str) -> Vec<OsString> {
        let history = self.history.as_deref().map_or_else(|| OsStr::new(""), Path::as_os_str);
        let descriptors = self.descriptors.map_or_else(|| "-".into(), |limit| limit.to_string());
        let [allowance, beat] = [self.allowance, self.beat].map(|span| span.as_nanos().to_string());
        let (member, isolated) = (self.member.to_string(), self.isolated.to_string());
        let first = [name.to_owned(), member, allowance, beat, isolated, descriptors];
        let rest = std::iter::once(history.to_owned()).chain(self.command.iter().cloned());
        first.into_iter().map(OsString::from).chain(rest).collect()
    }

    /// Reads the arguments after the name.
    pub(super) fn read(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut next = || arguments.next()?.into_string().ok();
        let member = next()?.parse().ok()?;
        let allowance = Duration::from_nanos(next()?.parse().ok()?);
        let beat = Duration::from_nanos(next()?.parse().ok()?);
        let isolated = next()?.parse().ok()?;
        let descriptors = next()?.parse().ok();
        let history = Some(PathBuf::from(arguments.next()?)).filter(|path| !path.as_os_str().is_empty());
        let command: Vec<OsString> = arguments.collect();
        let args = Self { member, allowance, beat, isolated, descriptors, history, command };
        (!args.command.is_empty()).then_some(args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_they_were_written() {
        for history in [None, Some("/tmp/history file".into())] {
            let args = HelperArgs {
                member: "a".parse().unwrap(),
                allowance: Duration::from_millis(100),
                beat: Duration::from_millis(250),
                isolated: true,
                descriptors: Some(1024),
                history,
                command: vec!["sleep".into(), "1".into()],
            };
            let arguments = args.to_argv(WARDEN).into_iter().skip(1);
            assert_eq!(HelperArgs::read(arguments), Some(args));
        }
    }
}
