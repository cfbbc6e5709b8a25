//! The status for people: a table of members, a map of shards, and what is not as it should be.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::cluster::{HoldingView, MemberStatus, MemberView, Survey};
use tenure::{MemberId, ShardId};
use tenure_core::record::Meta;

use super::complaints::Complaints;
use crate::command::ClusterOptions;
use crate::format::{self, Align, Table};
use crate::paint::Paint;

/// The most shards that are drawn one by one.
const MAP_MAX: u32 = 1024;

/// Shards in a row of the map.
const MAP_WIDTH: usize = 64;

/// The letters that stand for members in the map, in the order of the table.
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Where the column of addresses is, if there are any: behind the zones.
const ADDRESS_COLUMN: usize = 6;

/// What to draw.
pub(super) struct Picture<'a> {
    pub(super) place: (&'a ClusterOptions, &'a Meta),
    pub(super) survey: &'a Survey,
    pub(super) all: bool,
    pub(super) now_ms: u64,
    pub(super) paint: Paint,
}

impl Picture<'_> {
    pub(super) fn draw(&self) -> String {
        let parts = [self.title(), self.members(), self.map(), self.moving(), self.unowned(), self.trouble()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn title(&self) -> String {
        let (options, meta) = self.place;
        let owned = self.survey.holdings.len() - self.survey.unowned.len();
        let failing = Complaints { survey: self.survey, now_ms: self.now_ms }.idle();
        let state = match (owned, meta.shards as usize, failing) {
            (owned, all, 0) if owned == all => self.paint.good("all owned"),
            (owned, all, failing) if owned == all => {
                format!("all owned, {}", self.paint.bad(&format!("{failing} to no avail")))
            }
            (owned, _, 0) => self.paint.bad(&format!("{owned} owned")),
            (owned, _, failing) => self.paint.bad(&format!("{owned} owned, {failing} of them to no avail")),
        };
        let (cluster, shards) = (self.paint.bold(options.cluster.as_str()), meta.shards);
        let store = tenure_stores::shown(&options.store);
        format!("cluster {cluster} on {store}: {shards} shards, {state}\n")
    }

    fn members(&self) -> String {
        use Align::{Left, Right};
        let mut columns = vec![
            ("", Left),
            ("MEMBER", Left),
            ("STATE", Left),
            ("HOLDS", Right),
            ("WEIGHT", Right),
            ("ZONE", Left),
            ("RENEWED", Left),
            ("LIFE", Left),
            ("VERSION", Left),
            ("SHARDS", Left),
        ];
        if self.has_addresses() {
            columns.insert(ADDRESS_COLUMN, ("ADDRESS", Left));
        }
        let mut table = Table::new(&columns);
        let shown = self.survey.members.iter().filter(|view| self.is_shown(view));
        let mut shown = shown.peekable();
        let nobody = shown.peek().is_none();
        shown.for_each(|view| table.painted(self.member(view)));
        let hidden = self.survey.members.iter().filter(|view| !self.is_shown(view)).count();
        let table = if nobody { "  no member is there\n".into() } else { table.draw(self.paint) };
        match hidden {
            0 => table,
            hidden => {
                format!("{table}  {}\n", self.paint.dim(&format!("and {hidden} ended; --all shows them")))
            }
        }
    }

    /// Whether any member says where it is reached: a column for nothing is not worth its width.
    fn has_addresses(&self) -> bool {
        self.survey.members.iter().any(|view| self.is_shown(view) && view.address.is_some())
    }

    fn is_shown(&self, view: &MemberView) -> bool {
        self.all
            || !view.holds.is_empty()
            || !matches!(view.state, MemberStatus::Gone | MemberStatus::Deposed)
    }

    fn member(&self, view: &MemberView) -> Vec<(String, String)> {
        let plain = format::cell;
        let letter = self.letter(&view.id);
        let renewed = format::span(Duration::from_millis(view.renewed_ago_ms));
        let shards = format::shards(&view.holds, 40);
        let mut cells = vec![
            (letter.to_string(), self.colour(&view.id, &letter.to_string())),
            plain(view.id.to_string()),
            (view.state.to_string(), self.state(view.state)),
            plain(view.holds.len().to_string()),
            plain(view.weight.to_string()),
            plain(view.zone.clone().unwrap_or_else(|| "-".into())),
            plain(format!("{renewed} of {}", format::span(Duration::from_millis(view.ttl_ms)))),
            plain(view.incarnation.map_or_else(|| "-".into(), |life| life.to_string())),
            plain(if view.version.is_empty() { "-".into() } else { view.version.clone() }),
            (shards.clone(), self.paint.dim(&shards)),
        ];
        if self.has_addresses() {
            cells.insert(ADDRESS_COLUMN, plain(view.address.as_deref().unwrap_or("-").to_owned()));
        }
        cells
    }

    fn state(&self, state: MemberStatus) -> String {
        match state {
            MemberStatus::Active => self.paint.good(state.name()),
            MemberStatus::Silent | MemberStatus::Unreadable => self.paint.bad(state.name()),
            MemberStatus::Drained | MemberStatus::Leaving | MemberStatus::Gone | MemberStatus::Deposed => {
                self.paint.dim(state.name())
            }
        }
    }

    fn letter(&self, id: &MemberId) -> char {
        let place = self.survey.members.iter().position(|view| view.id == *id);
        place.and_then(|place| LETTERS.get(place)).map_or('?', |letter| char::from(*letter))
    }

    fn colour(&self, id: &MemberId, text: &str) -> String {
        let place = self.survey.members.iter().position(|view| view.id == *id).unwrap_or(0);
        self.paint.one_of(place, text)
    }

    fn map(&self) -> String {
        if self.survey.shards > MAP_MAX || self.survey.holdings.is_empty() {
            return String::new();
        }
        let mut map = String::new();
        for row in self.survey.holdings.chunks(MAP_WIDTH) {
            let line: String = row.iter().map(|view| self.dot(view)).collect();
            map.push_str(&format!("  {:>4}  {line}\n", row[0].shard.0));
        }
        map
    }

    fn dot(&self, view: &HoldingView) -> String {
        match (&view.owner, &view.heir) {
            (Some(owner), None) => self.colour(owner, &self.letter(owner).to_string()),
            (Some(_), Some(heir)) => self.colour(heir, ">"),
            (None, _) => self.paint.bad("."),
        }
    }

    fn moving(&self) -> String {
        let mut ways: BTreeMap<(&MemberId, &MemberId), Vec<ShardId>> = BTreeMap::new();
        for view in &self.survey.holdings {
            if let (Some(owner), Some(heir)) = (&view.owner, &view.heir) {
                ways.entry((owner, heir)).or_default().push(view.shard);
            }
        }
        let line = |((owner, heir), shards): (_, Vec<ShardId>)| {
            format!("  moving   {owner} to {heir}: {}\n", format::shards(&shards, 60))
        };
        ways.into_iter().map(line).collect()
    }

    fn unowned(&self) -> String {
        let mut reasons: BTreeMap<&str, Vec<ShardId>> = BTreeMap::new();
        for view in self.survey.holdings.iter().filter(|view| view.owner.is_none()) {
            reasons.entry(view.why.as_deref().unwrap_or("nobody knows why")).or_default().push(view.shard);
        }
        let line = |(why, shards): (&str, Vec<ShardId>)| {
            format!(
                "  {}  {}: {}\n",
                self.paint.bad("unowned"),
                format::shards(&shards, 60),
                format::plain(why)
            )
        };
        reasons.into_iter().map(line).collect()
    }

    fn trouble(&self) -> String {
        let complaints = Complaints { survey: self.survey, now_ms: self.now_ms };
        let lines = complaints.beside_unowned();
        lines
            .iter()
            .map(|line| format!("  {}  {}\n", self.paint.bad("trouble"), format::plain(line)))
            .collect()
    }
}
