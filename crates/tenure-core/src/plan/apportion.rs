//! Dividing a whole number of units by weights.
//!
//! The potential that balance lowers is Σ load²/weight. Giving one more unit to someone with `q` raises it by
//! `(2q + 1)/weight`, and that cost only grows with `q`: so whoever hands out unit after unit, always to the cheapest,
//! ends at the exact minimum. (Parliaments know this as the method of Sainte-Laguë.) Largest remainders would not do:
//! they miss the minimum, and a newcomer can then *raise* what an old member is due, so shards would move between
//! old members.
//!
//! Units that cost the same could go to either. They go first to those who hold them already: then every move from
//! someone above their quota to someone below it lowers the potential strictly, and nothing moves for a tie.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What each is due of `total`, given their weights (at least 1) and what they hold now.
pub(super) fn apportion(total: u64, weights: &[u64], held: &[u64]) -> Vec<u64> {
    let mut quotas = surely_due(total, weights);
    let spare = total.saturating_sub(quotas.iter().sum());
    let claim = |index: usize| Claim { due: quotas[index], weight: weights[index], held: held[index], index };
    let mut claims: BinaryHeap<_> = (0..weights.len()).map(|index| Reverse(claim(index))).collect();
    for _ in 0..spare {
        grant(&mut claims);
    }
    for Reverse(claim) in claims {
        quotas[claim.index] = claim.due;
    }
    quotas
}

fn grant(claims: &mut BinaryHeap<Reverse<Claim>>) {
    if let Some(mut first) = claims.peek_mut() {
        first.0.due += 1;
    }
}

/// What each gets in any case, so that at most one unit per head is left to be handed out one by one.
///
/// At the minimum all `q` round `x·weight` for one common `x`, so `|q − x·weight| ≤ 1/2`. Summed up, with `m` heads and
/// the sum of weights `W`: `x ≥ (total − m/2)/W`, hence `q ≥ weight·(total − m/2)/W − 1/2`.
fn surely_due(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum = u128::from(weights.iter().sum::<u64>());
    let units = u128::from((2 * total).saturating_sub(weights.len() as u64));
    let due = |weight: u64| (u128::from(weight) * units).saturating_sub(sum).div_ceil(2 * sum);
    weights.iter().map(|&weight| due(weight) as u64).collect()
}

/// Someone's claim to one more unit; the least claim is served first.
#[derive(PartialEq, Eq)]
struct Claim {
    due: u64,
    weight: u64,
    held: u64,
    index: usize,
}

impl Claim {
    fn would_have_to_gain(&self) -> bool {
        self.held <= self.due
    }
}

impl Ord for Claim {
    fn cmp(&self, other: &Self) -> Ordering {
        let cost = |due: u64, weight: u64| (2 * u128::from(due) + 1) * u128::from(weight);
        cost(self.due, other.weight)
            .cmp(&cost(other.due, self.weight))
            .then(self.would_have_to_gain().cmp(&other.would_have_to_gain()))
            .then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for Claim {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_weights_differ_by_one_at_most() {
        assert_eq!(apportion(10, &[1, 1, 1], &[0, 0, 0]), [4, 3, 3]);
    }

    #[test]
    fn a_spare_unit_stays_where_it_is() {
        assert_eq!(apportion(10, &[1, 1, 1], &[3, 3, 4]), [3, 3, 4]);
    }

    #[test]
    fn weights_divide_in_proportion() {
        assert_eq!(apportion(100, &[1, 3], &[0, 0]), [25, 75]);
    }

    #[test]
    fn nobody_to_give_to_leaves_nothing_due() {
        assert_eq!(apportion(10, &[], &[]), [0_u64; 0]);
    }

    #[test]
    fn extreme_weights_overflow_nothing() {
        let most = u64::from(u32::MAX);
        let quotas = apportion(most, &[most, 1, most], &[0, 0, 0]);
        assert_eq!(quotas.iter().sum::<u64>(), most);
    }

    fn heads() -> impl Strategy<Value = Vec<(u64, u64)>> {
        prop::collection::vec((1..50_u64, 0..30_u64), 1..12)
    }

    proptest! {
        #[test]
        fn everything_is_divided_and_no_transfer_would_be_better(total in 0..300_u64, heads in heads()) {
            let (weights, held): (Vec<_>, Vec<_>) = heads.into_iter().unzip();
            let quotas = apportion(total, &weights, &held);
            prop_assert_eq!(quotas.iter().sum::<u64>(), total);
            for from in (0..quotas.len()).filter(|&from| quotas[from] > 0) {
                for to in 0..quotas.len() {
                    prop_assert!((2 * quotas[from] - 1) * weights[to] <= (2 * quotas[to] + 1) * weights[from] || from == to);
                }
            }
        }

        #[test]
        fn a_newcomer_raises_nobodys_quota(total in 0..300_u64, heads in heads(), newcomer in 1..50_u64) {
            let (mut weights, held): (Vec<_>, Vec<_>) = heads.into_iter().unzip();
            let before = apportion(total, &weights, &held);
            weights.push(newcomer);
            let held: Vec<_> = before.iter().copied().chain([0]).collect();
            let after = apportion(total, &weights, &held);
            prop_assert!(before.iter().zip(&after).all(|(before, after)| after <= before));
        }
    }
}
