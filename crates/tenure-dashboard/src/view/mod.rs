//! What the dashboard says, as JSON: the contract with the page, and with anybody else who reads it.
//!
//! Names stay, new ones may be added. Times are milliseconds since 1970 by the dashboard's own clock, unless a field says
//! otherwise. Members are named by their place in [`Picture::members`], which stays theirs until the next `picture`: ten
//! thousand shards are then a few numbers each. Whatever members say of themselves is data here, and never markup.

mod cells;
mod deed;
mod health;
mod mark;
mod member;
mod picture;
mod problem;
mod sight;
mod tenures;
mod turn;

pub(crate) use cells::Reasons;
pub use cells::{Cells, NOBODY, UNKNOWN};
pub use deed::{Acted, Deed, DeedKind};
pub use health::{Bounds, Gaps, Handovers, Health, Measured, MemberHealth, Points, Times};
pub use mark::{Mark, Marks};
pub use member::{Failing, Lease, Member, MemberState, Members, Note, Process};
pub use picture::{Can, Picture, StorePlace};
pub use problem::{Problem, ProblemKind};
pub use sight::{Beat, Sight, SightState};
pub use tenures::{Blind, End, Kind, Tenures, Timeline};
pub use turn::{Turn, Turns};
