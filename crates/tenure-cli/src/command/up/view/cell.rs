//! One shard of the map: a letter for its owner, and a mark for its state.

use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::super::cluster_view::Seat;
use super::super::show::{Show, ShownMember};
use super::Palette;

/// What a cell shows.
enum Face<'a> {
    Vacant,
    Held(&'a ShownMember),
    /// It has just come.
    Fresh(&'a ShownMember),
    /// Its owner is dead or frozen, and its lease not over.
    Stranded(&'a ShownMember),
    Moving(&'a ShownMember, &'a ShownMember),
}

/// The cell of `shard`, `width` columns wide.
pub(super) fn cell(show: &Show, palette: Palette, shard: usize, width: u16) -> Vec<Span<'static>> {
    match face(show, shard) {
        Face::Vacant => vec![Span::styled(sized("·", " · ", width), palette.faint())],
        Face::Held(owner) => vec![lettered(owner, ' ', width, palette.on(&owner.mark))],
        Face::Fresh(owner) => {
            let style = palette.on(&owner.mark).add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            vec![lettered(owner, '›', width, style)]
        }
        Face::Stranded(owner) => {
            let text = sized("!", &format!("({})", owner.letter()), width);
            vec![Span::styled(text, palette.of(&owner.mark))]
        }
        Face::Moving(owner, heir) => moving(owner, heir, palette, width),
    }
}

fn face(show: &Show, shard: usize) -> Face<'_> {
    let seat = show.seats.get(shard).unwrap_or(&Seat::Vacant);
    let Some(owner) = seat.owner().and_then(|id| show.find(id)) else { return Face::Vacant };
    if !owner.is_running() {
        return Face::Stranded(owner);
    }
    match seat {
        Seat::Moving(_, heir) => show.find(heir).map_or(Face::Held(owner), |heir| Face::Moving(owner, heir)),
        Seat::Vacant | Seat::Held(_) if show.is_fresh(shard) => Face::Fresh(owner),
        Seat::Vacant | Seat::Held(_) => Face::Held(owner),
    }
}

fn lettered(owner: &ShownMember, mark: char, width: u16, style: Style) -> Span<'static> {
    let letter = owner.letter();
    Span::styled(sized(&letter.to_string(), &format!("{mark}{letter} "), width), style)
}

/// Half the owner's, half the heir's.
fn moving(owner: &ShownMember, heir: &ShownMember, palette: Palette, width: u16) -> Vec<Span<'static>> {
    let part = |text: String, style: Style| Span::styled(text, style);
    let (from, to) = (palette.on(&owner.mark), palette.on(&heir.mark));
    match width {
        1 => vec![part("›".into(), to)],
        2 => vec![part(owner.letter().to_string(), from), part(heir.letter().to_string(), to)],
        _ => vec![part(format!("{}›", owner.letter()), from), part(heir.letter().to_string(), to)],
    }
}

/// One of two spellings, by the room that there is.
fn sized(small: &str, large: &str, width: u16) -> String {
    match width {
        1 => small.to_owned(),
        2 => format!("{small} "),
        _ => large.to_owned(),
    }
}
