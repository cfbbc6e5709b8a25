//! The statements, one for each call.
//!
//! Each is a transaction of its own: PostgreSQL locks the row, looks at the condition again, writes, and tells the listeners,
//! or does nothing at all. A statement that waited for another writer of the row sees what that one left.

use super::schema::Schema;

/// A new version; see the `version` module. It is drawn while the statement runs, hence before its commit is in the log.
const STAMP: &str = "ltrim(substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), '0') \
                     || '-' || pg_current_wal_insert_lsn()::text || '-' || gen_random_uuid()::text";

/// What is told of a write: the key, and the new record where it fits, so that nobody needs to read it.
const NEWS: &str = "key || CASE WHEN octet_length(key) + 2 * octet_length($2) <= 7800 \
                    THEN ' ' || told || ' ' || encode($2, 'hex') ELSE '' END";

/// The statements on one schema.
#[derive(Debug)]
pub(super) struct Statements {
    /// Takes a key and the version that the caller has; brings no value if that is still there.
    pub(super) get: String,
    /// Takes a key and a value; brings the new version, or nothing if the key exists.
    pub(super) create: String,
    /// Takes a key, a value and the version to be replaced; brings the new version, or nothing.
    pub(super) replace: String,
    /// Takes a key and its version; brings the key, or nothing.
    pub(super) remove: String,
    /// Takes a prefix.
    pub(super) list: String,
}

impl Statements {
    /// The statements on `schema`.
    pub(super) fn on(schema: &Schema) -> Self {
        let records = format!("\"{schema}\".records");
        // A row that was not changed is not told of: the notification hangs on the row that came back.
        let telling = |change: String, news: &str| {
            let channel = schema.channel();
            format!("WITH changed AS ({change}) SELECT told, pg_notify('{channel}', {news}) FROM changed")
        };
        Self {
            get: format!(
                "SELECT version, CASE WHEN version = $2 THEN NULL ELSE value END FROM {records} WHERE key = $1"
            ),
            create: telling(
                format!(
                    "INSERT INTO {records} (key, version, value) VALUES ($1, {STAMP}, $2) \
                 ON CONFLICT (key) DO NOTHING RETURNING key, version AS told"
                ),
                NEWS,
            ),
            replace: telling(
                format!(
                    "UPDATE {records} SET version = {STAMP}, value = $2 WHERE key = $1 AND version = $3 \
                 RETURNING key, version AS told"
                ),
                NEWS,
            ),
            remove: telling(
                format!(
                    "DELETE FROM {records} WHERE key = $1 AND version = $2 RETURNING key, version AS told"
                ),
                "key",
            ),
            // Keys are made of marks below 127, so this bound is above all that begin with the prefix.
            list: format!(
                "SELECT key, version, value FROM {records} \
                 WHERE key >= $1 AND key < $1 || chr(127) ORDER BY key"
            ),
        }
    }
}
