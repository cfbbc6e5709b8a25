//! Which endpoint is used: one, until it fails; then the next.
//!
//! Balancing calls over endpoints would make every n-th call fail while one of n is down. Here a failure is met once, and
//! everybody moves on together: calls, and watches too, which might not notice by themselves for a while. Each process begins
//! somewhere else.

use tokio::sync::watch;

use super::endpoint::Endpoint;

/// All endpoints, and whose turn it is.
#[derive(Debug)]
pub(super) struct Circle {
    endpoints: Vec<Endpoint>,
    turn: watch::Sender<Turn>,
}

/// The use of one endpoint from its choice until it is left. With a single endpoint it is followed by another of the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn(usize);

impl Circle {
    /// A circle of at least one.
    pub(super) fn new(endpoints: Vec<Endpoint>) -> Self {
        let first = Turn(fastrand::usize(..endpoints.len()));
        Self { endpoints, turn: watch::Sender::new(first) }
    }

    pub(super) fn len(&self) -> usize {
        self.endpoints.len()
    }

    pub(super) fn turn(&self) -> Turn {
        *self.turn.borrow()
    }

    pub(super) fn endpoint(&self, turn: Turn) -> &Endpoint {
        &self.endpoints[turn.0 % self.endpoints.len()]
    }

    /// The turns to come, once for each endpoint that is not in use.
    pub(super) fn others(&self) -> impl Iterator<Item = Turn> + use<> {
        let current = self.turn().0;
        (1..self.len()).map(move |step| Turn(current.wrapping_add(step)))
    }

    /// Ends a turn, if it has not been ended by others already.
    pub(super) fn leave(&self, turn: Turn) {
        self.turn.send_if_modified(|current| {
            let mine = *current == turn;
            if mine {
                current.0 = current.0.wrapping_add(1);
            }
            mine
        });
    }

    /// Ends a turn because its endpoint did not answer; its connection is not trusted either.
    pub(super) fn abandon(&self, turn: Turn) {
        self.endpoint(turn).hang_up();
        self.leave(turn);
    }

    /// Completes when `turn` is over.
    pub(super) async fn over(&self, turn: Turn) {
        // The sender is alive, since it is borrowed.
        let _ = self.turn.subscribe().wait_for(|current| *current != turn).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(size: usize) -> Circle {
        Circle::new((0..size).map(|number| Endpoint::new(&format!("h{number}:1"), None).unwrap()).collect())
    }

    #[test]
    fn an_endpoint_is_used_until_it_is_left() {
        let circle = circle(3);
        let first = circle.turn();
        assert_eq!(circle.turn(), first);
        circle.leave(first);
        assert_ne!(circle.endpoint(circle.turn()).name(), circle.endpoint(first).name());
    }

    #[test]
    fn many_who_leave_at_once_move_one_step() {
        let circle = circle(3);
        let first = circle.turn();
        circle.leave(first);
        let second = circle.turn();
        circle.leave(first);
        assert_eq!(circle.turn(), second);
    }

    #[test]
    fn a_round_ends_where_it_began() {
        let circle = circle(3);
        let first = circle.endpoint(circle.turn()).name().to_owned();
        for _ in 0..3 {
            circle.leave(circle.turn());
        }
        assert_eq!(circle.endpoint(circle.turn()).name(), first);
    }

    #[tokio::test]
    async fn whoever_waits_learns_that_a_turn_is_over() {
        let circle = circle(1);
        let turn = circle.turn();
        let (_, ()) = tokio::join!(circle.over(turn), async { circle.leave(turn) });
    }
}
