//! Turns: of all that is asked for besides probes, one question at a time is worked on.
//!
//! A connection may ask for a hundred pages in one breath, and hyper answers as many of them as it can before it lets anybody else
//! run. From a crowd of such connections a probe would wait for thousands of pages. So all that is more than a probe queues up for
//! each step of its work, and between two steps the server looks at who else has come.

use std::future::poll_fn;
use std::mem::replace;
use std::pin::{Pin, pin};
use std::task::Poll;

use tokio::sync::Semaphore;
use tokio::task::yield_now;

/// The turns of one server.
#[derive(Debug)]
pub(super) struct Turns(Semaphore);

impl Default for Turns {
    fn default() -> Self {
        Self(Semaphore::new(1))
    }
}

impl Turns {
    /// Does `work`, whose steps each wait for their turn. Whatever it waits for itself, a store perhaps, is nobody's turn.
    pub(super) async fn take<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            let turn = self.0.acquire().await.expect("never closed");
            // The runtime looks at its sockets before it comes back here.
            yield_now().await;
            if let Poll::Ready(done) = step(work.as_mut()).await {
                return done;
            }
            drop(turn);
            woken().await;
        }
    }
}

/// One step; the work wakes us when there is another.
async fn step<T>(mut work: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await
}

/// Waits until somebody wakes us.
async fn woken() {
    let mut asleep = false;
    poll_fn(|_| if replace(&mut asleep, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use tokio::sync::oneshot;
    use tokio::task::LocalSet;

    use super::*;

    #[tokio::test]
    async fn whoever_waits_for_something_else_keeps_nobody_from_a_turn() {
        let turns = Turns::default();
        let (answer, waits) = oneshot::channel();
        let slow = turns.take(async { waits.await.unwrap() });
        let quick = async {
            turns.take(async {}).await;
            answer.send("slow").unwrap();
            "quick"
        };
        assert_eq!(tokio::join!(slow, quick), ("slow", "quick"));
    }

    #[tokio::test]
    async fn those_who_want_much_take_turns() {
        let (turns, done) = (Rc::new(Turns::default()), Rc::new(RefCell::new(Vec::new())));
        let local = LocalSet::new();
        for name in ["a", "b"] {
            let (turns, done) = (Rc::clone(&turns), Rc::clone(&done));
            local.spawn_local(async move {
                for _ in 0..3 {
                    turns.take(async { done.borrow_mut().push(name) }).await;
                }
            });
        }
        local.await;
        assert_eq!(*done.borrow(), ["a", "b", "a", "b", "a", "b"]);
    }
}
