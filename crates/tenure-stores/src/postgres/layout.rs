//! Lays the tables out, and brings older ones up to date.
//!
//! Each layout is a numbered script; those that were run are noted in a table. An advisory lock lets one process
//! at a time run them, all in one transaction: whoever comes second finds them run. A program that finds a number it does not
//! know keeps its hands off.
//!
//! Reading the number needs no right but to read: a role that only uses the tables opens the store as long as nothing is to
//! be changed.

use super::error::Trouble;
use super::schema::Schema;
use super::session::{Parameter, Session};
use super::url::Options;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

/// Tables that belong together. Ownership and journals each have theirs, and may share a schema.
#[derive(Debug)]
pub(super) struct Layout {
    /// The table that notes which scripts were run.
    notes: &'static str,
    /// What its users read and write.
    pub(super) tables: &'static [&'static str],
    /// The scripts, in their order; the first is number 1.
    scripts: &'static [&'static str],
}

impl Layout {
    /// The tables of ownership.
    pub(super) const RECORDS: Self =
        Self { notes: "layouts", tables: &["records"], scripts: &[include_str!("migration/0001.sql")] };

    /// The tables of journals.
    pub(super) const JOURNALS: Self = Self {
        notes: "journal_layouts",
        tables: &["journal_fence", "journal_entry", "journal_snapshot", "journal_part", "journal_blob"],
        scripts: &[include_str!("migration/journal/0001.sql")],
    };

    /// The layout that this build writes and reads.
    pub(super) const fn newest(&self) -> i32 {
        self.scripts.len() as i32
    }

    /// What a role must be granted that only uses the tables of `schema`.
    pub(super) fn grants(&self, schema: &Schema, user: &str) -> String {
        let tables: Vec<String> = self.tables.iter().map(|table| format!("{schema}.{table}")).collect();
        format!(
            "GRANT USAGE ON SCHEMA {schema} TO \"{user}\"; \
             GRANT SELECT, INSERT, UPDATE, DELETE ON {} TO \"{user}\"; \
             GRANT SELECT ON {schema}.{} TO \"{user}\"",
            tables.join(", "),
            self.notes
        )
    }
}

/// The number of the layout that is there; none if there is no store.
pub(super) async fn found(session: &Session, options: &Options) -> Result<Option<i32>, Trouble> {
    let sql = format!("SELECT max(number) FROM \"{}\".{}", options.schema, options.duty.layout.notes);
    let rows = match session.ask(options, &sql, &[]).await {
        Ok(rows) => rows,
        Err(Trouble::NoSchema { .. }) => return Ok(None),
        Err(trouble) => return Err(trouble),
    };
    let number = rows.first().map(|row| row.try_get(0)).transpose();
    Ok(number.map_err(|error| Trouble::in_call(error, options))?.flatten())
}

/// Refuses any layout but the newest.
pub(super) fn check(found: Option<i32>, options: &Options) -> Result<(), Trouble> {
    let known = options.duty.layout.newest();
    match found {
        None => Err(Trouble::no_schema(options)),
        Some(found) if found == known => Ok(()),
        Some(found) if found > known => Err(Trouble::Newer { found, known }),
        Some(found) => Err(Trouble::Older { found, known }),
    }
}

/// Runs the scripts that were not run yet, over a connection that nobody else uses.
pub(super) async fn lay_out(session: &Session, options: &Options) -> Result<(), Trouble> {
    let done = within_lock(session, options).await;
    let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = session.run(options, end).await;
    done.map_err(|trouble| in_layout(trouble, options)).and(ended)
}

async fn within_lock(session: &Session, options: &Options) -> Result<(), Trouble> {
    session
        .run(options, "BEGIN; SET LOCAL lock_timeout = '20s'; SET LOCAL statement_timeout = '30s'")
        .await?;
    let lock = format!("SELECT pg_advisory_xact_lock(hashtextextended('tenure.{}', 0))", options.schema);
    session.run(options, &lock).await?;
    if !schema_exists(session, options).await? {
        session.run(options, &format!("CREATE SCHEMA \"{}\"", options.schema)).await?;
    }
    session.run(options, &format!("SET LOCAL search_path = \"{}\", pg_catalog", options.schema)).await?;
    let number = if notes_exist(session, options).await? { found(session, options).await? } else { None };
    if number.is_none() {
        let columns = "number integer PRIMARY KEY, laid_at timestamptz NOT NULL DEFAULT now()";
        session.run(options, &format!("CREATE TABLE {} ({columns})", options.duty.layout.notes)).await?;
    }
    run_from(number.unwrap_or(0), session, options).await
}

async fn run_from(number: i32, session: &Session, options: &Options) -> Result<(), Trouble> {
    let Layout { notes, scripts, .. } = options.duty.layout;
    for (script, next) in scripts.iter().zip(1..).filter(|(_, next)| *next > number) {
        session.run(options, script).await?;
        session.run(options, &format!("INSERT INTO {notes} (number) VALUES ({next})")).await?;
    }
    Ok(())
}

async fn schema_exists(session: &Session, options: &Options) -> Result<bool, Trouble> {
    any(session, options, "SELECT 1 FROM pg_namespace WHERE nspname = $1").await
}

async fn notes_exist(session: &Session, options: &Options) -> Result<bool, Trouble> {
    let sql = format!(
        "SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
         WHERE nspname = $1 AND relname = '{}'",
        options.duty.layout.notes
    );
    any(session, options, &sql).await
}

async fn any(session: &Session, options: &Options, sql: &str) -> Result<bool, Trouble> {
    let schema = options.schema.to_string();
    let parameter: Parameter<'_> = (&schema, Type::TEXT);
    Ok(!session.ask(options, sql, &[parameter]).await?.is_empty())
}

/// What a failure means here: other rights are needed than to use the tables.
fn in_layout(trouble: Trouble, options: &Options) -> Trouble {
    match trouble {
        Trouble::NotAllowed { user, cause, .. } => {
            let (schema, database) = (&options.schema, options.database());
            let grants = format!(
                "GRANT CREATE ON DATABASE \"{database}\" TO \"{user}\", or CREATE SCHEMA {schema} AUTHORIZATION \"{user}\""
            );
            Trouble::NotAllowed { user, grants, cause }
        }
        Trouble::Refused { cause, .. } if cause.code() == Some(&SqlState::DUPLICATE_TABLE) => {
            Trouble::Foreign { schema: options.schema.to_string(), cause }
        }
        trouble => trouble,
    }
}
