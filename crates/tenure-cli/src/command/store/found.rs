//! What `store check` found, for people and for programs.

use serde::Serialize;
use tenure::cluster::Inspection;

use super::records;
use super::trial::Finding;
use crate::format;
use crate::paint::Paint;

/// What was found.
#[derive(Debug)]
pub(super) struct Found {
    /// The store's address, as it may be shown.
    pub(super) store: String,
    pub(super) cluster: String,
    /// The store's promises; `None` if they could not be tried, since this user may only read.
    pub(super) promises: Option<Vec<(&'static str, Finding)>>,
    /// The cluster's records; `None` if there is no such cluster.
    pub(super) records: Option<Inspection>,
}

/// The same as JSON. Names stay, new ones may be added.
#[derive(Serialize)]
struct Document<'a> {
    store: &'a str,
    cluster: &'a str,
    /// Whether the store may be used; null if that was not tried.
    usable: Option<bool>,
    promises: Vec<Promise<'a>>,
    /// Null if there is no such cluster.
    records: Option<Records<'a>>,
}

#[derive(Serialize)]
struct Promise<'a> {
    promise: &'a str,
    /// `kept`, `lacking`: the store does without, or `broken`.
    finding: &'static str,
    /// What that costs, or how it is broken.
    what: Option<&'a str>,
}

#[derive(Serialize)]
struct Records<'a> {
    count: usize,
    broken: Vec<records::Document>,
    missing: &'a [String],
}

impl Found {
    /// Whether all that was tried is well.
    pub(super) fn is_sound(&self) -> bool {
        self.broken() == 0 && self.records.as_ref().is_none_or(Inspection::is_whole)
    }

    fn broken(&self) -> usize {
        self.promises.iter().flatten().filter(|(_, finding)| finding.is_fatal()).count()
    }

    pub(super) fn json(&self) -> String {
        let records = self.records.as_ref().map(|found| Records {
            count: found.records,
            broken: found.broken.iter().map(records::Document::of).collect(),
            missing: &found.missing,
        });
        format::json_lines(&Document {
            store: &self.store,
            cluster: &self.cluster,
            usable: self.promises.as_ref().map(|_| self.broken() == 0),
            promises: self.promises.iter().flatten().map(promise).collect(),
            records,
        })
    }

    pub(super) fn text(&self, paint: Paint) -> String {
        let records = self.records.as_ref();
        let records = records.map(|found| format!("\n{}", records::report(&self.cluster, found, paint)));
        format!("store {}\n\n{}{}", self.store, self.tried(paint), records.unwrap_or_default())
    }

    fn tried(&self, paint: Paint) -> String {
        let Some(promises) = &self.promises else {
            return format!(
                "  {}  its promises were not tried: this user may only read it\n",
                paint.dim("--")
            );
        };
        let lines: String = promises.iter().map(|one| line(one, paint)).collect();
        let conclusion = match self.broken() {
            0 => paint.good("This store may be used."),
            1 => paint.bad("This store may not be used: it breaks a promise."),
            broken => paint.bad(&format!("This store may not be used: it breaks {broken} promises.")),
        };
        format!("{lines}\n{conclusion}\n")
    }
}

fn promise<'a>((promise, finding): &'a (&'static str, Finding)) -> Promise<'a> {
    let (finding, what) = match finding {
        Finding::Kept => ("kept", None),
        Finding::Lacking(cost) => ("lacking", Some(*cost)),
        Finding::Broken(what) => ("broken", Some(what.as_str())),
    };
    Promise { promise, finding, what }
}

fn line((promise, finding): &(&'static str, Finding), paint: Paint) -> String {
    match finding {
        Finding::Kept => format!("  {}  {promise}\n", paint.good("ok")),
        Finding::Lacking(cost) => format!("  {}  {promise}: no; {cost}\n", paint.dim("--")),
        Finding::Broken(what) => format!("  {}  {promise}: {what}\n", paint.bad("NO")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(promises: Option<Vec<(&'static str, Finding)>>) -> Found {
        Found { store: "paper:".into(), cluster: "orders".into(), promises, records: None }
    }

    #[test]
    fn a_report_says_plainly_what_it_means() {
        let found = found(Some(vec![
            ("creates", Finding::Kept),
            ("hints", Finding::Lacking("members look again on their own")),
            ("compares", Finding::Broken("it replaced a version that is no more".into())),
        ]));
        assert_eq!(
            found.text(Paint::off()),
            "store paper:\n\n  ok  creates\n  --  hints: no; members look again on their own\n  \
             NO  compares: it replaced a version that is no more\n\nThis store may not be used: it breaks a promise.\n"
        );
        let json: serde_json::Value = serde_json::from_str(&found.json()).unwrap();
        assert_eq!((&json["usable"], &json["promises"][2]["finding"]), (&false.into(), &"broken".into()));
    }

    #[test]
    fn what_was_not_tried_is_not_called_usable() {
        let found = found(None);
        assert!(!found.text(Paint::off()).contains("may be used"));
        let json: serde_json::Value = serde_json::from_str(&found.json()).unwrap();
        assert_eq!((&json["usable"], found.is_sound()), (&serde_json::Value::Null, true));
    }
}
