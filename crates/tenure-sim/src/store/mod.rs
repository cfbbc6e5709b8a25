//! The simulated store: `registers` keeps what is there and what was there, `landing` says what a write makes true and whether its
//! author may write it.

mod landing;
mod registers;

pub(crate) use landing::{Landed, Made, contains, says_drained, seq_of};
pub(crate) use registers::{Expect, Store, StoreFlaws, Write};
