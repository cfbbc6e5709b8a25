//! Who owns what, for anybody in any language: `GET /v1/owner?key=`, `/v1/shards/N`, and `/v1/events`, which tells what changes.
//!
//! One implementation for every face: the dashboard asks what it last saw, a member's own door asks the member. An answer is good for
//! sending a request the right way, and says how old it is; it is never a permission to act.

mod answer;
mod change_feed;
mod key;
mod routes;
mod source;

pub use answer::{Answer, Beat, Owner, Owners};
pub use routes::asking;
pub use source::{Drawn, OfMember, Source};
