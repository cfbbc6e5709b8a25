//! What a member logs of a shard names the tenure: member, shard and epoch, as fields.

use std::io::Write;
use std::sync::{Arc, Mutex};

use tenure::store::Memory;
use tracing_subscriber::fmt::MakeWriter;

use crate::fleet::{Acts, all_owned, working};

/// Everything that was logged, a line each.
#[derive(Clone, Debug, Default)]
struct Journal(Arc<Mutex<Vec<u8>>>);

impl Journal {
    fn lines_with(&self, words: &str) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().filter(|line| line.contains(words)).map(str::to_owned).collect()
    }
}

impl Write for Journal {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Journal {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The driver has a thread of its own, so this journal is the whole process's; the member's id tells its lines from others'.
#[tokio::test]
async fn a_tenure_is_logged_from_its_begin_to_its_end_with_member_shard_and_epoch() {
    let journal = Journal::default();
    let log = tracing_subscriber::fmt().with_env_filter("tenure=debug").with_ansi(false);
    log.with_writer(journal.clone()).init();
    let member = working(&Memory::new(), "logged", &Acts::default()).await;
    assert!(member.router().until(all_owned).await);
    member.leave().await.unwrap();
    for deed in ["work acts", "work has ended"] {
        let lines = journal.lines_with(deed);
        let named = |line: &&String| line.contains("member=logged shard=3 epoch=1");
        assert_eq!(lines.iter().filter(named).count(), 1, "{deed}: {lines:?}");
    }
}
