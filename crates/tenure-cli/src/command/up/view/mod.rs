//! Draws the show: a pure function of its state.
//!
//! Whatever a colour says, a letter or a mark says too: the picture can be read without colours, and by those who see others.

mod cell;
mod events;
mod figures;
mod layout;
mod map;
mod members;
mod palette;
mod picture;

#[cfg(test)]
mod picture_tests;

pub(super) use palette::Palette;
pub(super) use picture::draw;
