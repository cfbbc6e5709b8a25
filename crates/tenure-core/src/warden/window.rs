//! Decides which starts are sent: a few at a time, so that no order waits long behind them, and those that wait can be
//! called off without anybody having heard of them.

use std::collections::{BTreeSet, VecDeque};

use super::message::JobId;

/// The starts of one member.
#[derive(Debug)]
pub struct Window {
    limit: usize,
    /// Sent, and not heard of yet.
    flying: BTreeSet<JobId>,
    waiting: VecDeque<JobId>,
}

impl Window {
    /// At most `limit` starts are on their way at once.
    pub fn new(limit: usize) -> Self {
        Self { limit, flying: BTreeSet::new(), waiting: VecDeque::new() }
    }

    /// A job is to be started. It comes out of [`Window::send`] when its turn has come.
    pub fn ask(&mut self, job: JobId) {
        self.waiting.push_back(job);
    }

    /// The next job whose start is to be sent.
    pub fn send(&mut self) -> Option<JobId> {
        if self.flying.len() >= self.limit {
            return None;
        }
        let job = self.waiting.pop_front()?;
        self.flying.insert(job);
        Some(job)
    }

    /// A job that was sent has begun, or ended.
    pub fn landed(&mut self, job: JobId) {
        self.flying.remove(&job);
    }

    /// A job is not wanted any more. Says whether it was still waiting: then it will never be sent.
    pub fn cancel(&mut self, job: JobId) -> bool {
        let place = self.waiting.iter().position(|waiting| *waiting == job);
        place.and_then(|place| self.waiting.remove(place)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window() -> Window {
        let mut window = Window::new(2);
        (1..=4).for_each(|job| window.ask(JobId(job)));
        window
    }

    #[test]
    fn as_many_as_the_limit_are_sent_in_the_order_that_they_were_asked_for() {
        let mut window = window();
        assert_eq!([window.send(), window.send(), window.send()], [Some(JobId(1)), Some(JobId(2)), None]);
    }

    #[test]
    fn one_that_has_begun_makes_room_for_the_next() {
        let mut window = window();
        while window.send().is_some() {}
        window.landed(JobId(2));
        window.landed(JobId(2));
        assert_eq!([window.send(), window.send()], [Some(JobId(3)), None]);
    }

    #[test]
    fn one_that_waits_can_be_called_off_and_one_that_flies_can_not() {
        let mut window = window();
        assert_eq!(window.send(), Some(JobId(1)));
        assert!(window.cancel(JobId(2)) && !window.cancel(JobId(1)) && !window.cancel(JobId(2)));
        assert_eq!(window.send(), Some(JobId(3)));
    }
}
