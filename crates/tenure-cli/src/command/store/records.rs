//! What `check` and `mend` say of a cluster's records.

use serde::Serialize;
use tenure::cluster::{Broken, Inspection, Remedy};

use crate::format;
use crate::paint::Paint;

/// One broken record, for programs. Names stay, new ones may be added.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    pub(super) key: String,
    pub(super) what: String,
    pub(super) means: &'static str,
    /// `rewrite`, `remove` or `person`.
    pub(super) remedy: &'static str,
    pub(super) advice: String,
    /// Where its bytes were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kept: Option<String>,
    /// What became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<&'static str>,
}

impl Document {
    pub(super) fn of(broken: &Broken) -> Self {
        let remedy = match &broken.blemish.remedy {
            Remedy::Rewrite(_) => "rewrite",
            Remedy::Remove => "remove",
            Remedy::Person(_) => "person",
        };
        Self {
            key: broken.key.clone(),
            what: broken.blemish.what.clone(),
            means: broken.blemish.means,
            remedy,
            advice: advice(&broken.blemish.remedy),
            kept: None,
            outcome: None,
        }
    }
}

/// What can be done, in words.
pub(super) fn advice(remedy: &Remedy) -> String {
    match remedy {
        Remedy::Rewrite(_) => "`tenure store mend` writes the page without it; who owns what stays".into(),
        Remedy::Remove => {
            "`tenure store mend` removes it; what its life held is free after the longest lease".into()
        }
        Remedy::Person(advice) => (*advice).to_owned(),
    }
}

/// Text that may hold anything, without what would move a cursor or turn a line around.
pub(super) fn plain(text: &str) -> String {
    let seen = |c: char| matches!(c, '\'' | '"' | '\\');
    text.chars().map(|c| if seen(c) { c.to_string() } else { c.escape_debug().to_string() }).collect()
}

/// What is wrong, for people.
pub(super) fn report(cluster: &str, found: &Inspection, paint: Paint) -> String {
    let count = format::count(found.records, "record");
    let mut report = format!("cluster {cluster}, {count}\n\n");
    for broken in &found.broken {
        let (key, blemish) = (plain(&broken.key), &broken.blemish);
        report.push_str(&format!("  {}  {key}: {}\n", paint.bad("NO"), plain(&blemish.what)));
        report.push_str(&format!("      {}\n      {}\n", blemish.means, advice(&blemish.remedy)));
    }
    for key in &found.missing {
        let what = "it is not there: the store lost it, and nobody creates it again";
        report.push_str(&format!("  {}  {key}: {what}\n", paint.bad("NO")));
    }
    if found.is_whole() {
        report.push_str(&format!("  {}  every record can be used\n", paint.good("ok")));
    }
    report
}

#[cfg(test)]
mod tests {
    use tenure::cluster::Blemish;

    use super::*;

    #[test]
    fn a_broken_record_is_named_with_what_it_means_and_what_to_do() {
        let blemish = Blemish {
            what: "holding 1 makes no sense".into(),
            means: "nobody writes it",
            remedy: Remedy::Person("ask"),
        };
        let version = tenure::store::Version::new("1");
        let broken = Broken { key: "ledger/00000".into(), version, value: "x".into(), blemish };
        let found = Inspection { records: 3, broken: vec![broken], missing: vec!["ledger/00001".into()] };
        assert_eq!(
            report("orders", &found, Paint::off()),
            "cluster orders, 3 records\n\n  NO  ledger/00000: holding 1 makes no sense\n      nobody writes it\n      ask\n  \
             NO  ledger/00001: it is not there: the store lost it, and nobody creates it again\n"
        );
        let whole = Inspection { records: 2, ..Inspection::default() };
        assert_eq!(
            report("orders", &whole, Paint::off()),
            "cluster orders, 2 records\n\n  ok  every record can be used\n"
        );
    }

    #[test]
    fn what_a_record_says_moves_no_cursor_and_turns_no_line() {
        assert_eq!(plain("can't \u{1b}[2J \u{202e}x"), "can't \\u{1b}[2J \\u{202e}x");
    }
}
