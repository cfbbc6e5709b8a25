//! A folder with a store in it, members that run in the test, and the program beside them.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use tenure::{BoxError, Member, OnStuck, Shard};
use tenure_stores::sqlite::SqliteStore;

/// What the program did.
#[derive(Debug)]
pub(crate) struct Did {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Did {
    /// What it printed, if it went well.
    pub(crate) fn well(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.out
    }

    /// What it said, if it ended with `code` and printed nothing.
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{self:?}");
        self.err
    }
}

impl From<Output> for Did {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

/// A folder with a store in it.
#[derive(Debug)]
pub(crate) struct Testbed {
    folder: tempfile::TempDir,
}

impl Testbed {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// A file for its owner alone.
    pub(crate) fn write_secret(&self, name: &str, text: &str) {
        self.write(name, text);
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o600)).unwrap();
    }

    /// The program, in the folder, with nothing from outside in its environment.
    pub(crate) fn program(&self, words: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_tenure"));
        let ours = |name: &str| ["TENURE_", "OTEL_"].iter().any(|prefix| name.starts_with(prefix));
        for (name, _) in std::env::vars_os().filter(|(name, _)| ours(&name.to_string_lossy())) {
            program.env_remove(name);
        }
        program.current_dir(self.folder.path()).args(words);
        program
    }

    /// Runs the program to its end, while the members go on.
    pub(crate) async fn tenure(&self, words: &[&str]) -> Did {
        let mut program = self.program(words);
        tokio::task::spawn_blocking(move || program.output().unwrap().into()).await.unwrap()
    }

    /// A member of `default`, with eight shards, whose work ends as soon as it is asked to.
    pub(crate) async fn member(&self, id: &str) -> Arc<Member> {
        let work = |shard: Shard| async move {
            shard.drained().await;
            Ok(())
        };
        self.working(id, work).await
    }

    /// The same, whose work does not end for a move: it lasts as long as the shard is held.
    pub(crate) async fn member_at_leisure(&self, id: &str) -> Arc<Member> {
        let work = |shard: Shard| async move {
            shard.ended().await;
            Ok(())
        };
        self.working(id, work).await
    }

    async fn working<W>(&self, id: &str, work: impl Fn(Shard) -> W + Send + Sync + 'static) -> Arc<Member>
    where
        W: Future<Output = Result<(), BoxError>> + Send + 'static,
    {
        let store = SqliteStore::open(self.path("tenure.db")).await.unwrap();
        let builder = Member::builder(store).cluster("default").shards(8).member_id(id).zone("attic");
        let builder = builder.address(format!("{id}.example:80"));
        let builder = builder.lease_ttl(Duration::from_secs(2)).on_stuck(OnStuck::Wait);
        let member = Arc::new(builder.start().await.unwrap());
        let working = Arc::clone(&member);
        tokio::spawn(async move {
            let _ = working.run(work).await;
        });
        member
    }

    /// The members of these names, once all shards are owned and everybody owns as many as they should.
    pub(crate) async fn members(&self, ids: &[&str]) -> Vec<Arc<Member>> {
        let mut members = Vec::new();
        for id in ids {
            members.push(self.member(id).await);
        }
        let share = 8 / ids.len();
        let even = |status: &serde_json::Value| {
            let held = |member: &serde_json::Value| member["holds"].as_array().unwrap().len();
            let settled = status["holdings"].as_array().unwrap().iter().all(|one| one["heir"].is_null());
            let there = status["members"].as_array().unwrap();
            settled && there.len() == ids.len() && there.iter().all(|member| held(member) >= share)
        };
        self.until(even).await;
        members
    }

    /// The status, as soon as it is as wanted. A cluster that never gets there hangs the test, and is seen.
    pub(crate) async fn until(&self, wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        loop {
            let status = self.status().await;
            if wanted(&status) {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn status(&self) -> serde_json::Value {
        serde_json::from_str(&self.tenure(&["status", "--json"]).await.well()).unwrap()
    }
}

/// How many shards a member holds, by the status.
pub(crate) fn held(status: &serde_json::Value, id: &str) -> usize {
    let mut members = status["members"].as_array().unwrap().iter();
    let member = members.find(|member| member["id"] == id).unwrap();
    member["holds"].as_array().unwrap().len()
}
