//! Each shard goes to the member with room that suits it best; a member with too much parts with what suits it least.

use super::draft::Draft;
use super::phases::{Manner, balanced};
use super::picture::Picture;
use super::placement::Places;
use super::race::{Race, Runner};
use super::score::Mark;

#[derive(Debug)]
pub(super) struct Rendezvous;

impl Places for Rendezvous {
    fn homes(&self, picture: &Picture<'_>) -> Vec<Option<u32>> {
        balanced(&mut BestFirst::default(), picture)
    }
}

#[derive(Debug, Default)]
struct BestFirst {
    race: Race,
    scored: Vec<(i32, u32)>,
}

impl Manner for BestFirst {
    fn begin(&mut self, draft: &Draft<'_>) {
        self.race = Race::new(draft.takers().iter().map(|&taker| runner(draft, taker)));
    }

    fn part(&mut self, draft: &Draft<'_>, home: u32, held: &mut [u32], count: usize) {
        if count == 0 || count == held.len() {
            return;
        }
        let mark = runner(draft, home).mark;
        self.scored.clear();
        self.scored.extend(held.iter().map(|&shard| (Mark::of_shard(shard).meet(mark), shard)));
        self.scored.select_nth_unstable(count);
        for (shard, scored) in held.iter_mut().zip(&self.scored) {
            *shard = scored.1;
        }
    }

    fn settle(&mut self, draft: &mut Draft<'_>, pool: &[u32]) {
        for &shard in pool {
            if let Some(winner) = self.winner(draft, shard) {
                draft.give(shard, winner);
                self.leave_if_full(draft, winner);
            }
        }
    }
}

impl BestFirst {
    /// The winner, or, where that one must not have the shard, the winner among those who may.
    fn winner(&self, draft: &Draft<'_>, shard: u32) -> Option<u32> {
        let mark = Mark::of_shard(shard);
        let winner = self.race.winner(mark)?;
        if draft.refusals.allow(winner, shard) {
            return Some(winner);
        }
        let willing = draft.takers().iter().filter(|&&taker| draft.takes(taker, shard));
        Race::new(willing.map(|&taker| runner(draft, taker))).winner(mark)
    }

    fn leave_if_full(&mut self, draft: &Draft<'_>, winner: u32) {
        if !draft.has_room(winner) {
            self.race.leave(winner, draft.balance.weight(winner));
        }
    }
}

fn runner(draft: &Draft<'_>, who: u32) -> Runner {
    let id = &draft.candidates[who as usize].id;
    Runner { who, weight: draft.balance.weight(who), mark: Mark::of_member(id) }
}
