//! The members: what each is up to, and how much of its lease is left.

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::show::{End, ProcessState, Show, ShownMember};
use super::Palette;

/// Columns of a lease's bar, on a wide terminal and on a narrow one.
const BAR: usize = 24;
const SHORT_BAR: usize = 10;

/// The title over the members.
pub(super) fn title(show: &Show, palette: Palette) -> Line<'static> {
    let alive = show.members.iter().filter(|member| member.is_alive()).count();
    let lease = format!("  each renews one lease of {}", humantime::format_duration(show.ttl));
    Line::from(vec![
        Span::styled(format!(" members {alive}"), palette.strong()),
        Span::styled(lease, palette.faint()),
    ])
}

/// One line for each; where they don't fit, those around the selected one.
pub(super) fn rows(show: &Show, palette: Palette, lines: u16, width: u16) -> Vec<Line<'static>> {
    let lines = usize::from(lines);
    let first = show.place().map_or(0, |place| place + 1).saturating_sub(lines);
    let bar = if width < 78 { SHORT_BAR } else { BAR };
    show.members.iter().skip(first).take(lines).map(|member| row(show, palette, member, bar)).collect()
}

fn row(show: &Show, palette: Palette, member: &ShownMember, bar: usize) -> Line<'static> {
    let chosen = show.keys && show.selected.as_ref() == Some(&member.id);
    let name = if member.is_alive() { palette.strong() } else { palette.faint() };
    let mut spans = vec![
        Span::styled(format!(" {}{:>2} ", if chosen { '▸' } else { ' ' }, member.key), palette.strong()),
        Span::styled(format!(" {} ", member.letter()), palette.on(&member.mark)),
        Span::styled(format!(" {:<8}", member.id.as_str()), name),
        Span::styled(format!("{:<16}", member.state()), state_style(member, palette)),
    ];
    spans.extend(lease(show, palette, member, bar));
    spans.push(Span::styled(format!("  {:>5} {}", member.holds, plural(member.holds)), name));
    Line::from(spans)
}

fn state_style(member: &ShownMember, palette: Palette) -> Style {
    match &member.process {
        ProcessState::Running if member.has_lease() => palette.calm(),
        ProcessState::Running | ProcessState::Ended(End::Left) => palette.faint(),
        ProcessState::Frozen
        | ProcessState::Cut
        | ProcessState::Struck
        | ProcessState::Ended(End::Killed | End::Failed(_)) => palette.alarm_text(),
    }
}

/// A bar that drains from one renewal to the next.
fn lease(show: &Show, palette: Palette, member: &ShownMember, bar: usize) -> Vec<Span<'static>> {
    let Some(left) = member.lease_left(show.now, show.ttl) else {
        return vec![Span::styled(format!("{:<1$}", "no lease", bar + 6), palette.faint())];
    };
    let full = filled(left, show.ttl, bar);
    vec![
        Span::styled("━".repeat(full), palette.of(&member.mark)),
        Span::styled("╌".repeat(bar - full), palette.faint()),
        Span::raw(format!(" {:>4.1}s", left.as_secs_f64())),
    ]
}

fn filled(left: Duration, ttl: Duration, bar: usize) -> usize {
    let share = left.as_secs_f64() / ttl.as_secs_f64();
    ((share * bar as f64).ceil() as usize).min(bar)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "shard" } else { "shards" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_full_after_a_renewal_and_empty_only_when_nothing_is_left() {
        let second = Duration::from_secs(1);
        let filled = [0, 1, 500, 1000, 2000].map(|ms| filled(Duration::from_millis(ms), second, 10));
        assert_eq!(filled, [0, 1, 5, 10, 10]);
    }
}
