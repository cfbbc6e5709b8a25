//! I7 for the status: whatever the records hold, it is drawn, as a table and as JSON.

use clap::Parser;
use tenure_core::message::{Reply, Versioned};
use tenure_core::moment::Moment;
use tenure_core::record::{Meta, Version};
use tenure_core::survey::Onlooker;
use tenure_fuzz::Target;

use super::{ClusterOptions, Document, Paint, Picture, holdings};

const META: &str = include_str!("../../../../tenure-core/golden/v1/meta-forming.json");
const PAGE: &str = include_str!("../../../../tenure-core/golden/v1/page-recent.json");
const MEMBER: &str = include_str!("../../../../tenure-core/golden/v1/member-leaving.json");

#[derive(Debug, Parser)]
struct CommandLine {
    #[command(flatten)]
    cluster: ClusterOptions,
}

fn versioned(bytes: &[u8]) -> Versioned {
    Versioned { version: Version::new("1"), value: bytes.to_vec().into() }
}

/// Draws a cluster of two shards; whether its records were understood.
fn draws(page: &[u8], member: &[u8]) -> bool {
    let options = CommandLine::parse_from(["status"]).cluster;
    let meta = Meta { shards: 2, ..Meta::decode(META.as_bytes()).unwrap() };
    let (mut onlooker, now) = (Onlooker::new(meta.clone()), Moment::from_nanos(1));
    onlooker.page_read(now, 0, Reply::Found(versioned(page)));
    onlooker.listed(now, now, vec![("a".parse().unwrap(), versioned(member))]);
    let survey = onlooker.survey(now, 1_700_000_000_500);
    for all in [true, false] {
        Picture { place: (&options, &meta), survey: &survey, all, now_ms: 0, paint: Paint::off() }.draw();
    }
    holdings::table(&survey, 1_700_000_000_500).draw(Paint::off());
    Document::of(&options.cluster, &survey, 0).text();
    survey.problems.is_empty()
}

#[test]
fn fuzz_status_page() {
    Target::new("status-page", [PAGE]).run(|bytes| draws(bytes, MEMBER.as_bytes()));
}

#[test]
fn fuzz_status_member() {
    Target::new("status-member", [MEMBER]).run(|bytes| draws(PAGE.as_bytes(), bytes));
}
