//! Keys as object names, and back.
//!
//! A key has segments of `[A-Za-z0-9._-]`; an object's name is a DNS-1123 subdomain: lower case, dots between labels, dashes
//! only inside of one. A segment that is such a label is taken as it is, so that ordinary names can be read in `kubectl`:
//!
//! ```text
//!  orders/members/web-0  ──►  demo.orders.members.web-0
//!  orders/members/Web_1  ──►  demo.orders.members.x---web-21
//! ```
//! Any other one is marked by `x--` and spelt out: a capital letter is `-` and its small one, `-0` is a dash, `-1` a dot, `-2` an
//! underscore. No plain segment begins with `x--`, and the spelling can be read back: different keys have different names.

/// What begins a segment that is spelt out.
const MARK: &str = "x--";

/// The longest name that an object may have.
const NAME_MAX: usize = 253;

/// The name of the object that holds `key` in the store `store`; `None` if there can be none.
pub(super) fn object_name(store: &str, key: &str) -> Option<String> {
    let mut name = store.to_owned();
    for segment in key.split('/') {
        name.push('.');
        name.push_str(&label(segment)?);
    }
    (name.len() <= NAME_MAX).then_some(name)
}

/// The key that the object `name` of the store `store` holds; `None` for a stranger's object.
pub(super) fn key_of(store: &str, name: &str) -> Option<String> {
    let labels = name.strip_prefix(store)?.strip_prefix('.')?;
    let segments: Option<Vec<String>> = labels.split('.').map(segment).collect();
    segments.map(|segments| segments.join("/"))
}

fn label(segment: &str) -> Option<String> {
    if segment.is_empty() {
        return None;
    }
    if is_plain(segment) {
        return Some(segment.to_owned());
    }
    let mut label = MARK.to_owned();
    for character in segment.chars() {
        spell(character, &mut label)?;
    }
    Some(label)
}

fn is_plain(segment: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    segment.chars().all(inner)
        && !segment.starts_with('-')
        && !segment.ends_with('-')
        && !segment.starts_with(MARK)
}

fn spell(character: char, label: &mut String) -> Option<()> {
    let code = match character {
        'a'..='z' | '0'..='9' => {
            label.push(character);
            return Some(());
        }
        'A'..='Z' => character.to_ascii_lowercase(),
        '-' => '0',
        '.' => '1',
        '_' => '2',
        _ => return None,
    };
    label.extend(['-', code]);
    Some(())
}

/// Each segment has one label; whatever else could be read as it is a stranger's.
fn segment(text: &str) -> Option<String> {
    let read = match text.strip_prefix(MARK) {
        Some(spelt) => read(spelt)?,
        None => text.to_owned(),
    };
    (label(&read)? == text).then_some(read)
}

fn read(spelt: &str) -> Option<String> {
    let mut segment = String::new();
    let mut rest = spelt.chars();
    while let Some(character) = rest.next() {
        segment.push(if character == '-' { meaning(rest.next()?)? } else { character });
    }
    Some(segment)
}

fn meaning(code: char) -> Option<char> {
    match code {
        'a'..='z' => Some(code.to_ascii_uppercase()),
        '0' => Some('-'),
        '1' => Some('.'),
        '2' => Some('_'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ordinary_keys_can_be_read_in_names() {
        assert_eq!(object_name("demo", "orders/members/web-0").unwrap(), "demo.orders.members.web-0");
        assert_eq!(object_name("demo", "orders/ledger/00000").unwrap(), "demo.orders.ledger.00000");
    }

    #[test]
    fn odd_segments_are_spelt_out() {
        assert_eq!(object_name("demo", "orders/members/Web_1").unwrap(), "demo.orders.members.x---web-21");
        assert_eq!(object_name("demo", "a-").unwrap(), "demo.x--a-0");
    }

    /// Short texts of every kind of character, so that each meets each other.
    fn segments() -> Vec<String> {
        let characters = ['a', 'x', 'A', 'X', '0', '1', '2', '.', '_', '-'];
        let mut segments = vec![String::new()];
        for _ in 0..4 {
            let longer = segments.iter().flat_map(|s| characters.map(|c| format!("{s}{c}")));
            segments = segments.iter().cloned().chain(longer).collect::<BTreeSet<_>>().into_iter().collect();
        }
        segments.into_iter().filter(|s| !s.is_empty()).collect()
    }

    fn is_subdomain(name: &str) -> bool {
        let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let fine = |label: &str| {
            label.starts_with(edge) && label.ends_with(edge) && label.chars().all(|c| edge(c) || c == '-')
        };
        name.split('.').all(fine)
    }

    #[test]
    fn every_key_has_a_valid_name_of_its_own_and_is_read_back() {
        let mut names = BTreeSet::new();
        for segment in segments() {
            let key = format!("c/{segment}");
            let name = object_name("demo", &key).unwrap();
            assert!(is_subdomain(&name), "{key} became {name}");
            assert_eq!(key_of("demo", &name).as_ref(), Some(&key), "{name}");
            assert!(names.insert(name), "{key} has the name of another");
        }
    }

    #[test]
    fn slashes_and_dots_are_not_confused() {
        assert_ne!(object_name("demo", "a/b"), object_name("demo", "a.b"));
        assert_ne!(object_name("demo", "a/b"), object_name("demo.a", "b").map(|name| format!("{name}.")));
    }

    #[test]
    fn keys_that_are_none_have_no_name() {
        for key in ["", "a//b", "a/", "ä", "a b"] {
            assert_eq!(object_name("demo", key), None, "{key}");
        }
        assert_eq!(object_name("demo", &"a".repeat(300)), None);
    }

    #[test]
    fn names_of_strangers_are_no_keys() {
        for name in [
            "demo",
            "demo.",
            "other.a",
            "demo2.a",
            "demo.x--a-3",
            "demo.x--a-",
            "demo.A",
            "demo.x--",
            "demo.x--a",
        ] {
            assert_eq!(key_of("demo", name), None, "{name}");
        }
    }
}
