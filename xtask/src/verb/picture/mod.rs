//! Pictures for the pages, taken from a real run: `cargo xtask picture`.
//!
//! A terminal that nobody sees runs the program and is pressed keys on; what it shows is captured several times a second
//! ([`shoot`]), understood as text with styles ([`ansi`]), and written as one moving SVG ([`svg`]). Nothing is drawn by hand: a
//! picture that no longer looks like the program is made anew by the same command.

mod ansi;
mod colour;
mod film;
mod shoot;
mod svg;

pub(crate) use film::run;
