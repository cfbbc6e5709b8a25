//! Finding the cluster, or founding it.
//!
//! ```text
//!  read meta ──absent──► create meta as forming ──┐
//!     ▲  │ forming                                │
//!     │  ▼                                        │
//!     │ read page n ──absent──► create it blank   │
//!     │  │ there, n + 1; after the last:          │
//!     │  └──► set ready ──────────────────────────┤
//!     └───────────────────────────────────────────┘
//!      ready: done
//! ```
//! Whoever sees `forming` helps. Whatever a write says, the next step is a read: nobody trusts its own writes here.

use crate::config::Config;
use crate::entropy::Entropy;
use crate::ids::Lineage;
use crate::message::{Ending, Fault, Notice, Reply, Request, When};
use crate::moment::Moment;
use crate::plan::{PLAN_VERSION, Placement};
use crate::record::{FORMAT, Formation, Key, LedgerPage, Meta, SHARDS_MAX, Unknown, Version};

/// What the founding asks of the machine around it.
#[derive(Debug)]
pub(super) enum FoundingAct {
    Call(Request),
    Tell(Notice),
    Refuse(Ending),
    Found(Meta),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ask {
    Meta,
    Page(u32),
    /// A write: whatever it says, ask again.
    Write(Part),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Meta,
    Page(u32),
}

/// Finds or founds the cluster.
#[derive(Debug)]
pub(super) struct Founding {
    next: Part,
    asked: Option<Ask>,
    next_at: Moment,
    meta: Option<(Version, Meta)>,
    done: bool,
    /// Whether it was told that somebody else has to finish.
    awaits: bool,
}

impl Founding {
    pub(super) fn new() -> Self {
        Self { next: Part::Meta, asked: None, next_at: Moment::ZERO, meta: None, done: false, awaits: false }
    }

    pub(super) fn deadline(&self) -> Option<Moment> {
        (!self.done && self.asked.is_none()).then_some(self.next_at)
    }

    pub(super) fn advance(&mut self, now: Moment, out: &mut Vec<FoundingAct>) {
        if self.done || self.asked.is_some() || now < self.next_at {
            return;
        }
        let (ask, key) = match self.next {
            Part::Meta => (Ask::Meta, Key::Meta),
            Part::Page(number) => (Ask::Page(number), Key::Page(number)),
        };
        self.asked = Some(ask);
        out.push(FoundingAct::Call(Request::Get { key, unless: None }));
    }

    pub(super) fn reply(
        &mut self,
        now: Moment,
        reply: Reply,
        config: &Config,
        entropy: &mut Entropy,
        out: &mut Vec<FoundingAct>,
    ) {
        let Some(asked) = self.asked.take() else { return };
        match (asked, reply) {
            (_, Reply::Failed(fault)) => self.wait(now, config, fault, out),
            (Ask::Write(part), _) => self.next = part,
            (Ask::Meta, Reply::Absent) => self.create_meta(config, entropy, out),
            (Ask::Meta, Reply::Found(found)) => match Meta::decode(&found.value) {
                Ok(meta) => self.read_meta(found.version, meta, config, out),
                Err(error) => self.report(now, config, Notice::Unreadable(error), out),
            },
            (Ask::Page(number), Reply::Absent) => self.create_page(number, out),
            (Ask::Page(number), Reply::Found(found)) => {
                self.read_page(now, number, &found.value, config, out)
            }
            (Ask::Meta | Ask::Page(_), _) => {}
        }
        self.advance(now, out);
    }

    fn wait(&mut self, now: Moment, config: &Config, fault: Fault, out: &mut Vec<FoundingAct>) {
        self.next_at = now + config.timing.acquire_retry_interval;
        if let Fault::Denied(why) = fault {
            out.push(FoundingAct::Tell(Notice::Refused(why)));
        }
    }

    fn report(&mut self, now: Moment, config: &Config, notice: Notice, out: &mut Vec<FoundingAct>) {
        self.next_at = now + config.timing.poll;
        out.push(FoundingAct::Tell(notice));
    }

    fn write(&mut self, part: Part, key: Key, value: bytes::Bytes, when: When, out: &mut Vec<FoundingAct>) {
        self.asked = Some(Ask::Write(part));
        out.push(FoundingAct::Call(Request::Put { key, value, when }));
    }

