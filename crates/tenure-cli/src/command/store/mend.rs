//! `tenure store mend`: moves aside what is broken in a cluster's records, where that is harmless.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use tenure::cluster::{Broken, Inspection, Inspector, Mended, Remedy};

use super::records::{Document, advice, plain};
use crate::command::ClusterOptions;
use crate::command::confirm::confirm;
use crate::exit::{Exit, Failure};
use crate::{format, runtime, talk};

/// Move aside what is broken in a cluster's records
///
/// A page loses what it says to people, if that can't be understood; who owns what stays as it is. A member's record that can't
/// be understood is removed: what that member held is given to others after the cluster's longest lease. The bytes of each
/// record are kept in a file first, and each is changed only if nobody has touched it since. Whatever else is wrong is told, and
/// left to you. Ends with 1 if something is left.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tenure store mend --dry-run --json
  tenure store mend --yes --keep broken")]
pub(crate) struct Args {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Don't ask
    #[arg(long)]
    yes: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The folder that keeps the bytes of what is changed
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    keep: PathBuf,
}

impl Args {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        runtime::block_on(async {
            let store = tenure_stores::open_existing(&self.cluster.store).await?;
            let inspector = Inspector::new(store.clone(), &self.cluster.cluster);
            let Some(found) = inspector.inspect().await? else {
                return Err(self.cluster.no_cluster(&store).await);
            };
            self.warn(&found);
            let mut told = Vec::new();
            let doable = found.broken.iter().filter(|broken| is_doable(broken)).count();
            if doable > 0 && !self.dry_run {
                confirm(&format!("Mend {}?", format::count(doable, "record")), self.yes)?;
            }
            for broken in &found.broken {
                told.push(self.mend(&inspector, broken).await?);
            }
            self.tell(&told)?;
            Ok(exit(&told, &found))
        })
    }

    /// What is about to be done, before anybody is asked.
    fn warn(&self, found: &Inspection) {
        for broken in &found.broken {
            let (key, blemish) = (plain(&broken.key), &broken.blemish);
            talk::say(&format!("{key}: {}; {}", plain(&blemish.what), advice(&blemish.remedy)));
        }
        for key in &found.missing {
            talk::say(&format!("{key} is not there: the store lost it, and it can't be mended"));
        }
    }

    async fn mend(&self, inspector: &Inspector, broken: &Broken) -> Result<Document, Failure> {
        let mut document = Document::of(broken);
        if self.dry_run || !is_doable(broken) {
            return Ok(document);
        }
        let path = kept(&self.keep, self.cluster.cluster.as_str(), broken)?;
        document.kept = Some(path.display().to_string());
        document.outcome = Some(outcome(inspector.mend(broken).await?));
        Ok(document)
    }

    fn tell(&self, told: &[Document]) -> Result<(), Failure> {
        if self.json {
            let text = serde_json::to_string_pretty(told).expect("names and words are JSON");
            return talk::data(&format!("{text}\n"));
        }
        for one in told {
            let key = plain(&one.key);
            match (one.outcome, &one.kept) {
                (Some(outcome), Some(kept)) => {
                    talk::data(&format!("{key}: {outcome}; its bytes are in {kept}\n"))?
                }
                _ => talk::data(&format!("{key}: {}\n", if self.dry_run { one.remedy } else { "left" }))?,
            }
        }
        if told.is_empty() {
            talk::say("every record can be used; nothing was done");
        }
        Ok(())
    }
}

fn is_doable(broken: &Broken) -> bool {
    match broken.blemish.remedy {
        Remedy::Rewrite(_) | Remedy::Remove => true,
        Remedy::Person(_) => false,
    }
}

const MENDED: &str = "mended";

fn outcome(mended: Mended) -> &'static str {
    match mended {
        Mended::Done => MENDED,
        Mended::Changed => "somebody wrote it meanwhile, or the store did not say: run this again",
        Mended::Unsupported => {
            "this store can't remove under a condition: remove it by the store's own means"
        }
        Mended::Left => "left",
    }
}

fn exit(told: &[Document], found: &Inspection) -> Exit {
    let all = told.iter().all(|one| one.outcome == Some(MENDED)) && found.missing.is_empty();
    if all { Exit::Done } else { Exit::No }
}

/// Writes the bytes down, in a file of their own that only its owner may read.
fn kept(folder: &Path, cluster: &str, broken: &Broken) -> Result<PathBuf, Failure> {
    let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
    let name = format!("{}-{}-{}.broken", plain(cluster), plain(&broken.key), plain(broken.version.as_str()));
    let path = folder.join(name.chars().take(200).collect::<String>());
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path);
    let written = file.and_then(|mut file| file.write_all(&broken.value).and_then(|()| file.sync_all()));
    written.map(|()| path.clone()).map_err(|error| {
        let message = format!(
            "can't keep the bytes of {} in {}; nothing was changed",
            plain(&broken.key),
            path.display()
        );
        Failure::new(Exit::Usage, message).because(error)
    })
}
