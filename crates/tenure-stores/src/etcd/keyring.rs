//! Who we say we are: the user, and the token that etcd gave for the password.
//!
//! A token is kept until etcd refuses it; it does so before it does anything else, so the call may be sent again with a new
//! one. An etcd without users gives none, and needs none: credentials can be set before users are enabled.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use tonic::metadata::{Ascii, MetadataValue};

use super::message::AuthenticateRequest;
use super::url::User;

/// What is shown with each call.
#[derive(Clone)]
pub(super) enum Pass {
    Token(MetadataValue<Ascii>),
    /// There is nothing to show.
    Nothing,
}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Token(_) => "Token",
            Self::Nothing => "Nothing",
        })
    }
}

/// The user and the pass that is in use.
#[derive(Debug)]
pub(super) struct Keyring {
    user: Option<User>,
    pass: Mutex<Option<Pass>>,
}

impl Keyring {
    pub(super) fn new(user: Option<User>) -> Self {
        Self { user, pass: Mutex::default() }
    }

    /// The user's name, for messages.
    pub(super) fn name(&self) -> Option<&str> {
        self.user.as_ref().map(|user| user.name.as_str())
    }

    /// What to show; if that is not known yet, what to ask for it with.
    pub(super) fn pass(&self) -> Result<Pass, AuthenticateRequest> {
        let pass = self.pass.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match (pass, &self.user) {
            (Some(pass), _) => Ok(pass),
            (None, None) => Ok(Pass::Nothing),
            (None, Some(user)) => {
                Err(AuthenticateRequest { name: user.name.clone(), password: user.password.clone() })
            }
        }
    }

    pub(super) fn keep(&self, pass: Pass) {
        *self.pass.lock().unwrap_or_else(PoisonError::into_inner) = Some(pass);
    }

    /// Forgets the pass. False if no other could be had.
    pub(super) fn forget(&self) -> bool {
        if self.user.is_some() {
            self.pass.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        self.user.is_some()
    }
}

/// A token as it is sent; none if it has characters that can't be.
pub(super) fn token(text: &str) -> Option<Pass> {
    let mut value = MetadataValue::try_from(text).ok()?;
    value.set_sensitive(true);
    Some(Pass::Token(value))
}
