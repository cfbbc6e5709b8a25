//! One version names one content, and that content is one that was written.
//!
//! This holds for whatever is shown anywhere, however old it may be: a listing that shows the version of one moment with the content
//! of another is found here.

use std::collections::BTreeMap;

use super::history::{Content, History};
use super::plan::Breach;
use crate::store::Version;

/// Which version each content got.
pub(super) type Names = BTreeMap<Content, Version>;

/// The names in a history, if they are in order.
pub(super) fn names(key: &str, history: &History) -> Result<Names, Breach> {
    let mut names = Names::new();
    let mut contents: BTreeMap<&str, Content> = BTreeMap::new();
    for sight in &history.sights {
        let version = sight.version.as_str();
        let Some(content) = sight.content else {
            return Err(Breach::of(key, format!("version {version} has a content that nobody wrote")));
        };
        let former = contents.insert(version, content).filter(|former| *former != content);
        if let Some(former) = former {
            let what = format!("version {version} was given to two contents, {former} and {content}");
            return Err(Breach::of(key, what));
        }
        let former = names.insert(content, sight.version.clone()).filter(|former| *former != sight.version);
        if let Some(former) = former {
            let (former, later) = (former.as_str(), version);
            let what = format!("content {content} was shown with two versions, {former} and {later}");
            return Err(Breach::of(key, what));
        }
    }
    check_refused(key, history, &names)?;
    Ok(names)
}

/// A write that was refused leaves no trace.
fn check_refused(key: &str, history: &History, names: &Names) -> Result<(), Breach> {
    let landed = history.refused.iter().find(|content| names.contains_key(content));
    match landed {
        Some(content) => {
            let what = format!("content {content} is there, though its write was said not to have happened");
            Err(Breach::of(key, what))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Sight;
    use super::*;

    fn sight(version: &str, content: impl Into<Option<Content>>) -> Sight {
        Sight { version: Version::new(version), content: content.into() }
    }

    fn found(sights: Vec<Sight>, refused: Vec<Content>) -> Option<String> {
        let history = History { sights, refused, ..History::default() };
        names("k", &history).err().map(|breach| breach.to_string())
    }

    #[test]
    fn a_version_may_be_shown_as_often_as_one_likes() {
        assert_eq!(found(vec![sight("a", 1), sight("b", 2), sight("a", 1)], vec![3]), None);
    }

    #[test]
    fn one_version_for_two_contents_is_found() {
        let words = "k: version a was given to two contents, 1 and 2";
        assert_eq!(found(vec![sight("a", 1), sight("a", 2)], vec![]).as_deref(), Some(words));
    }

    #[test]
    fn a_content_with_two_versions_is_found() {
        let words = "k: content 1 was shown with two versions, a and b";
        assert_eq!(found(vec![sight("a", 1), sight("b", 1)], vec![]).as_deref(), Some(words));
    }

    #[test]
    fn a_content_that_nobody_wrote_is_found() {
        let words = "k: version a has a content that nobody wrote";
        assert_eq!(found(vec![sight("a", None)], vec![]).as_deref(), Some(words));
    }

    #[test]
    fn a_refused_write_that_landed_is_found() {
        let words = "k: content 1 is there, though its write was said not to have happened";
        assert_eq!(found(vec![sight("a", 1)], vec![1]).as_deref(), Some(words));
    }
}
