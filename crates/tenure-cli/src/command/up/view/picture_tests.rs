//! The picture, as text: what is where, in a few telling situations.

use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use tenure::{Epoch, Fence, ShardId};
use tenure_core::ids::{Incarnation, Line};
use tenure_core::moment::Moment;
use tenure_dashboard::view::Kind;

use super::super::cluster_view::{ClusterView, Lease, Seat, Standing};
use super::super::show::{Blow, Closing, Happening, Show, name};
use super::super::tally::{Endings, Tally};
use super::super::work_log::Tenure;
use super::{Palette, draw};

fn drawn(show: &Show, palette: Palette, width: u16, height: u16) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(show, palette, frame)).unwrap();
    terminal
}

fn text(show: &Show, width: u16, height: u16) -> Vec<String> {
    let terminal = drawn(show, Palette::Letters, width, height);
    let buffer = terminal.backend().buffer();
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(row).collect()
}

fn lease() -> Lease {
    let life = Some(Incarnation { line: Line(7), term: 1 });
    Lease { standing: Standing::Active, life, age: Duration::ZERO }
}

/// Three members, of which the second is frozen, eight shards, and a second gone since the last renewal.
fn scene() -> Show {
    let mut show = Show::new(8, Duration::from_secs(2), true);
    (0..3).for_each(|number| show.handle(Happening::Started(name(number))));
    let held = |number| Seat::Held(name(number));
    let seats = vec![
        held(0),
        held(1),
        held(2),
        Seat::Moving(name(0), name(2)),
        Seat::Vacant,
        held(0),
        held(1),
        held(2),
    ];
    let leases = (0..3).map(|number| (name(number), lease())).collect();
    show.handle(Happening::Saw(ClusterView { leases, seats }));
    show.handle(Happening::Struck(name(1), Blow::Freeze));
    show.advance(Duration::from_secs(3));
    show
}

#[test]
fn the_whole_picture() {
    let mut show = scene();
    show.advance(Duration::from_millis(1500));
    let expected = " tenure up  one owner per shard, never two  1.5s
 overlaps 0   gaps: moves –  proof –  silence –

 members 3  each renews one lease of 2s
 ▸ 1  A  ada     active          ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  0.5s      3 shards
   2  B  ben     frozen          ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  0.5s      2 shards
   3  C  cleo    active          ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  0.5s      2 shards

 shards 8   3 unserved   A owner  ›A new  A›B moving  (A) stranded  · none
     0  A  (B)  C  A›C  ·   A  (B)  C

 events
    0.0s  ada takes 3 shards (0 3 5)
    0.0s  ben takes 2 shards (1 6)
    0.0s  cleo takes 2 shards (2 7)
    0.0s  ben frozen (SIGSTOP)
 ↑↓ 1-9 select  k kill  f freeze  t thaw  s stop  a add  q quit";
    assert_eq!(text(&show, 80, 17).join("\n"), expected);
}

#[test]
fn each_kind_of_gap_has_its_own_longest_within_eighty_columns() {
    const SECOND: u64 = 1_000_000_000;
    let mut show = scene();
    let tenure = |shard, epoch, first, last, ended| {
        let fence = Fence { shard: ShardId(shard), epoch: Epoch(epoch) };
        Tenure { fence, first, last, ended }
    };
    let ada = vec![tenure(0, 1, 0, SECOND, true), tenure(1, 1, 0, SECOND, false)];
    let ben = vec![
        tenure(0, 2, SECOND + 16_000_000, 9 * SECOND, false),
        tenure(1, 2, SECOND + 58_000_000, 9 * SECOND, false),
    ];
    let cleo =
        vec![tenure(2, 1, 0, SECOND, false), tenure(2, 2, 3 * SECOND + 100_000_000, 9 * SECOND, false)];
    let closings = [Closing { member: name(0), at: Duration::from_secs(1), how: Kind::Proof }];
    let endings = Endings::of(Moment::ZERO, &closings);
    let work_logs = [(name(0), ada), (name(1), ben), (name(2), cleo)];
    show.handle(Happening::Tallied(Tally::of(&work_logs, &endings, 9 * SECOND)));
    let told = " overlaps 0   gaps: moves ≤16 ms (1)  proof ≤58 ms (1)  silence ≤2.10 s (1)";
    assert_eq!(text(&show, 80, 24)[1], told);
}

#[test]
fn a_shard_that_has_just_come_is_marked() {
    let mut show = scene();
    show.advance(Duration::from_millis(100));
    let rows = text(&show, 80, 24);
    assert!(rows.iter().any(|row| row.starts_with("     0 ›A  (B) ›C  A›C")), "{rows:#?}");
}

#[test]
fn every_shard_of_a_thousand_is_there_in_a_small_window() {
    let mut show = Show::new(1024, Duration::from_secs(2), true);
    (0..3).for_each(|number| show.handle(Happening::Started(name(number))));
    let seats = (0..1024).map(|shard| Seat::Held(name(shard % 3))).collect();
    show.handle(Happening::Saw(ClusterView { seats, ..ClusterView::default() }));
    let rows = text(&show, 80, 24);
    let map = rows.iter().filter(|row| row.trim_start().starts_with(|first: char| first.is_ascii_digit()));
    let cells: String =
        map.filter_map(|row| row.split_whitespace().nth(1)).filter(|cells| cells.len() > 1).collect();
    assert!(cells.starts_with("ABCABC") && cells.len() >= 1024, "{rows:#?}");
}

#[test]
fn what_does_not_fit_is_counted() {
    let show = Show::new(100_000, Duration::from_secs(2), true);
    let rows = text(&show, 80, 24);
    assert!(rows.iter().any(|row| row.contains("more; enlarge the window")), "{rows:#?}");
}

#[test]
fn owners_have_colours_and_without_colours_there_are_none() {
    let backgrounds = |palette| {
        let terminal = drawn(&scene(), palette, 80, 24);
        let cells = terminal.backend().buffer().content().iter();
        cells.map(|cell| cell.bg).filter(|colour| *colour != Color::Reset).count()
    };
    assert!(backgrounds(Palette::Colours) > 3 * 5);
    assert_eq!(backgrounds(Palette::Letters), 0);
}

#[test]
fn a_tiny_window_breaks_nothing() {
    for (width, height) in [(1, 1), (3, 2), (10, 5), (300, 3), (5, 100)] {
        drawn(&scene(), Palette::Colours, width, height);
    }
}
