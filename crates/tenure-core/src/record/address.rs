//! What may be said as a member's address. Everybody who routes carries it once for each shard that the member owns, so it is short; and
//! it ends up in logs, terminals and requests, so it can be seen.

use crate::text::is_unseemly;

/// The most bytes of an address.
pub const ADDRESS_MAX: usize = 512;

/// What is wrong with an address; `None` if nothing is.
pub fn address_problem(address: &str) -> Option<String> {
    if !(1..=ADDRESS_MAX).contains(&address.len()) {
        return Some(format!("has {} bytes", address.len()));
    }
    let odd = address.chars().find(|c| c.is_whitespace() || is_unseemly(*c));
    odd.map(|c| format!("has the character {c:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_short_and_can_be_seen() {
        for good in ["10.1.2.3:80", "https://a.example/x?y=z", "[::1]:80", "名.example", &"x".repeat(512)] {
            assert_eq!(address_problem(good), None, "{good}");
        }
        for bad in ["", "a b", "a\n", "a\u{202e}b", "\u{1b}[2J", &"x".repeat(513)] {
            assert!(address_problem(bad).is_some(), "{bad:?}");
        }
    }
}
