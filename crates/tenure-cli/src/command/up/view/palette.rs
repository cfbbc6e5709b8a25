//! Colours that most eyes tell apart (after Okabe and Ito), as every terminal with 256 colours has them.

use ratatui::style::{Color, Modifier, Style};
use tenure_dashboard::view::Mark;

/// The eight colours of marks, which are those of the page, and one that can be read on each.
const MEMBERS: [(u8, u8); 8] =
    [(74, 16), (214, 16), (36, 16), (175, 16), (25, 231), (227, 16), (166, 231), (249, 16)];

/// How members are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    /// By colours and letters.
    Colours,
    /// By letters alone.
    Letters,
}

impl Palette {
    /// On a member's colour.
    pub(super) fn on(self, mark: &Mark) -> Style {
        let (back, front) = MEMBERS[mark.colour % MEMBERS.len()];
        self.unless_plain(Style::new().bg(Color::Indexed(back)).fg(Color::Indexed(front)))
    }

    /// In a member's colour.
    pub(super) fn of(self, mark: &Mark) -> Style {
        let (back, _) = MEMBERS[mark.colour % MEMBERS.len()];
        self.unless_plain(Style::new().fg(Color::Indexed(back)))
    }

    /// What is of less weight.
    pub(super) fn faint(self) -> Style {
        self.unless_plain(Style::new().fg(Color::Indexed(244)))
    }

    /// What must be noticed.
    pub(super) fn alarm(self) -> Style {
        self.unless_plain(Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(160)))
            .add_modifier(Modifier::BOLD)
    }

    /// A word that must be noticed.
    pub(super) fn alarm_text(self) -> Style {
        self.unless_plain(Style::new().fg(Color::Indexed(209))).add_modifier(Modifier::BOLD)
    }

    /// What is as it should be.
    pub(super) fn calm(self) -> Style {
        self.unless_plain(Style::new().fg(Color::Indexed(36))).add_modifier(Modifier::BOLD)
    }

    /// Weight is no colour.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn unless_plain(self, style: Style) -> Style {
        match self {
            Self::Colours => style,
            Self::Letters => Style::new(),
        }
    }
}
