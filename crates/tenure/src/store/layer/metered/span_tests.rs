//! What is traced of a call.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use tenure_core::message::When;
use tracing::Level;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::clock::Clock;
use crate::store::layer::faulty::{Chance, Faulty, Verdict};
use crate::store::layer::metered::Metered;
use crate::store::{Memory, Store};

/// What the spans of this thread were when they closed, one line each.
#[derive(Clone, Debug, Default)]
struct Closed(Arc<Mutex<Vec<u8>>>);

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Closed {
    /// Listens until the guard is dropped.
    fn listen(level: Level) -> (Self, DefaultGuard) {
        let closed = Self::default();
        let written = closed.clone();
        let listener = tracing_subscriber::fmt().with_max_level(level).with_span_events(FmtSpan::CLOSE);
        let listener = listener.with_ansi(false).with_writer(move || written.clone()).finish();
        (closed, tracing::subscriber::set_default(listener))
    }

    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

#[tokio::test]
async fn a_call_is_a_span_that_tells_how_it_ended() {
    let (closed, _guard) = Closed::listen(Level::DEBUG);
    let store = Metered::new(Memory::new(), Clock::boot()).of_member("ada".parse().unwrap());
    store.put("a", Bytes::new(), When::Absent).await.unwrap();
    store.put("a", Bytes::new(), When::Absent).await.unwrap();
    let told = closed.lines();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].contains(r#"store.call{member=ada operation="put" key="a" outcome="answered"}"#),
        "{told:?}"
    );
    assert!(told[1].contains(r#"outcome="conflict"}"#), "{told:?}");
}

#[tokio::test]
async fn a_call_that_failed_or_was_given_up_is_an_error() {
    let (closed, _guard) = Closed::listen(Level::DEBUG);
    let with = |verdict| Faulty::new(Memory::new(), 1).judged_by(Chance::of(verdict, 1.0));
    Metered::new(with(Verdict::Refuse), Clock::boot()).list("a").await.unwrap_err();
    let hanging = Metered::new(with(Verdict::Hang), Clock::boot());
    Clock::boot().timeout(Duration::from_millis(1), hanging.get("a", None)).await.unwrap_err();
    let told = closed.lines();
    assert!(told[0].contains(r#"outcome="unavailable" otel.status_code="ERROR"}"#), "{told:?}");
    assert!(told[1].contains(r#"outcome="dropped" otel.status_code="ERROR"}"#), "{told:?}");
}

#[tokio::test]
async fn whoever_does_not_ask_for_debug_is_told_of_no_call() {
    let (closed, _guard) = Closed::listen(Level::INFO);
    Metered::new(Memory::new(), Clock::boot()).get("a", None).await.unwrap();
    assert_eq!(closed.lines(), Vec::<String>::new());
}
