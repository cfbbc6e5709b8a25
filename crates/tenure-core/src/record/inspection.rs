//! What is wrong with a record, what that means to its readers, and what can be done about it without harm.
//!
//! Only three things can: a page may lose what is for people alone or known to nobody, for no decision rests on it, while its
//! holdings stay as they are; a member's record may be removed, for its life is then closed after the longest lease (O3b); and so
//! may a record that is nobody's. Whatever else is wrong is left to people: a guess about a holding could make two owners.

use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::hearsay::{changes_told, why_of};
use super::limited::Limited;
use super::page_fields::{Fields, Names, Rows};
use super::{BYTES_MAX, FORMAT, Key, LedgerPage, MemberRecord, Meta, NUMBER_MAX, TTL_MAX_MS, json};
use crate::ids::{Lineage, MemberId};

/// No record is looked into that has more bytes than this, not even to mend it.
const MENDED_MAX: usize = 64 << 20;

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blemish {
    /// What is wrong.
    pub what: String,
    /// What it means to those who read it.
    pub means: &'static str,
    /// What can be done about it.
    pub remedy: Remedy,
}

/// What can be done about a record without harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Write it so instead, over the very version that was looked at.
    Rewrite(Bytes),
    /// Remove the very version that was looked at.
    Remove,
    /// Nothing, but what is said: somebody has to decide.
    Person(&'static str),
}

/// What is wrong with the record at `key` in the cluster of `meta`; `None` if nothing is. Without a `meta` that can be read, of a
/// page nothing can be said.
pub fn inspect(key: &Key, bytes: &[u8], meta: Option<&Meta>) -> Option<Blemish> {
    match (key, meta) {
        (Key::Meta, _) => Meta::decode(bytes).err().map(|refusal| unread(refusal.why, META)),
        (Key::Member(id), meta) => member(id, bytes, meta),
        (Key::Page(number), Some(meta)) => page(*number, bytes, meta),
        (Key::Page(_), None) => None,
    }
}

const META: Unread = Unread {
    means: "nobody can find the cluster: members that run go on, no other joins",
    advice: "write back what was there before, from a backup; no other content is right",
};

/// What it means that a record can't be read, and what to do.
struct Unread {
    means: &'static str,
    advice: &'static str,
}

fn unread(what: String, unread: Unread) -> Blemish {
    Blemish { what, means: unread.means, remedy: Remedy::Person(unread.advice) }
}

fn member(id: &MemberId, bytes: &[u8], meta: Option<&Meta>) -> Option<Blemish> {
    let ttl_max = meta.map_or(Duration::from_millis(TTL_MAX_MS), Meta::ttl_max);
    let what = MemberRecord::decode(id, bytes, ttl_max).err()?.why;
    let means = "nobody concludes anything from it: what the member held stays without an owner";
    Some(Blemish { what, means, remedy: member_remedy(bytes, meta) })
}

/// A life whose record is removed is closed once the cluster's longest lease has passed: so its own must not be longer.
fn member_remedy(bytes: &[u8], meta: Option<&Meta>) -> Remedy {
    #[derive(Deserialize)]
    struct Head {
        v: u32,
        ttl_ms: u64,
    }
    let head: Option<Head> = serde_json::from_slice(bytes).ok().filter(|_| bytes.len() <= MENDED_MAX);
    match (head, meta) {
        (_, None) => Remedy::Person("mend meta first: how long leases may be is not known"),
        (Some(head), _) if head.v > FORMAT => {
            Remedy::Person("a later version wrote it: upgrade this program")
        }
        (Some(head), Some(meta)) if head.ttl_ms > meta.ttl_max_ms => Remedy::Person(
            "its lease may be longer than anybody waits: stop that process, then remove the record",
        ),
        (Some(_) | None, Some(_)) => Remedy::Remove,
    }
}

fn page(number: u32, bytes: &[u8], meta: &Meta) -> Option<Blemish> {
    match LedgerPage::decode(number, bytes, meta) {
        Ok(page) => hearsay(bytes, page),
        Err(refusal) => Some(unreadable_page(refusal.why, number, bytes, meta)),
    }
}

/// A page that can be read, and says something to people that can't.
fn hearsay(bytes: &[u8], page: LedgerPage) -> Option<Blemish> {
    let fields: Fields<'_> = json::decode(bytes, BYTES_MAX).ok()?;
    let why = fields.why.is_some_and(|why| why.get() != "null" && why_of(why).is_none());
    let changes = fields.recent.map_or(0, changes_told).saturating_sub(page.recent.len());
    let what = match (changes, why) {
        (0, false) => return None,
        (0, true) => "why it was last written can't be understood".to_owned(),
        (count, _) => {
            format!("{count} of the changes that it remembers can't be understood, or are too many")
        }
    };
    let means = "it is for people alone and is left out; earlier versions of members and of this program may fail on it";
    Some(Blemish { what, means, remedy: turned(page) })
}

fn unreadable_page(what: String, number: u32, bytes: &[u8], meta: &Meta) -> Blemish {
    let means =
        "nobody writes it: its owners go on by their leases, and nobody takes over from one that ends";
    let advice = "write back a page that says who owns what; nothing but a backup, or its owners, knows that";
    let essence = essence(bytes).and_then(|page| LedgerPage::decode(number, &page.encode(), meta).ok());
    Blemish { what, means, remedy: essence.map_or(Remedy::Person(advice), turned) }
}

/// The page without what was left out, one generation later.
fn turned(page: LedgerPage) -> Remedy {
    if !page.can_turn() {
        return Remedy::Person("its generation is the last one: found the cluster anew, under another name");
    }
    let next = LedgerPage { generation: page.generation + 1, ..page };
    Remedy::Rewrite(next.encode())
}

/// What a page says that anything rests on, if that much can be read.
fn essence(bytes: &[u8]) -> Option<LedgerPage> {
    #[derive(Deserialize)]
    struct Essence<'a> {
        v: u32,
        lineage: Lineage,
        generation: u64,
        #[serde(borrow)]
        lives: &'a RawValue,
        #[serde(borrow)]
        holdings: &'a RawValue,
    }
    let essence: Essence<'_> = json::decode(bytes, MENDED_MAX).ok()?;
    json::check_format(essence.v).ok().filter(|()| essence.generation <= NUMBER_MAX)?;
    let Limited(lives): Names = serde_json::from_str(essence.lives.get()).ok()?;
    let Limited(rows): Rows = serde_json::from_str(essence.holdings.get()).ok()?;
    LedgerPage::of_rows(essence.lineage, essence.generation, lives, &rows)
}
