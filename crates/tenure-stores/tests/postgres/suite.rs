//! The store suite, on the shared server: each test in a schema of its own.

use crate::address::{of_its_own, open};
use tenure::testing::{Subject, store_suite};

async fn postgres() -> Subject {
    let address = of_its_own();
    let first = open(&address).await;
    let second = open(&address).await;
    Subject::new(first).with_second_handle(second)
}

store_suite!(postgres);
