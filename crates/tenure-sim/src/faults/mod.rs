//! What a seed draws before its cluster begins: the cluster's shape, the theme of its faults, and every fault's weight.
//!
//! Swarm testing: a seed leaves most faults out, so that the others get room to do harm. See [`Theme`] for the
//! themes; the same ones run for the healthy machine and for every mutant.

mod clocks;
mod damage;
mod forgetting;
mod healing;
mod orders;
mod profile;
mod shape;
mod strike;

pub(crate) use damage::Damage;
pub(crate) use forgetting::{Forgetting, go_on};
pub(crate) use healing::{Healing, Rest};
pub(crate) use orders::Orders;
pub(crate) use profile::{FaultProfile, Theme, Work};
pub(crate) use shape::{Habit, SECOND, Shape};
pub(crate) use strike::Strike;
