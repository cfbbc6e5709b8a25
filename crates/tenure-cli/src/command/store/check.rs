//! `tenure store check`: may this store be used?
//!
//! Everything rests on a store that refuses a write whose precondition does not hold, also under a race. This command asks
//! for each such promise by name, and says plainly what it found.

use tenure::cluster::Inspector;
use tenure::store::SharedStore;

use super::records;
use super::trial::{Finding, Trial};
use crate::command::ClusterOptions;
use crate::exit::{Exit, Failure};
use crate::paint::Paint;
use crate::{runtime, store, talk};

/// Check that a store keeps the promises that the protocol needs, and that a cluster's records can be used
///
/// Writes a few small records under the cluster's `probe/` and removes them again, where the store can. Then reads every record
/// of the cluster, if it is there. Members may run meanwhile. Ends with 1 if the store may not be used, or a record can't.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let store = store::open(&self.cluster.store).await?;
            // Hints tell of others' writes: a handle of its own listens for them.
            let other = store::open(&self.cluster.store).await?;
            let findings = findings(&store, other, &self.cluster).await?;
            talk::data(&report(&tenure_stores::shown(&self.cluster.store), &findings, Paint::for_data()))?;
            let broken = self.records(store).await?;
            let fatal = findings.iter().any(|(_, finding)| finding.is_fatal());
            Ok(if fatal || broken { Exit::No } else { Exit::Done })
        })
    }
}

impl Args {
    /// Tells what is wrong with the cluster's records, if it is there; whether anything is.
    async fn records(&self, store: SharedStore) -> Result<bool, Failure> {
        let cluster = &self.cluster.cluster;
        let Some(found) = Inspector::new(store, cluster).inspect().await? else { return Ok(false) };
        talk::data(&format!("\n{}", records::report(cluster.as_str(), &found, Paint::for_data())))?;
        Ok(!found.is_whole())
    }
}

async fn findings(
    store: &SharedStore,
    other: SharedStore,
    options: &ClusterOptions,
) -> Result<Vec<(&'static str, Finding)>, Failure> {
    let trial = Trial::new(store.clone(), other, options.cluster.as_str())?;
    let findings = trial.all().await;
    trial.tidy_up().await;
    findings
}

fn report(address: &str, findings: &[(&'static str, Finding)], paint: Paint) -> String {
    let mut report = format!("store {address}\n\n");
    for (promise, finding) in findings {
        report.push_str(&match finding {
            Finding::Kept => format!("  {}  {promise}\n", paint.good("ok")),
            Finding::Lacking(cost) => format!("  {}  {promise}: no; {cost}\n", paint.dim("--")),
            Finding::Broken(what) => format!("  {}  {promise}: {what}\n", paint.bad("NO")),
        });
    }
    let fatal = findings.iter().filter(|(_, finding)| finding.is_fatal()).count();
    report.push_str(&match fatal {
        0 => format!("\n{}\n", paint.good("This store may be used.")),
        1 => format!("\n{}\n", paint.bad("This store may not be used: it breaks a promise.")),
        _ => {
            format!("\n{}\n", paint.bad(&format!("This store may not be used: it breaks {fatal} promises.")))
        }
    });
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_plainly_what_it_means() {
        let found = [
            ("creates", Finding::Kept),
            ("hints", Finding::Lacking("members look again on their own")),
            ("compares", Finding::Broken("it replaced a version that is no more".into())),
        ];
        assert_eq!(
            report("paper:", &found, Paint::off()),
            "store paper:\n\n  ok  creates\n  --  hints: no; members look again on their own\n  \
             NO  compares: it replaced a version that is no more\n\nThis store may not be used: it breaks a promise.\n"
        );
    }
}
