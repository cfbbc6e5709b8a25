//! The journal suite: what a mechanism must do, as tests that anybody's mechanism can run.
//!
//! ```
//! use tenure::journal::Memory;
//! use tenure::testing::journal::JournalSubject;
//! use tenure::testing::journal_suite;
//!
//! async fn my_journal() -> JournalSubject {
//!     JournalSubject::new(Memory::new())
//! }
//!
//! journal_suite!(my_journal);
//! # fn main() {}
//! ```

mod beside;
mod owners;
mod race;
pub mod rules;
mod taking_over;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::journal::{Journal, JournalError};

/// A fresh, empty place for journals, with one or two handles on it.
pub struct JournalSubject {
    journal: Arc<dyn Journal>,
    other: Arc<dyn Journal>,
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

impl JournalSubject {
    /// Tests `journal`, which is empty.
    pub fn new(journal: impl Journal) -> Self {
        let journal: Arc<dyn Journal> = Arc::new(journal);
        Self { other: Arc::clone(&journal), journal, kept: Vec::new() }
    }

    /// Another handle on the same journals, such as another process would have.
    #[must_use]
    pub fn with_second_handle(mut self, other: impl Journal) -> Self {
        self.other = Arc::new(other);
        self
    }

    /// Keeps something alive as long as the journals: a server, a directory.
    #[must_use]
    pub fn keeping(mut self, thing: impl Any + Send + Sync) -> Self {
        self.kept.push(Box::new(thing));
        self
    }

    /// The first handle.
    pub fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    /// The second handle; the first one again, where there is only one.
    pub fn other(&self) -> &dyn Journal {
        &*self.other
    }
}

impl fmt::Debug for JournalSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JournalSubject").field("journal", &self.journal).finish_non_exhaustive()
    }
}

/// What was wrong, for a rule that panics.
fn told(error: &JournalError) -> String {
    crate::error::chain(error)
}

/// Makes one test for each rule of the journal suite. Takes the name of an `async fn() -> JournalSubject`, called anew for each test.
#[macro_export]
macro_rules! journal_suite {
    ($make_journal:ident) => {
        $crate::journal_suite! { @tests $make_journal:
            a_new_journal_is_empty,
            what_is_appended_is_read_in_order,
            any_bytes_come_back,
            journals_are_kept_apart,
            a_higher_epoch_ends_a_lower_one,
            a_lower_epoch_does_not_open,
            another_start_of_work_ends_the_last_one,
            another_founding_is_refused,
            the_same_append_again_is_stored_once,
            an_append_that_was_dropped_is_there_or_not,
            a_snapshot_stands_for_the_entries_before,
            what_was_shortened_is_told_to_readers,
            an_older_snapshot_is_dropped,
            a_snapshot_of_a_deposed_owner_does_no_harm,
            owners_that_race_lose_nothing,
            records_are_found_by_their_key,
            records_of_a_key_come_entry_by_entry,
            what_was_shortened_is_told_to_who_asks_by_key,
            a_part_never_goes_back,
            a_blob_never_changes,
            blobs_are_listed_in_order,
            every_place_is_found,
            a_look_tells_how_far_and_who,
            an_adopted_journal_goes_on,
            an_adoption_amid_a_race_loses_nothing,
            an_adopted_journal_is_open_to_the_lowest_epoch,
            what_is_too_large_is_refused_and_spoils_nothing,
            an_heir_misses_nothing,
            an_heir_begins_anew_after_a_snapshot,
        }
    };
    (@tests $make_journal:ident: $($rule:ident,)*) => {
        mod journal_suite {
            $(
                #[test]
                fn $rule() {
                    $crate::testing::run(async {
                        $crate::testing::journal::rules::$rule(&super::$make_journal().await).await;
                    });
                }
            )*
        }
    };
}
