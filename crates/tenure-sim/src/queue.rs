//! What will happen, in the order of true time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::clock::Nanos;

#[derive(Debug)]
struct Queued<T> {
    at: Nanos,
    number: u64,
    what: T,
}

impl<T> PartialEq for Queued<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Queued<T> {}

impl<T> PartialOrd for Queued<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Queued<T> {
    /// The heap gives its greatest first: the earliest, and of equals the one that was put in first.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

/// Everything that is yet to happen.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    heap: BinaryHeap<Queued<T>>,
    number: u64,
}

impl<T> Queue<T> {
    /// One in which nothing waits.
    pub(crate) fn new() -> Self {
        Self { heap: BinaryHeap::new(), number: 0 }
    }

    /// Lets `what` happen at `at`.
    pub(crate) fn put(&mut self, at: Nanos, what: T) {
        self.number += 1;
        self.heap.push(Queued { at, number: self.number, what });
    }

    /// The next thing, and when it happens.
    pub(crate) fn next(&mut self) -> Option<(Nanos, T)> {
        self.heap.pop().map(|entry| (entry.at, entry.what))
    }

    /// When the next thing happens.
    pub(crate) fn next_at(&self) -> Option<Nanos> {
        self.heap.peek().map(|entry| entry.at)
    }

    /// How many things were ever put in.
    pub(crate) fn count(&self) -> u64 {
        self.number
    }
}
