//! Pictures for the pages, taken from a real run: `cargo xtask picture`.
//!
//! A terminal that nobody sees runs the program and is pressed keys on; what it shows is captured several times a second ([`shoot`])
//! and put down as asciinema does ([`film`]). termtosvg, which is fetched, draws it into the frame `terminal.svg`. Nothing is drawn by
//! hand: a picture that no longer looks like the program is made anew by the same command.

mod film;
mod shoot;

pub(crate) use film::run;
