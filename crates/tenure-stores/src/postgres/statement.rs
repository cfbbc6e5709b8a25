//! The statements, one for each call.
//!
//! Each is a transaction of its own: PostgreSQL locks the row, looks at the condition again, and writes,
//! or does nothing at all. A statement that waited for another writer of the row sees what that one left.

use super::news;
use super::schema::Schema;
use super::version::MARK_LENGTH;

/// When and where it is written, as a version says it; see the `version` module. It is drawn while the statement runs, hence before its commit is in the log.
const PLACE: &str = "ltrim(substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), '0') \
                     || '-' || pg_current_wal_insert_lsn()::text || '-'";

/// Nobody waits for what a transaction that only tells may write by the way, nor for long for somebody else who is notifying: calls
/// wait behind it.
const HURRY: &str =
    "set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '250ms', true)";

/// The statements on one schema.
#[derive(Debug)]
pub(super) struct Statements {
    /// Takes a key and the version that the caller has; brings no value if that is still there.
    pub(super) get: String,
    /// Takes a key, a value and the end of its version; brings the new version, or nothing if the key exists.
    pub(super) create: String,
    /// Takes a key, a value, the end of its version and the version to be replaced; brings the new version, or nothing.
    pub(super) replace: String,
    /// Takes a key and its version; brings that version, or nothing.
    pub(super) remove: String,
    /// Takes a prefix.
    pub(super) list: String,
    /// Takes a channel, a key and the mark of a version: tells the listeners of the write, if it landed; see the `news` module.
    pub(super) tell_write: String,
    /// Takes a channel and a key: tells the listeners that it is gone, if it is.
    pub(super) tell_removal: String,
}

impl Statements {
    /// The statements on `schema`.
    pub(super) fn on(schema: &Schema) -> Self {
        let records = format!("\"{schema}\".records");
        let length_max = news::LENGTH_MAX;
        Self {
            get: format!(
                "SELECT version, CASE WHEN version = $2 THEN NULL ELSE value END FROM {records} WHERE key = $1"
            ),
            create: format!(
                "INSERT INTO {records} (key, version, value) VALUES ($1, {PLACE} || $3, $2) \
                 ON CONFLICT (key) DO NOTHING RETURNING version"
            ),
            replace: format!(
                "UPDATE {records} SET version = {PLACE} || $3, value = $2 WHERE key = $1 AND version = $4 \
                 RETURNING version"
            ),
            remove: format!("DELETE FROM {records} WHERE key = $1 AND version = $2 RETURNING version"),
            // Keys are made of marks below 127, so this bound is above all that begin with the prefix.
            list: format!(
                "SELECT key, version, value FROM {records} \
                 WHERE key >= $1 AND key < $1 || chr(127) ORDER BY key"
            ),
            tell_write: format!(
                "SELECT {HURRY}, pg_notify($1, CASE \
                 WHEN length(key) + length(version) + 2 + 2 * octet_length(value) <= {length_max} \
                 THEN key || ' ' || version || ' ' || encode(value, 'hex') ELSE key END) \
                 FROM {records} WHERE key = $2 AND right(version, {MARK_LENGTH}) = $3"
            ),
            tell_removal: format!(
                "SELECT {HURRY}, pg_notify($1, $2) WHERE NOT EXISTS (SELECT 1 FROM {records} WHERE key = $2)"
            ),
        }
    }
}
