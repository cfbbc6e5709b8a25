//! Traces from outside: a real member, a real collector, and collectors that are not what they should be.

use std::process::{Child, Output, Stdio};
use std::time::Duration;

use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use rustix::process::{Pid, Signal, kill_process};

use crate::collector::{Collector, Mood, text};
use crate::testbed::{Did, Testbed};

/// What the children do: each writes one line, and then another every while.
const SCRIPT: &str =
    "echo $TENURE_SHARD $TENURE_EPOCH $TRACEPARENT >> begun; while :; do echo >> beats; sleep 0.01; done";

/// A `tenure run` of three shards that sends traces; killed when dropped.
struct Run {
    child: Option<Child>,
}

impl Run {
    async fn start(bed: &Testbed, collector: &str, variables: &[(&str, &str)]) -> Self {
        let words = ["run", "--member", "ada", "--shards", "3", "--raw", "--", "sh", "-c", SCRIPT];
        let mut program = bed.program(&words);
        program.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector).envs(variables.iter().copied());
        let child =
            program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let run = Self { child: Some(child) };
        await_lines(bed, "begun", 3).await;
        run
    }

    /// The exporter's threads, by their names.
    fn exporters(&self) -> Vec<String> {
        let threads = format!("/proc/{}/task", self.child.as_ref().unwrap().id());
        let names = std::fs::read_dir(threads).unwrap().filter_map(|thread| {
            // A thread that ends meanwhile has no name any more.
            std::fs::read_to_string(thread.unwrap().path().join("comm")).ok()
        });
        names.filter(|name| name.starts_with("OpenTelemetry") || name.starts_with("reqwest")).collect()
    }

    /// Asks it to leave, and waits for its end.
    async fn leave(mut self) -> Did {
        let child = self.child.take().unwrap();
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let ended = tokio::task::spawn_blocking(|| child.wait_with_output());
        let output: Output = ended.await.unwrap().unwrap();
        output.into()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn lines(bed: &Testbed, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(bed.path(file)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Waits until so many lines are written. If they never are, the test hangs, and is seen.
async fn await_lines(bed: &Testbed, file: &str, count: usize) {
    while lines(bed, file).len() < count {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

fn attribute(span: &Span, name: &str) -> String {
    text(&span.attributes, name).unwrap_or_else(|| panic!("no {name}: {span:?}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a shard's command was told: its shard, its epoch, and its place in the trace.
fn as_told(span: &Span) -> String {
    let place = format!("00-{}-{}-01", hex(&span.trace_id), hex(&span.span_id));
    format!("{} {} {place}", attribute(span, "shard"), attribute(span, "epoch"))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_shards_work_and_each_call_to_the_store_is_a_span() {
    let (bed, collector) = (Testbed::new(), Collector::start(Mood::Takes).await);
    let told = Run::start(&bed, &collector.url(), &[]).await.leave().await;
    assert_eq!((told.code, told.err.contains("traces")), (0, false), "{told:?}");
    let spans = collector.spans();

    let shards = named(&spans, "shard");
    let mut traced: Vec<_> = shards.iter().map(|span| as_told(span)).collect();
    let mut begun = lines(&bed, "begun");
    traced.sort();
    begun.sort();
    assert_eq!(traced, begun, "a span for each run, which its command was told of");
    assert!(shards.iter().all(|span| attribute(span, "member") == "ada" && span.parent_span_id.is_empty()));
    assert!(shards.iter().all(|span| span.end_time_unix_nano > span.start_time_unix_nano));

    let calls = named(&spans, "store.call");
    let of = |operation: &str, outcome: &str| {
        let like = |span: &&&Span| {
            attribute(span, "operation") == operation && attribute(span, "outcome") == outcome
        };
        calls.iter().filter(like).count()
    };
    assert!(
        of("put", "answered") > 0 && of("get", "answered") > 0 && of("list", "answered") > 0,
        "{calls:?}"
    );
    assert!(calls.iter().all(|span| attribute(span, "member") == "ada"));
    assert!(calls.iter().any(|span| attribute(span, "key").starts_with("default/")));
    let fine = |span: &&&Span| span.status.as_ref().is_none_or(|status| status.code() != StatusCode::Error);
    assert_eq!(calls.iter().filter(fine).count(), of_all(&calls, &["answered", "conflict"]));

    let others = spans.iter().filter(|span| !["shard", "store.call", "member"].contains(&span.name.as_str()));
    assert_eq!(others.count(), 0, "nobody's spans but ours, and not those of sending them");
    assert_eq!(collector.senders("service.name"), ["tenure"]);
    assert_eq!(collector.senders("service.version"), [env!("CARGO_PKG_VERSION")]);
}

fn of_all(calls: &[&Span], outcomes: &[&str]) -> usize {
    calls.iter().filter(|span| outcomes.contains(&attribute(span, "outcome").as_str())).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_option_names_a_collector_too_and_a_variable_the_service() {
    let (bed, collector) = (Testbed::new(), Collector::start(Mood::Takes).await);
    let variables = [("TENURE_TRACES", &*collector.url()), ("OTEL_SERVICE_NAME", "orders")];
    Run::start(&bed, "http://127.0.0.1:9", &variables).await.leave().await.well();
    assert_eq!(named(&collector.spans(), "shard").len(), 3);
    assert_eq!(collector.senders("service.name"), ["orders"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_collector_is_named_nothing_is_started() {
    let (bed, collector) = (Testbed::new(), Collector::start(Mood::Takes).await);
    let run = Run::start(&bed, &collector.url(), &[]).await;
    assert!(!run.exporters().is_empty(), "these are their names");
    run.leave().await.well();

    let bed = Testbed::new();
    let run = Run::start(&bed, "", &[]).await;
    assert_eq!(run.exporters(), Vec::<String>::new());
    run.leave().await.well();
    assert!(lines(&bed, "begun").iter().all(|line| line.split_whitespace().count() == 2), "no TRACEPARENT");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_refuses_is_told_of_once() {
    let (bed, collector) = (Testbed::new(), Collector::start(Mood::Refuses).await);
    let run = Run::start(&bed, &collector.url(), &[("OTEL_BSP_SCHEDULE_DELAY", "10")]).await;
    collector.await_count(8).await;
    let told = run.leave().await;
    assert_eq!(told.code, 0, "{told:?}");
    assert_eq!(told.err.matches("traces do not arrive").count(), 1, "{told:?}");
    assert!(told.err.contains("it answered 503 Service Unavailable"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_collector_all_else_goes_on() {
    let bed = Testbed::new();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let told = Run::start(&bed, &format!("http://{nobody}"), &[]).await.leave().await;
    assert_eq!(told.code, 0, "{told:?}");
    assert_eq!(told.err.matches("traces do not arrive").count(), 1, "{told:?}");
    assert!(told.err.contains("Connection refused"), "{told:?}");
}

/// The exporter may wait for an hour: a member that waited for it would hang the test.
#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_never_answers_holds_up_neither_work_nor_end() {
    let (bed, collector) = (Testbed::new(), Collector::start(Mood::NeverAnswers).await);
    let variables = [("OTEL_EXPORTER_OTLP_TIMEOUT", "3600000"), ("OTEL_BSP_SCHEDULE_DELAY", "10")];
    let run = Run::start(&bed, &collector.url(), &variables).await;
    collector.await_count(1).await;
    await_lines(&bed, "beats", lines(&bed, "beats").len() + 100).await;
    run.leave().await.well();
    assert_eq!(collector.count(), 1, "it still waited for the first answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_none_is_refused_by_the_name_of_what_said_it() {
    let bed = Testbed::new();
    let told = bed.tenure(&["status", "--traces", "localhost:4318"]).await.failed(2);
    assert_eq!(
        told,
        "error: --traces is no address of a collector; say http://HOST:PORT, such as \
         http://127.0.0.1:4318\n"
    );
    let output = bed.program(&["status"]).env("OTEL_EXPORTER_OTLP_ENDPOINT", "nowhere").output().unwrap();
    let told = Did::from(output).failed(2);
    assert!(told.starts_with("error: OTEL_EXPORTER_OTLP_ENDPOINT is no address"), "{told}");
}