    fn create_meta(&mut self, config: &Config, entropy: &mut Entropy, out: &mut Vec<FoundingAct>) {
        let meta = Meta {
            v: FORMAT,
            lineage: Lineage(entropy.bits()),
            state: Formation::Forming,
            shards: config.shards,
            page_size: config.page_size,
            ttl_max_ms: config.ttl_max.as_millis() as u64,
            placement: config.placement.name().into(),
            plan_version: PLAN_VERSION,
            spread_zones: config.spread_zones,
            extra: Unknown::default(),
        };
        self.write(Part::Meta, Key::Meta, meta.encode(), When::Absent, out);
    }

    fn read_meta(&mut self, version: Version, meta: Meta, config: &Config, out: &mut Vec<FoundingAct>) {
        if let Err(ending) = agree(&meta, config) {
            self.done = true;
            return out.push(FoundingAct::Refuse(ending));
        }
        if config.rules.is_ready(meta.state) {
            self.done = true;
            return out.push(FoundingAct::Found(meta));
        }
        self.meta = Some((version, meta));
        self.has_read(0, config, out);
    }

    /// So many pages were read back: on to the next, or the cluster is ready.
    fn has_read(&mut self, pages: u32, config: &Config, out: &mut Vec<FoundingAct>) {
        let Some((version, meta)) = &self.meta else { return };
        if !config.rules.may_set_ready(pages, meta.pages()) {
            self.next = Part::Page(pages);
            return;
        }
        let ready = Meta { state: Formation::Ready, ..meta.clone() };
        let when = When::Is(version.clone());
        self.write(Part::Meta, Key::Meta, ready.encode(), when, out);
    }

    fn create_page(&mut self, number: u32, out: &mut Vec<FoundingAct>) {
        let Some((_, meta)) = &self.meta else { return };
        let blank = LedgerPage::blank(meta.lineage, meta.page_len(number)).encode();
        self.write(Part::Page(number), Key::Page(number), blank, When::Absent, out);
    }

    fn read_page(
        &mut self,
        now: Moment,
        number: u32,
        bytes: &[u8],
        config: &Config,
        out: &mut Vec<FoundingAct>,
    ) {
        let Some((_, meta)) = &self.meta else { return };
        if let Err(error) = LedgerPage::decode(number, bytes, meta) {
            let strange = LedgerPage::lineage_of(bytes).is_some_and(|lineage| lineage != meta.lineage);
            return match strange {
                true => self.await_recovery(now, config, out),
                false => self.report(now, config, Notice::Unreadable(error), out),
            };
        }
        self.has_read(number + 1, config, out);
    }

    /// Pages of another lineage under a `meta` that is forming: somebody recovers the cluster, and sets it ready when that is done.
    fn await_recovery(&mut self, now: Moment, config: &Config, out: &mut Vec<FoundingAct>) {
        (self.next, self.next_at) = (Part::Meta, now + config.timing.poll);
        if !std::mem::replace(&mut self.awaits, true) {
            let what = "it is being recovered; if nobody does so any more, `tenure store recover` goes on";
            out.push(FoundingAct::Tell(Notice::Recovered(what.into())));
        }
    }
}

/// Whether the cluster is what the settings say.
fn agree(meta: &Meta, config: &Config) -> Result<(), Ending> {
    let mismatch = |setting, problem| Err(Ending::Mismatch { setting, problem });
    if config.shards != meta.shards {
        let (ours, theirs) = (config.shards, meta.shards);
        return mismatch(
            "shards",
            format!(
                "is {ours}, but this cluster was founded with {theirs}: use {theirs}, or another cluster name"
            ),
        );
    }
    if config.timing.ttl > meta.ttl_max() {
        let (ours, most) = (config.timing.ttl, meta.ttl_max());
        return mismatch(
            "lease_ttl",
            format!("is {ours:?}, but this cluster allows at most {most:?}: use a shorter one"),
        );
    }
    if Placement::parse(&meta.placement).is_none() {
        return mismatch(
            "placement",
            format!(
                "of this cluster is {:?}, which this version does not know: upgrade this member",
                meta.placement
            ),
        );
    }
    debug_assert!(meta.shards <= SHARDS_MAX);
    Ok(())
}
