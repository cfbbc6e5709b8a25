//! The only ways in which a holding changes.
//!
//! | step | before | after |
//! |---|---|---|
//! | P1 `Appoint` | owner none or ended, heir none or ended | owner := x at top + 1 |
//! | P2 `Succeed` | owner ended, heir not ended | owner := heir, at the heir's epoch |
//! | P3 `Promise` | owner not ended, no heir | heir := x at top + 1 |
//! | P4 `Promise` | owner not ended, heir ended | heir := y at top + 1 |
//! | P5 `CallOff` | owner not ended, heir ended | no heir |
//!
//! `top` never falls, so an epoch names one life for ever.

use crate::Rules;
use crate::ids::Life;
use crate::record::Holding;

/// One step of a holding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// P1: a shard without an owner gets one.
    Appoint(Life),
    /// P2: the heir takes over.
    Succeed,
    /// P3 and P4: a move begins, or is sent elsewhere.
    Promise(Life),
    /// P5: the move is called off.
    CallOff,
}

impl Step {
    /// The holding after the step.
    pub fn apply(&self, holding: &Holding, rules: Rules) -> Holding {
        let next = rules.next_epoch(holding);
        match self {
            Self::Appoint(life) => {
                Holding { owner: Some(life.clone()), epoch: next, heir: None, top: next.max(holding.top) }
            }
            Self::Succeed => succeed(holding),
            Self::Promise(life) => rules.promised(holding, life, next),
            Self::CallOff => {
                Holding { heir: None, top: rules.top_after_call_off(holding), ..holding.clone() }
            }
        }
    }
}

fn succeed(holding: &Holding) -> Holding {
    match &holding.heir {
        Some(heir) => {
            Holding { owner: Some(heir.life.clone()), epoch: heir.epoch, heir: None, top: holding.top }
        }
        None => holding.clone(),
    }
}
