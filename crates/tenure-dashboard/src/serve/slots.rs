//! Who is connected, and who gives way to a newcomer: the client that has asked for nothing for longest.
//!
//! Silence is cheap for those who send it. It must cost no other a place, so a silent connection has one only as long as
//! no newcomer wants it. A connection that is being answered keeps its place.

use std::collections::BTreeMap;

use tokio_util::sync::CancellationToken;

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SlotId(u64);

#[derive(Debug)]
struct Slot {
    leave: CancellationToken,
    /// Questions that are being answered.
    asked: usize,
    /// Smaller for those who have waited longer.
    turn: u64,
    /// It was told to leave.
    leaving: bool,
}

/// All connections.
#[derive(Debug, Default)]
pub(super) struct Slots {
    by_id: BTreeMap<SlotId, Slot>,
    turn: u64,
}

impl Slots {
    /// Somebody has come, and leaves when `leave` is cancelled.
    pub(super) fn enter(&mut self, leave: CancellationToken) -> SlotId {
        let turn = self.next_turn();
        self.by_id.insert(SlotId(turn), Slot { leave, asked: 0, turn, leaving: false });
        SlotId(turn)
    }

    /// A question has come.
    pub(super) fn ask(&mut self, id: SlotId) {
        if let Some(slot) = self.by_id.get_mut(&id) {
            slot.asked += 1;
        }
    }

    /// The question is answered, to the last byte.
    pub(super) fn answer(&mut self, id: SlotId) {
        let turn = self.next_turn();
        if let Some(slot) = self.by_id.get_mut(&id) {
            slot.asked = slot.asked.saturating_sub(1);
            slot.turn = turn;
        }
    }

    /// Somebody has gone.
    pub(super) fn exit(&mut self, id: SlotId) {
        self.by_id.remove(&id);
    }

    /// Tells an eighth of all to leave, of those who are silent, unless somebody was told and has not gone yet. Where many come at once
    /// the next of them need not wait for each other.
    pub(super) fn make_way(&mut self) {
        if self.by_id.values().any(|slot| slot.leaving) {
            return;
        }
        let count = self.by_id.len().div_ceil(8);
        let mut silent: Vec<&mut Slot> = self.by_id.values_mut().filter(|slot| slot.asked == 0).collect();
        silent.sort_unstable_by_key(|slot| slot.turn);
        for slot in silent.into_iter().take(count) {
            slot.leaving = true;
            slot.leave.cancel();
        }
    }

    fn next_turn(&mut self) -> u64 {
        self.turn += 1;
        self.turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots() -> (Slots, [(SlotId, CancellationToken); 3]) {
        let mut slots = Slots::default();
        let by_id = [(); 3].map(|()| {
            let leave = CancellationToken::new();
            (slots.enter(leave.clone()), leave)
        });
        (slots, by_id)
    }

    fn told(by_id: &[(SlotId, CancellationToken); 3]) -> [bool; 3] {
        [0, 1, 2].map(|place| by_id[place].1.is_cancelled())
    }

    #[test]
    fn whoever_is_silent_for_longest_gives_way() {
        let (mut slots, by_id) = slots();
        slots.make_way();
        assert_eq!(told(&by_id), [true, false, false]);
        slots.make_way();
        assert_eq!(told(&by_id), [true, false, false], "one is on its way out already");
        slots.exit(by_id[0].0);
        slots.make_way();
        assert_eq!(told(&by_id), [true, true, false]);
    }

    #[test]
    fn whoever_is_being_answered_stays_and_is_the_last_to_go_afterwards() {
        let (mut slots, by_id) = slots();
        slots.ask(by_id[0].0);
        slots.make_way();
        assert_eq!(told(&by_id), [false, true, false]);
        slots.exit(by_id[1].0);
        slots.answer(by_id[0].0);
        slots.make_way();
        assert_eq!(told(&by_id), [false, true, true]);
    }

    #[test]
    fn in_a_large_room_several_give_way_at_once() {
        let mut slots = Slots::default();
        let leave: Vec<_> = (0..32).map(|_| CancellationToken::new()).collect();
        for leave in &leave {
            slots.enter(leave.clone());
        }
        slots.make_way();
        let told: Vec<_> = (0..32).filter(|place| leave[*place].is_cancelled()).collect();
        assert_eq!(told, [0, 1, 2, 3]);
    }

    #[test]
    fn where_everybody_is_being_answered_nobody_goes() {
        let (mut slots, by_id) = slots();
        by_id.iter().for_each(|(id, _)| slots.ask(*id));
        slots.make_way();
        assert_eq!(told(&by_id), [false, false, false]);
    }
}
