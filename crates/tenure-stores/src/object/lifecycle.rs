//! Rules of a bucket by which objects expire. A journal's fences and entries must stay, so a rule that takes them away is told at opening.
//!
//! Only S3 is asked, in the one way that object_store signs such a request. Who may not read the rules, or whose server knows none,
//! learns nothing by it: that is no error.

use std::time::Duration;

use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer};
use reqwest::Method;
use tenure::store::StoreError;

use super::error::forgetful;
use super::refusal::element;
use super::shelf::Shelf;

/// How long the answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

impl Shelf {
    /// Refuses a bucket that is known to take objects away from here.
    pub(super) async fn must_keep(&self) -> Result<(), StoreError> {
        let Some(signer) = &self.clients().signer else { return Ok(()) };
        let rules = rules(&**signer).await.unwrap_or_default();
        match expiring(&rules, &self.place().prefix) {
            Some(rule) => Err(forgetful(self.place(), &rule)),
            None => Ok(()),
        }
    }
}

/// The bucket's rules as S3 words them; nothing if it does not tell.
async fn rules(signer: &dyn Signer) -> Option<String> {
    let options = SignedUrlOptions::new().with_query([("lifecycle", "")]);
    let url = signer.signed_url_opts(Method::GET, &Path::default(), PATIENCE, &options).await.ok()?;
    let client = reqwest::Client::builder().timeout(PATIENCE).build().ok()?;
    let answer = client.get(url).send().await.ok().filter(|answer| answer.status().is_success())?;
    answer.text().await.ok()
}

/// The name of a rule that is in force and takes away what is under `prefix`. One that asks for tags does not: our objects have none.
fn expiring(rules: &str, prefix: &str) -> Option<String> {
    let mut rules = rules.split("<Rule>").skip(1);
    let takes = |rule: &&str| {
        let covered = element(rule, "Prefix").unwrap_or_default();
        let meets = covered.starts_with(prefix) || prefix.starts_with(&covered);
        let current =
            element(rule, "Expiration").is_some_and(|what| !what.contains("ExpiredObjectDeleteMarker"));
        meets && current && element(rule, "Status").as_deref() == Some("Enabled") && !rule.contains("<Tag>")
    };
    let rule = rules.find(takes)?;
    Some(element(rule, "ID").unwrap_or_else(|| "without a name".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(prefix: &str, status: &str, what: &str) -> String {
        format!(
            "<LifecycleConfiguration><Rule><ID>spring</ID><Filter>{prefix}</Filter><Status>{status}</Status>{what}</Rule></LifecycleConfiguration>"
        )
    }

    const EXPIRES: &str = "<Expiration><Days>30</Days></Expiration>";

    #[test]
    fn a_rule_that_takes_away_what_is_under_the_prefix_is_found() {
        for prefix in ["", "<Prefix></Prefix>", "<Prefix>jour</Prefix>", "<Prefix>journals/3/</Prefix>"] {
            let found = expiring(&rule(prefix, "Enabled", EXPIRES), "journals/");
            assert_eq!(found.as_deref(), Some("spring"), "{prefix}");
        }
        assert!(expiring(&rule("<Prefix>a/</Prefix>", "Enabled", EXPIRES), "").is_some());
    }

    #[test]
    fn a_rule_of_elsewhere_or_for_something_else_is_none_of_ours() {
        let ours = "<Prefix>journals/</Prefix>";
        for rules in [
            rule("<Prefix>logs/</Prefix>", "Enabled", EXPIRES),
            rule(ours, "Disabled", EXPIRES),
            rule(
                ours,
                "Enabled",
                "<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays></NoncurrentVersionExpiration>",
            ),
            rule(
                ours,
                "Enabled",
                "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>",
            ),
            rule(
                ours,
                "Enabled",
                "<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>",
            ),
            rule(
                "<And><Prefix>journals/</Prefix><Tag><Key>a</Key><Value>b</Value></Tag></And>",
                "Enabled",
                EXPIRES,
            ),
            "<html>not ours</html>".into(),
            String::new(),
        ] {
            assert_eq!(expiring(&rules, "journals/"), None, "{rules}");
        }
    }
}
