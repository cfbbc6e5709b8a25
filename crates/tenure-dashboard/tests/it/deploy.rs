//! What is deployed beside the program: the Grafana dashboard, the alert rules and the page about metrics name figures that
//! exist, and the page names all of them.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use tenure::metric::{MEMBER, Metric};
use tenure::{Member, store::Memory};
use tenure_dashboard::{CLUSTER, member_page};

use crate::testbed::Testbed;

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Everything in `text` that looks like a figure of ours.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
    let begins = ["tenure_cluster_", "tenure_sharding_", "tenure_journal_"];
    words.filter(|word| begins.iter().any(|begin| word.starts_with(begin))).map(Into::into).collect()
}

fn all() -> impl Iterator<Item = Metric> {
    MEMBER.into_iter().chain(CLUSTER)
}

fn series() -> BTreeSet<String> {
    all().flat_map(|metric| metric.series()).collect()
}

/// The name of a figure without the parts of a histogram, as the page has it.
fn family(metric: &Metric) -> String {
    let name = metric.series().swap_remove(0);
    name.strip_suffix("_bucket").unwrap_or(&name).to_owned()
}

/// An expression as Grafana sends it: with values in place of its variables.
fn by_grafana(asked: &str) -> String {
    let sent =
        asked.replace("$__rate_interval", "1m").replace("$job", "tenure").replace("$cluster", "orders");
    assert!(!sent.contains('$'), "{asked} has a variable that nobody knows");
    sent
}

/// It is parsed with the types of operands and functions, as Prometheus does before it asks anything.
fn assert_is_promql(asked: &str) {
    let parsed = promql_parser::parser::parse(asked);
    assert!(parsed.is_ok(), "{asked}: {}", parsed.unwrap_err());
}

