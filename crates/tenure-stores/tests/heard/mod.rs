//! All that is said while a store is opened, used, refused and cut off: every line that our crates log, at any level and on any
//! thread; every error with its causes; what handles show of themselves. A secret must occur nowhere in it.

use std::error::Error;
use std::fmt::Debug;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use tenure::Member;
use tenure::clock::Clock;
use tenure::store::{SharedStore, StoreError, StoreErrorKind, When};
use tenure_testbed::proxy::{Mode, Proxy};
use tracing_subscriber::fmt::format::FmtSpan;

/// What all of this process has logged since somebody first listened.
static LOGGED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Pen;

impl Write for Pen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOGGED.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn logged() -> String {
    let bytes = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Stores have threads of their own, so one subscriber listens to the whole process. What other tests log at the same time is
/// heard too, and does no harm.
fn listen() {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        let lines = tracing_subscriber::fmt().with_env_filter("tenure=trace").with_ansi(false);
        let subscriber = lines.with_span_events(FmtSpan::FULL).with_writer(|| Pen).finish();
        tracing::subscriber::set_global_default(subscriber).expect("nobody else listens to everything");
    });
}

/// How the member of a test is called; its lines are known by that.
const MEMBER: &str = "keeper-of-secrets";

/// What one test has heard.
#[derive(Debug)]
pub(crate) struct Heard(Vec<String>);

impl Heard {
    /// Listens from now on.
    pub(crate) fn from_now_on() -> Self {
        listen();
        Self(Vec::new())
    }

    /// Is refused at `address`.
    pub(crate) async fn refusal(&mut self, address: &str) {
        let error = tenure_stores::open(address).await.expect_err("it opened");
        assert_eq!(error.kind, StoreErrorKind::Denied, "{error}");
        self.take(&error);
    }

    /// Opens the store at `address`, which leads through `proxy`; uses it as members do, and is cut off from it.
    pub(crate) async fn life(&mut self, address: &str, proxy: &Proxy) {
        let store = tenure_stores::open(address).await.expect("a store");
        self.show(&store);
        self.doubt(&store, proxy).await;
        let member = joined(&store).await;
        self.show(&member);
        proxy.set(Mode::Cut);
        self.outage(&store, address).await;
        until_logged("lease renewals fail").await;
        proxy.set(Mode::Pass);
        member.leave().await.expect("it can leave");
    }

    /// A write whose answer is lost.
    async fn doubt(&mut self, store: &SharedStore, proxy: &Proxy) {
        proxy.set(Mode::DropAnswerThenCut);
        let error = store.put("doubt", "x".into(), When::Absent).await.expect_err("no answer came");
        assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
        self.take(&error);
    }

    /// What calls come to when nobody answers.
    async fn outage(&mut self, store: &SharedStore, address: &str) {
        self.take(&store.get("doubt", None).await.expect_err("nobody answers"));
        self.take(&store.put("b", "x".into(), When::Absent).await.expect_err("nobody answers"));
        self.take(&tenure_stores::open(address).await.expect_err("nobody answers"));
    }

    /// Hears what a thing shows of itself.
    fn show(&mut self, thing: &impl Debug) {
        self.0.push(format!("{thing:?} {thing:#?}"));
    }

    /// Hears an error and its causes.
    fn take(&mut self, error: &StoreError) {
        self.show(error);
        let mut next: Option<&dyn Error> = Some(error);
        while let Some(cause) = next {
            self.0.push(format!("{cause} {cause:?}"));
            next = cause.source();
        }
    }

    /// Nothing that was heard has `secret` in it.
    pub(crate) fn assert_has_no(&self, secret: &str) {
        let logged = logged();
        let mut all = self.0.iter().map(String::as_str).chain(logged.lines());
        assert_eq!(all.find(|said| said.contains(secret)), None, "it says {secret:?}");
    }
}

async fn joined(store: &SharedStore) -> Member {
    let builder = Member::builder(Arc::clone(store)).cluster("secrets").shards(2).member_id(MEMBER);
    let member = builder.start().await.expect("it can join");
    member.router().until(|routes| routes.iter().all(|route| route.owner.is_some())).await;
    member
}

/// Waits until our member says so: a test that hears nothing would find no secret.
async fn until_logged(words: &str) {
    for _ in 0..1200 {
        if logged().lines().any(|line| line.contains(words) && line.contains(MEMBER)) {
            return;
        }
        Clock::boot().sleep(Duration::from_millis(50)).await;
    }
    panic!("a minute went by, and nobody said {words:?} among: {}", logged());
}
