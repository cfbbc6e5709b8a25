//! The rules, one function each. Each panics, saying what it saw, if the store breaks it.

mod condition;
mod listing;
mod race;
mod reading;
mod removal;
mod step;
mod value;
mod wait;

pub use condition::{
    a_create_refuses_a_key_that_exists, a_refused_write_changes_nothing, a_replace_needs_the_very_version,
    a_stale_version_is_refused, a_version_of_nothing_is_refused,
};
pub use listing::{
    a_list_brings_whole_records, a_list_is_in_the_order_of_keys, a_list_misses_no_key_that_stays,
    a_list_of_many_is_whole, a_list_of_nothing_is_empty, a_list_shows_its_prefix_alone,
};
pub use race::{
    of_racing_creates_one_wins, of_racing_removals_and_replaces_one_wins, of_racing_replaces_one_wins,
    thousands_of_calls_make_sense_together,
};
pub use reading::{
    a_read_of_nothing_is_absent, a_read_of_the_known_version_is_not_another,
    a_read_with_an_old_version_brings_the_new_content, a_write_is_read_at_once_through_another_handle,
};
pub use removal::{
    a_removal_needs_the_very_version, a_removed_key_can_be_created_again,
    no_version_comes_back_after_a_removal,
};
pub use value::{
    a_large_value_comes_back_whole, any_bytes_come_back, keys_with_dots_and_dashes_are_kept_apart,
};
pub use wait::{
    a_dropped_call_leaves_the_store_usable, a_hint_follows_a_change_through_another_handle,
    hints_go_on_for_as_long_as_one_watches,
};
