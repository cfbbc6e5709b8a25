//! A member without chance of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenure_core::Rules;

/// What makes a member repeatable: for simulations, never for users.
#[derive(Clone, Debug)]
pub struct Puppet {
    /// The bits of its process.
    pub process: u128,
    /// What its chance is drawn from.
    pub entropy: u128,
    /// The rules that it goes by.
    pub rules: Rules,
    /// Becomes true where the member would abort its process: whoever simulates that ends it.
    pub aborted: Arc<AtomicBool>,
}
