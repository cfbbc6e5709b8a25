//! The macro that stamps every rule onto a store, so that each failure has its own name; and the rules as a list.

use std::fmt;
use std::future::Future;

use futures_util::future::BoxFuture;

use super::Subject;

/// Makes one test for each rule of the store suite. Takes the name of an `async fn() -> Subject`, called anew for each test.
#[macro_export]
macro_rules! store_suite {
    ($make_store:ident) => {
        $crate::store_suite! { @each tests $make_store }
    };
    (@each $($with:tt)*) => {
        $crate::store_suite! { @$($with)*:
            a_create_refuses_a_key_that_exists,
            a_replace_needs_the_very_version,
            a_stale_version_is_refused,
            a_version_of_nothing_is_refused,
            a_refused_write_changes_nothing,
            a_removal_needs_the_very_version,
            a_removed_key_can_be_created_again,
            no_version_comes_back_after_a_removal,
            a_read_of_nothing_is_absent,
            a_read_of_the_known_version_is_not_another,
            a_read_with_an_old_version_brings_the_new_content,
            a_write_is_read_at_once_through_another_handle,
            a_list_is_in_the_order_of_keys,
            a_list_shows_its_prefix_alone,
            a_list_brings_whole_records,
            a_list_of_nothing_is_empty,
            a_list_of_many_is_whole,
            a_list_misses_no_key_that_stays,
            of_racing_creates_one_wins,
            of_racing_replaces_one_wins,
            of_racing_removals_and_replaces_one_wins,
            a_large_value_comes_back_whole,
            any_bytes_come_back,
            keys_with_dots_and_dashes_are_kept_apart,
            a_hint_follows_a_change_through_another_handle,
            hints_go_on_for_as_long_as_one_watches,
            a_dropped_call_leaves_the_store_usable,
            thousands_of_calls_make_sense_together,
        }
    };
    (@tests $make_store:ident: $($rule:ident,)*) => {
        mod store_suite {
            $(
                #[test]
                fn $rule() {
                    $crate::testing::run(async {
                        $crate::testing::rules::$rule(&super::$make_store().await).await;
                    });
                }
            )*
        }
    };
    (@list: $($rule:ident,)*) => {
        &[$($crate::testing::Rule {
            name: stringify!($rule),
            check: |subject| Box::pin($crate::testing::rules::$rule(subject)),
        },)*]
    };
}

/// One rule of the suite, for those who run it in their own way.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What it says, as the name of its test.
    pub name: &'static str,
    /// Tries it on a fresh store. Panics, saying what it saw, if the store breaks it.
    pub check: for<'a> fn(&'a Subject) -> BoxFuture<'a, ()>,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Every rule.
pub const RULES: &[Rule] = crate::store_suite! { @each list };

/// Runs `test` to its end on a runtime of its own, with two threads so that races are real.
pub fn run(test: impl Future<Output = ()>) {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build();
    runtime.expect("a runtime can be built").block_on(test);
}