#[test]
fn what_is_no_promql_is_noticed() {
    for wrong in ["rate(up)", "sum by (rate(up[1m]))", "up ==", "nonsense(up)", "up[1m] > 0", "max(up"] {
        assert!(promql_parser::parser::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_grafana_dashboard_is_json_and_asks_for_figures_that_exist() {
    let text = file("deploy/grafana/tenure.json");
    let dashboard: Value = serde_json::from_str(&text).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    assert!(panels.len() > 10 && dashboard["uid"] == "tenure");
    let ids: BTreeSet<u64> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels {
        let targets = panel["targets"].as_array().unwrap();
        assert!(!targets.is_empty(), "{}", panel["title"]);
        for target in targets {
            let asked = target["expr"].as_str().unwrap();
            assert!(!named(asked).is_empty(), "{}", panel["title"]);
            assert_eq!(named(asked).len(), asked.matches("cluster=~\"$cluster\"").count(), "{asked}");
            assert_is_promql(&by_grafana(asked));
        }
    }
    let unknown: Vec<String> = named(&text).difference(&series()).cloned().collect();
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn the_alert_rules_are_yaml_and_ask_for_figures_that_exist() {
    let text = file("deploy/prometheus/alerts.yml");
    let rules: Value = serde_saphyr::from_str(&text).unwrap();
    let groups = rules["groups"].as_array().unwrap();
    let rules: Vec<&Value> = groups.iter().flat_map(|group| group["rules"].as_array().unwrap()).collect();
    assert!(rules.len() > 10);
    let names: BTreeSet<&str> = rules.iter().map(|rule| rule["alert"].as_str().unwrap()).collect();
    assert_eq!(names.len(), rules.len());
    for rule in rules {
        let asked = rule["expr"].as_str().unwrap();
        let unknown: Vec<String> = named(asked).difference(&series()).cloned().collect();
        assert!(unknown.is_empty() && !named(asked).is_empty(), "{asked}: {unknown:?}");
        assert_is_promql(asked);
        assert!(rule["annotations"]["summary"].as_str().unwrap().contains("$labels.cluster"), "{asked}");
        assert!(["critical", "warning"].contains(&rule["labels"]["severity"].as_str().unwrap()));
        assert!(rule["annotations"]["summary"].is_string() && rule["annotations"]["description"].is_string());
    }
}

/// What alerts lead to, but for the section.
const RUNBOOK: &str = "docs/guide/runbook.md#";

#[test]
fn every_alert_leads_to_its_section_of_the_runbook_and_every_such_section_has_an_alert() {
    let rules: Value = serde_saphyr::from_str(&file("deploy/prometheus/alerts.yml")).unwrap();
    let groups = rules["groups"].as_array().unwrap();
    let rules = groups.iter().flat_map(|group| group["rules"].as_array().unwrap());
    let led: BTreeSet<(String, String)> = rules
        .map(|rule| (rule["alert"].as_str().unwrap(), rule["annotations"]["runbook"].as_str()))
        .map(|(alert, page)| (alert.to_owned(), page.unwrap_or_else(|| panic!("{alert}")).to_owned()))
        .collect();
    let page = file("docs/guide/runbook.md");
    let sections =
        page.lines().filter_map(|line| line.strip_prefix("## ")).filter(|name| name.starts_with("Tenure"));
    let told = sections.map(|name| (name.to_owned(), format!("{RUNBOOK}{}", name.to_lowercase()))).collect();
    assert_eq!(led, told);
}

#[test]
fn the_page_about_metrics_names_all_of_them_and_no_others() {
    let told = named(&file("docs/guide/metrics.md"));
    let expected: BTreeSet<String> = all().map(|metric| family(&metric)).collect();
    assert_eq!(told, expected);
}

/// What a page of metrics says has the type, the help and the unit that the catalogue says.
fn assert_is_catalogued(page: &str, metrics: &[Metric]) {
    for metric in metrics {
        let family = family(metric);
        let described = family.strip_suffix("_total").unwrap_or(&family);
        assert!(page.contains(&format!("# HELP {described} {}", metric.help)), "{described}:\n{page}");
        let kind = format!("{:?}", metric.kind).to_lowercase();
        assert!(page.contains(&format!("# TYPE {described} {kind}\n")), "{described}:\n{page}");
    }
    let known: BTreeSet<String> = metrics.iter().flat_map(Metric::series).collect();
    let values = page.lines().filter(|line| !line.starts_with('#'));
    for line in values {
        let name = line.split([' ', '{']).next().unwrap();
        assert!(known.contains(name), "{line}");
        assert!(line.rsplit(' ').next().unwrap().parse::<f64>().is_ok(), "{line}");
        assert!(line.contains("cluster=\""), "{line} does not say of which cluster");
    }
    assert!(page.ends_with("# EOF\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_members_page_is_as_the_catalogue_says() {
    let member = Member::builder(Memory::new()).cluster("c").shards(1).start().await.unwrap();
    assert_is_catalogued(&member_page(&"c".parse().unwrap(), &member.metrics()), &MEMBER);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboards_page_is_as_the_catalogue_says_with_the_member_beside_it() {
    let bed = Testbed::new();
    let ada = bed.member("ada").await;
    let served = bed.served(|builder| builder.member(ada)).await;
    served.settled(1).await;
    let answer = served.get("/metrics").await;
    assert!(answer.head.contains("content-type: application/openmetrics-text"), "{answer:?}");
    let both: Vec<Metric> = all().collect();
    assert_is_catalogued(&answer.body, &both);
    assert!(
        answer.body.contains("\ntenure_cluster_member_shards{cluster=\"orders\",member=\"ada\"} 8.0\n"),
        "{answer:?}"
    );
}

/// The environment that a manifest gives its container, by name.
fn environment(manifest: &str) -> std::collections::BTreeMap<String, String> {
    let manifest: Value = serde_saphyr::from_str(&file(manifest)).unwrap();
    let container = &manifest["spec"]["template"]["spec"]["containers"][0];
    for probe in ["livenessProbe", "readinessProbe"] {
        let path = container[probe]["httpGet"]["path"].as_str().unwrap();
        assert!(["/livez", "/readyz"].contains(&path), "{path} is answered without a token");
    }
    let variables = container["env"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    variables.map(|variable| (text(&variable["name"]), text(&variable["value"]))).collect()
}

#[test]
fn pods_can_be_probed_and_scraped_without_a_token() {
    for manifest in ["deploy/kubernetes/deployment.yaml", "deploy/kubernetes/statefulset.yaml"] {
        let variables = environment(manifest);
        let listen: std::net::SocketAddr = variables["TENURE_LISTEN"].parse().unwrap();
        assert!(listen.ip().is_unspecified(), "kubelets ask from elsewhere");
        assert_eq!(variables["TENURE_PUBLIC_METRICS"], "true");
        assert!(!variables.contains_key("TENURE_TOKEN_FILE"), "tokens would need a certificate");
    }
}
