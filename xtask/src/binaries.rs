//! The test binaries of the workspace, for the runner that can only be told what to run, not what to leave out.

use tenure_testbed::Kind;

use crate::targets;

/// The simulator's own tests run optimised, in a step of their own.
const APART: &str = "tenure-sim";

/// The names of all test binaries but those of these stores.
pub(crate) fn all_but(skipped: &[Kind]) -> Result<Vec<String>, String> {
    let mut names = targets::of("tests", |package| !package.ends_with(APART))?;
    names.retain(|name| skipped.iter().all(|store| store.test_binary() != name));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_a_skipped_store_are_left_out_and_all_others_stay() {
        let all = all_but(&[]).unwrap();
        let fewer = all_but(&[Kind::Postgres]).unwrap();
        assert!(all.contains(&"postgres".to_owned()) && all.contains(&"etcd".to_owned()));
        assert_eq!(fewer.len() + 1, all.len());
        assert!(!fewer.contains(&"postgres".to_owned()));
    }
}
