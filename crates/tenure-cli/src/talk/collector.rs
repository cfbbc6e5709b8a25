//! Where traces go: by the program's own option, or by the variables that OpenTelemetry gave everybody.

use opentelemetry_otlp::{
    OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL,
};
use reqwest::Url;

use crate::exit::{Exit, Failure};
use crate::talk;

/// Where a collector takes traces, below its address.
const PATH: &str = "/v1/traces";

/// A collector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Collector {
    /// Where traces are sent to.
    pub(super) url: Url,
}

impl Collector {
    /// The collector that is named by the option or, if that says nothing, by a variable; an empty one says nothing.
    pub(super) fn find(
        option: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Failure> {
        let variable = |name| variable(name).filter(|said| !said.is_empty());
        if let Some(said) = option.filter(|said| !said.is_empty()) {
            return Self::below("--traces", said).map(Some);
        }
        let found =
            match (variable(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT), variable(OTEL_EXPORTER_OTLP_ENDPOINT)) {
                (Some(said), _) => Self::at(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, &said).map(Some),
                (None, Some(said)) => Self::below(OTEL_EXPORTER_OTLP_ENDPOINT, &said).map(Some),
                (None, None) => Ok(None),
            };
        let protocol =
            variable(OTEL_EXPORTER_OTLP_TRACES_PROTOCOL).or_else(|| variable(OTEL_EXPORTER_OTLP_PROTOCOL));
        found.map(|found| found.filter(|_| speaks(protocol.as_deref())))
    }

    /// Traces are sent to the very address.
    fn at(name: &str, said: &str) -> Result<Self, Failure> {
        let wrong = || {
            // What is not understood may hold a password anywhere.
            let message = format!("{name} is no address of a collector");
            Failure::new(
                Exit::Usage,
                format!("{message}; say http://HOST:PORT, such as http://127.0.0.1:4318"),
            )
        };
        let url = Url::parse(said).map_err(|error| wrong().because(error))?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        if is_web { Ok(Self { url }) } else { Err(wrong()) }
    }

    /// Traces are sent below the address, unless it says that itself.
    fn below(name: &str, said: &str) -> Result<Self, Failure> {
        let mut found = Self::at(name, said)?;
        let path = found.url.path().trim_end_matches('/');
        let path = path.strip_suffix(PATH).unwrap_or(path);
        found.url.set_path(&format!("{path}{PATH}"));
        Ok(found)
    }

    /// Its address, for people: without what may be secret.
    pub(super) fn place(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

/// A variable that is meant for other programs must not keep a member from starting.
fn speaks(protocol: Option<&str>) -> bool {
    let grpc = protocol == Some("grpc");
    if grpc {
        talk::say(
            "nothing is traced: OTEL_EXPORTER_OTLP_PROTOCOL says grpc, and only http/protobuf is spoken here; \
             name the collector's HTTP port with --traces",
        );
    }
    !grpc
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(option: Option<&str>, variables: &[(&str, &str)]) -> Option<String> {
        let variable = |name: &str| {
            let mut all = variables.iter();
            all.find(|(known, _)| *known == name).map(|(_, said)| (*said).to_owned())
        };
        Collector::find(option, variable).unwrap().map(|collector| collector.url.to_string())
    }

    #[test]
    fn the_option_wins_over_the_variables_and_the_nearer_variable_over_the_general_one() {
        let general = (OTEL_EXPORTER_OTLP_ENDPOINT, "http://general:4318");
        let nearer = (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, "http://nearer:4318/taken/as/it/is");
        assert_eq!(found(None, &[]), None);
        assert_eq!(found(None, &[general]).unwrap(), "http://general:4318/v1/traces");
        assert_eq!(found(None, &[general, nearer]).unwrap(), "http://nearer:4318/taken/as/it/is");
        assert_eq!(found(Some("http://option"), &[general, nearer]).unwrap(), "http://option/v1/traces");
    }

    #[test]
    fn what_is_empty_says_nothing() {
        assert_eq!(found(Some(""), &[(OTEL_EXPORTER_OTLP_ENDPOINT, "")]), None);
    }

    #[test]
    fn the_path_is_added_once() {
        for said in ["https://c:4318/a", "https://c:4318/a/", "https://c:4318/a/v1/traces"] {
            assert_eq!(found(Some(said), &[]).unwrap(), "https://c:4318/a/v1/traces");
        }
    }

    #[test]
    fn a_variable_that_asks_for_grpc_gives_no_traces_but_the_option_does() {
        let variables =
            [(OTEL_EXPORTER_OTLP_ENDPOINT, "http://c:4317"), (OTEL_EXPORTER_OTLP_PROTOCOL, "grpc")];
        assert_eq!(found(None, &variables), None);
        assert_eq!(found(Some("http://c:4318"), &variables).unwrap(), "http://c:4318/v1/traces");
    }

    #[test]
    fn what_is_no_address_is_refused_with_the_name_of_who_said_it() {
        for said in ["localhost:4318", "127.0.0.1:4318", "grpc://c:4317", "http://", "c"] {
            let told = Collector::find(Some(said), |_| None).unwrap_err().story();
            assert!(told.starts_with("--traces is no address of a collector; say http://"), "{told}");
        }
        let told = Collector::find(None, |name| (name == OTEL_EXPORTER_OTLP_ENDPOINT).then(|| "c".into()));
        assert!(told.unwrap_err().story().starts_with("OTEL_EXPORTER_OTLP_ENDPOINT is no address"));
    }

    #[test]
    fn people_are_told_no_secrets() {
        let collector = Collector::find(Some("https://eve:secret@c:4318/key"), |_| None).unwrap().unwrap();
        assert_eq!(collector.place(), "https://c:4318");
        let told = Collector::find(Some("grpc://eve:secret@c:4318"), |_| None).unwrap_err().story();
        assert!(!told.contains("secret"), "{told}");
    }
}
