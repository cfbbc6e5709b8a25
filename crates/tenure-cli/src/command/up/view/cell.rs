//! One shard of the map: a letter for its owner, and a mark for its plight.

use ratatui::style::Style;
use ratatui::text::Span;

use super::super::show::{Actor, Show};
use super::super::sight::Seat;
use super::Palette;

/// What a cell shows.
enum Face<'a> {
    Vacant,
    Held(&'a Actor),
    /// Its owner is dead or frozen, and its lease not over.
    Stranded(&'a Actor),
    Moving(&'a Actor, &'a Actor),
}

/// The cell of `seat`, `width` columns wide.
pub(super) fn cell(show: &Show, palette: Palette, seat: &Seat, width: u16) -> Vec<Span<'static>> {
    match face(show, seat) {
        Face::Vacant => vec![Span::styled(sized("·", " · ", width), palette.faint())],
        Face::Held(owner) => {
            let letter = owner.letter();
            vec![Span::styled(
                sized(&letter.to_string(), &format!(" {letter} "), width),
                palette.on(owner.number),
            )]
        }
        Face::Stranded(owner) => {
            let text = sized("!", &format!("({})", owner.letter()), width);
            vec![Span::styled(text, palette.of(owner.number))]
        }
        Face::Moving(owner, heir) => moving(owner, heir, palette, width),
    }
}

fn face<'a>(show: &'a Show, seat: &'a Seat) -> Face<'a> {
    let Some(owner) = seat.owner().and_then(|id| show.find(id)) else { return Face::Vacant };
    match seat {
        Seat::Moving(_, heir) if owner.is_running() => {
            show.find(heir).map_or(Face::Held(owner), |heir| Face::Moving(owner, heir))
        }
        Seat::Vacant | Seat::Held(_) | Seat::Moving(..) if owner.is_running() => Face::Held(owner),
        Seat::Vacant | Seat::Held(_) | Seat::Moving(..) => Face::Stranded(owner),
    }
}

/// Half the owner's, half the heir's.
fn moving(owner: &Actor, heir: &Actor, palette: Palette, width: u16) -> Vec<Span<'static>> {
    let part = |text: String, style: Style| Span::styled(text, style);
    let (from, to) = (palette.on(owner.number), palette.on(heir.number));
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
