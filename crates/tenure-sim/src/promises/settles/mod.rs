//! I6: once faults stop, every shard has an acting owner in time, heirs are settled, and the ledger comes to rest.
//!
//! `service` judges the result. The other files watch what the rules of settling ask of members on the way: of planners (`turns`,
//! `worth`, `fitness`), of members that others count on (`duties`), and for the operator's sake (`lasting`).

pub(crate) mod duties;
pub(crate) mod fitness;
pub(crate) mod lasting;
pub(crate) mod service;
pub(crate) mod turns;
pub(crate) mod worth;
