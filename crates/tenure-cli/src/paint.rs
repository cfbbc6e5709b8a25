//! Colours, where they help and are wanted: on a terminal that knows them, unless `NO_COLOR` says no.

use std::io::IsTerminal;

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output.
    pub(crate) fn for_data() -> Self {
        Self { on: wanted() && std::io::stdout().is_terminal() }
    }

    /// For standard error.
    pub(crate) fn for_talk() -> Self {
        Self { on: wanted() && std::io::stderr().is_terminal() }
    }

    /// Never paints.
    #[cfg(test)]
    pub(crate) fn off() -> Self {
        Self { on: false }
    }

    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.with("1;31", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// One of six colours, by number: neighbours differ.
    pub(crate) fn one_of(self, number: usize, text: &str) -> String {
        let colours = ["36", "33", "35", "34", "32", "31"];
        self.with(colours[number % colours.len()], text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// See no-color.org: set and not empty means no.
fn wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let plain = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !refused && !plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_text_stays_as_it_is() {
        assert_eq!(Paint { on: false }.bad("no"), "no");
        assert_eq!(Paint { on: true }.good("yes"), "\x1b[32myes\x1b[0m");
    }
}
