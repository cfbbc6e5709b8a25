//! The statements, one for each call.
//!
//! Each is a transaction of its own: PostgreSQL locks the row, looks at the condition again, and writes,
//! or does nothing at all. A statement that waited for another writer of the row sees what that one left.

use super::schema::Schema;

/// A new version; see the `version` module. It is drawn while the statement runs, hence before its commit is in the log.
const STAMP: &str = "ltrim(substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), '0') \
                     || '-' || pg_current_wal_insert_lsn()::text || '-' || gen_random_uuid()::text";

/// Tells the listeners of a channel some news; not a part of the write, see the `news` module.
pub(super) const TELL: &str = "SELECT pg_notify($1, $2)";

/// The statements on one schema.
#[derive(Debug)]
pub(super) struct Statements {
    /// Takes a key and the version that the caller has; brings no value if that is still there.
    pub(super) get: String,
    /// Takes a key and a value; brings the new version, or nothing if the key exists.
    pub(super) create: String,
    /// Takes a key, a value and the version to be replaced; brings the new version, or nothing.
    pub(super) replace: String,
    /// Takes a key and its version; brings that version, or nothing.
    pub(super) remove: String,
    /// Takes a prefix.
    pub(super) list: String,
}

impl Statements {
    /// The statements on `schema`.
    pub(super) fn on(schema: &Schema) -> Self {
        let records = format!("\"{schema}\".records");
        Self {
            get: format!(
                "SELECT version, CASE WHEN version = $2 THEN NULL ELSE value END FROM {records} WHERE key = $1"
            ),
            create: format!(
                "INSERT INTO {records} (key, version, value) VALUES ($1, {STAMP}, $2) \
                 ON CONFLICT (key) DO NOTHING RETURNING version"
            ),
            replace: format!(
                "UPDATE {records} SET version = {STAMP}, value = $2 WHERE key = $1 AND version = $3 \
                 RETURNING version"
            ),
            remove: format!("DELETE FROM {records} WHERE key = $1 AND version = $2 RETURNING version"),
            // Keys are made of marks below 127, so this bound is above all that begin with the prefix.
            list: format!(
                "SELECT key, version, value FROM {records} \
                 WHERE key >= $1 AND key < $1 || chr(127) ORDER BY key"
            ),
        }
    }
}
