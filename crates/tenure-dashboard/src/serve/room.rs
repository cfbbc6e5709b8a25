//! Who is connected, and who gives way when somebody new comes: whoever has asked for nothing for longest.
//!
//! Silence is cheap for those who send it. It must cost nobody else a place, so a silent connection has one only as long as
//! nobody wants it. A connection that is being answered keeps its place.

use std::collections::BTreeMap;

use tokio_util::sync::CancellationToken;

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SeatId(u64);

#[derive(Debug)]
struct Seat {
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
pub(super) struct Room {
    seats: BTreeMap<SeatId, Seat>,
    turn: u64,
}

impl Room {
    /// Somebody has come, and leaves when `leave` is cancelled.
    pub(super) fn enter(&mut self, leave: CancellationToken) -> SeatId {
        let turn = self.next_turn();
        self.seats.insert(SeatId(turn), Seat { leave, asked: 0, turn, leaving: false });
        SeatId(turn)
    }

    /// A question has come.
    pub(super) fn ask(&mut self, id: SeatId) {
        if let Some(seat) = self.seats.get_mut(&id) {
            seat.asked += 1;
        }
    }

    /// The question is answered, to the last byte.
    pub(super) fn answer(&mut self, id: SeatId) {
        let turn = self.next_turn();
        if let Some(seat) = self.seats.get_mut(&id) {
            seat.asked = seat.asked.saturating_sub(1);
            seat.turn = turn;
        }
    }

    /// Somebody has gone.
    pub(super) fn exit(&mut self, id: SeatId) {
        self.seats.remove(&id);
    }

    /// Tells an eighth of all to leave, of those who are silent, unless somebody was told and has not gone yet. Where many come at once
    /// the next of them need not wait for each other.
    pub(super) fn make_way(&mut self) {
        if self.seats.values().any(|seat| seat.leaving) {
            return;
        }
        let count = self.seats.len().div_ceil(8);
        let mut silent: Vec<&mut Seat> = self.seats.values_mut().filter(|seat| seat.asked == 0).collect();
        silent.sort_unstable_by_key(|seat| seat.turn);
        for seat in silent.into_iter().take(count) {
            seat.leaving = true;
            seat.leave.cancel();
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

    fn room() -> (Room, [(SeatId, CancellationToken); 3]) {
        let mut room = Room::default();
        let seats = [(); 3].map(|()| {
            let leave = CancellationToken::new();
            (room.enter(leave.clone()), leave)
        });
        (room, seats)
    }

    fn told(seats: &[(SeatId, CancellationToken); 3]) -> [bool; 3] {
        [0, 1, 2].map(|place| seats[place].1.is_cancelled())
    }

    #[test]
    fn whoever_is_silent_for_longest_gives_way() {
        let (mut room, seats) = room();
        room.make_way();
        assert_eq!(told(&seats), [true, false, false]);
        room.make_way();
        assert_eq!(told(&seats), [true, false, false], "one is on its way out already");
        room.exit(seats[0].0);
        room.make_way();
        assert_eq!(told(&seats), [true, true, false]);
    }

    #[test]
    fn whoever_is_being_answered_stays_and_is_the_last_to_go_afterwards() {
        let (mut room, seats) = room();
        room.ask(seats[0].0);
        room.make_way();
        assert_eq!(told(&seats), [false, true, false]);
        room.exit(seats[1].0);
        room.answer(seats[0].0);
        room.make_way();
        assert_eq!(told(&seats), [false, true, true]);
    }

    #[test]
    fn in_a_large_room_several_give_way_at_once() {
        let mut room = Room::default();
        let leave: Vec<_> = (0..32).map(|_| CancellationToken::new()).collect();
        for leave in &leave {
            room.enter(leave.clone());
        }
        room.make_way();
        let told: Vec<_> = (0..32).filter(|place| leave[*place].is_cancelled()).collect();
        assert_eq!(told, [0, 1, 2, 3]);
    }

    #[test]
    fn where_everybody_is_being_answered_nobody_goes() {
        let (mut room, seats) = room();
        seats.iter().for_each(|(id, _)| room.ask(*id));
        room.make_way();
        assert_eq!(told(&seats), [false, false, false]);
    }
}
