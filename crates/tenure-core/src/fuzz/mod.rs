//! I7 for everything that uses a record: spoilt records go through whoever reads them, to the end.
//!
//! An [`onlooker`] surveys them, tells news, plans and writes what an operator asks for; a whole [`machine`] founds, joins, plans
//! and hands on over them. Nobody may panic, and nobody may write what nobody could read afterwards.

mod machine;
mod onlooker;
mod recoverer;
mod scene;
mod targets;
