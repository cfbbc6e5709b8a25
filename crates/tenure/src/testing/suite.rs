//! The macro that stamps every rule onto a store, so that each failure has its own name.

/// Makes one test for each rule of the store suite. Takes the name of an `async fn() -> Subject`, called anew for each test.
#[macro_export]
macro_rules! store_suite {
    ($make_store:ident) => {
        $crate::store_suite! { @rules $make_store:
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
            of_racing_creates_one_wins,
            of_racing_replaces_one_wins,
            a_large_value_comes_back_whole,
            any_bytes_come_back,
            keys_with_dots_and_dashes_are_kept_apart,
            a_hint_follows_a_change_through_another_handle,
            a_dropped_call_leaves_the_store_usable,
        }
    };
    (@rules $make_store:ident: $($rule:ident,)*) => {
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
}
