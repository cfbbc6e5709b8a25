//! Strays: records among the members, under names that no member can have. Somebody wrote them by hand.

use tenure_core::record::Key;

use super::Cluster;
use crate::error::Error;

impl Cluster {
    /// What is wrong with the names of records among the members, in words, one for each. Members leave such records out, and
    /// so does [`look`](Self::look): they are nobody's lease. A name is quoted, for it may hold anything.
    ///
    /// # Errors
    /// The store's own.
    pub async fn strays(&mut self) -> Result<Vec<String>, Error> {
        let prefix = format!("{}{}", self.location.prefix(), Key::MEMBERS);
        let entries = self.store.list(&prefix).await?;
        let names = entries.iter().filter(|entry| self.location.key(&entry.key).is_none());
        Ok(names.map(|entry| told(entry.key.strip_prefix(&prefix).unwrap_or(&entry.key))).collect())
    }
}

fn told(name: &str) -> String {
    format!(
        "a member's record is named {name:?}: no member can have that name, and nobody reads it; remove it"
    )
}
