//! What a command does not find in its environment: whatever opens the store, or speaks for this member.
//!
//! A command that is broken into should not be able to take its shard from the member that runs it. So everything that tenure itself
//! may read a secret from is withheld, unless it is passed on by name. This is no wall: a command of the same user can read what this
//! process knows. It keeps secrets out of child processes, crash reports and logs of environments.

use std::ffi::OsString;
use std::str::FromStr;

/// Variables with these beginnings are withheld: `TENURE_` is ours, the others are read by the stores on S3, Azure and Google Cloud.
const BEGINNINGS: [&str; 4] = ["TENURE_", "AWS_", "AZURE_", "GOOGLE_"];

/// These are withheld besides: of PostgreSQL, Kubernetes, and the collector of traces.
const NAMES: [&str; 8] = [
    "PGPASSWORD",
    "PGPASSFILE",
    "PGSERVICE",
    "PGSERVICEFILE",
    "PGSSLKEY",
    "KUBECONFIG",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
];

/// A variable that is passed on, or all that begin alike, as in `AWS_*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    beginning: String,
    whole: bool,
}

impl FromStr for Pass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (beginning, whole) = text.strip_suffix('*').map_or((text, true), |beginning| (beginning, false));
        let odd = |c: char| c == '=' || c == '*' || c == '\0';
        if beginning.is_empty() || beginning.contains(odd) {
            return Err(
                "use the name of a variable, such as TENURE_STORE, or a beginning, such as AWS_*".into()
            );
        }
        Ok(Self { beginning: beginning.into(), whole })
    }
}

impl Pass {
    fn covers(&self, name: &str) -> bool {
        if self.whole { name == self.beginning } else { name.starts_with(&self.beginning) }
    }
}

/// Which of these variables a command does not get.
pub(super) fn withheld(names: impl Iterator<Item = OsString>, passed: &[Pass]) -> Vec<OsString> {
    let is_withheld = |name: &OsString| {
        let name = name.to_string_lossy();
        let secret = BEGINNINGS.iter().any(|start| name.starts_with(start)) || NAMES.contains(&name.as_ref());
        secret && !passed.iter().any(|pass| pass.covers(&name))
    };
    names.filter(is_withheld).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out(names: &[&str], passed: &[&str]) -> Vec<String> {
        let passed: Vec<Pass> = passed.iter().map(|text| text.parse().unwrap()).collect();
        let names = withheld(names.iter().map(OsString::from), &passed);
        names.into_iter().map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn what_may_hold_secrets_is_withheld_and_the_rest_is_not() {
        let names = [
            "PATH",
            "TENURE_STORE",
            "AWS_REGION",
            "PGPASSWORD",
            "PGHOST",
            "KUBERNETES_SERVICE_HOST",
            "MY_AWS_KEY",
        ];
        assert_eq!(left_out(&names, &[]), ["TENURE_STORE", "AWS_REGION", "PGPASSWORD"]);
    }

    #[test]
    fn what_is_passed_on_is_not_withheld() {
        let names = ["TENURE_STORE", "TENURE_STORES", "AWS_REGION", "AWS_PROFILE"];
        assert_eq!(left_out(&names, &["TENURE_STORE", "AWS_*"]), ["TENURE_STORES"]);
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "*", "A=B", "A*B"] {
            assert!(text.parse::<Pass>().is_err(), "{text}");
        }
    }
}
