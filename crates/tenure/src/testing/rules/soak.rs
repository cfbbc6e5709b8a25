//! What happens rarely happens in thousands of calls.

use crate::testing::Subject;

/// Thousands of calls at once through two handles have answers that fit together: see [`Soak`](crate::testing::Soak).
pub async fn thousands_of_calls_make_sense_together(subject: &Subject) {
    let soaked = subject.soak().run(subject.store(), subject.other(), "").await;
    match soaked {
        Ok(tally) => println!("{tally:?}"),
        Err(breach) => panic!("{breach}"),
    }
}
