//! A soak: thousands of calls at once through two handles, and a history that must make sense.
//!
//! Rules that try one thing at a time miss a store that fails rarely: a write in a thousand lost, a read in two hundred old. So a
//! few keys are written, removed and read by many callers, every answer is noted with the time of its call, and afterwards each
//! key's history must be one that a single register could have had:
//!
//! ```text
//!  caller 1   put x if absent ├────┤ stored 1
//!  caller 2         get  ├───────┤ absent           fine: it may have come first
//!  caller 3                         get ├──┤ absent  never: 1 was stored before it began
//! ```
//! - `caller` makes the calls, `history` notes them.
//! - `naming` checks that every version names one content that somebody wrote, in reads and listings alike.
//! - `order` searches an order of the calls that explains all answers.
//!
//! What a call that may have landed did is left open. A conflict says only that nothing was written, for stores may refuse more
//! than they must.

mod caller;
mod history;
mod naming;
mod order;
mod plan;

pub use plan::{Breach, Soak, Tally};
