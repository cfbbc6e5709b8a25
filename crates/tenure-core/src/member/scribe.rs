//! Writing a page of the ledger: the steps applied, the reasons told, and what is believed afterwards.

use super::calls::Purpose;
use super::planner::{Cause, Draft};
use crate::Rules;
use crate::config::Config;
use crate::ids::{MemberId, ShardId};
use crate::ledger::{Account, Book, Leaf, Step};
use crate::message::{Notice, Reply, Request};
use crate::moment::Moment;
use crate::record::{BYTES_MAX, Key, LedgerPage, Why};

impl Cause {
    fn name(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Balance => "balance",
        }
    }

    /// Why a shard without an heir gets one: only an owner that leaves forces that.
    fn of_promises(self) -> &'static str {
        match self {
            Self::Forced => "its owner hands all on",
            Self::Balance => "balance",
        }
    }
}

/// Who writes, and when.
#[derive(Debug)]
pub(super) struct Scribe<'a> {
    pub config: &'a Config,
    /// The members that were counted on.
    pub view: Vec<MemberId>,
    pub wall_ms: Option<u64>,
}

impl Scribe<'_> {
    /// The call that writes a draft; `Err` if nobody would read that page.
    pub(super) fn write(&self, book: &mut Book, draft: Draft) -> Result<Option<(Purpose, Request)>, String> {
        let Draft { number, steps, cause } = draft;
        let first = ShardId(number * book.meta().page_size);
        let leaf = book.leaf_mut(number);
        let Some((page, version)) = leaf.writable().filter(|_| !steps.is_empty()) else { return Ok(None) };
        let when = self.config.rules.turns_over(version);
        let next = self.turned(page, first, &steps, cause);
        let value = next.encode();
        if value.len() > BYTES_MAX {
            return Err(outgrown(leaf, number, value.len()));
        }
        leaf.writing = true;
        let purpose = Purpose::Plan { number, page: Box::new(next), changed: steps.len() };
        Ok(Some((purpose, Request::Put { key: Key::Page(number), value, when })))
    }

    fn turned(&self, page: &LedgerPage, first: ShardId, steps: &[(usize, Step)], cause: Cause) -> LedgerPage {
        let account = Account { page, first, author: &self.config.id, at_ms: self.wall_ms };
        let changes = account.of(steps, cause.of_promises());
        let mut next = page.clone();
        for (index, step) in steps {
            next.holdings[*index] = step.apply(&next.holdings[*index], self.config.rules);
        }
        next.generation += 1;
        next.remember(changes);
        next.why = Some(self.why(cause, steps));
        next
    }

    fn why(&self, cause: Cause, steps: &[(usize, Step)]) -> Why {
        let count = |wanted: fn(&Step) -> bool| steps.iter().filter(|(_, step)| wanted(step)).count();
        let reason = format!(
            "{}: {} appointed, {} succeeded, {} promised, {} called off",
            cause.name(),
            count(|step| matches!(step, Step::Appoint(_))),
            count(|step| matches!(step, Step::Succeed)),
            count(|step| matches!(step, Step::Promise(_))),
            count(|step| matches!(step, Step::CallOff)),
        );
        Why { reason, author: self.config.id.clone(), view: self.view.clone() }
    }
}

/// A page that was sent.
#[derive(Debug)]
pub(super) struct Written {
    pub page: LedgerPage,
    pub changed: usize,
}

/// A page that nobody would read is not written; its next look may find a shorter one.
fn outgrown(leaf: &mut Leaf, number: u32, bytes: usize) -> String {
    let what =
        format!("ledger page {number} would have {bytes} bytes, more than {BYTES_MAX}: it is not written");
    leaf.refuse(what.clone());
    what
}

/// Only a write known to have landed changes what we believe; everything else is read first.
pub(super) fn replied(
    now: Moment,
    leaf: &mut Leaf,
    written: Written,
    reply: Reply,
    rules: Rules,
) -> Option<Notice> {
    let Written { page, changed } = written;
    leaf.writing = false;
    match rules.page_landed(&reply) {
        Some(version) => {
            let reason = page.why.as_ref().map_or_else(String::new, |why| why.reason.clone());
            if page.generation > leaf.generation {
                leaf.turn(now, version, page);
            }
            Some(Notice::Planned { reason, changed })
        }
        None => {
            leaf.doubt = true;
            Some(Notice::Retry)
        }
    }
}
