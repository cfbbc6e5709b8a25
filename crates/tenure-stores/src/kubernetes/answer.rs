//! What an error of the client means.
//!
//! The API server says why by a `Status` with a code and a message. Below it there are errors of the connection, and there it
//! matters whether the request can have left: a connection that never came about has carried nothing.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use hyper_util::client::legacy;
use kube::client::AuthError;
use kube::core::Status;

use super::error::{Request, Trouble};

/// The most characters of a message that are passed on: a proxy may answer by a whole page.
const SAID_MAX: usize = 400;

/// What went wrong with `request`.
pub(super) fn trouble(error: kube::Error, request: &Request) -> Trouble {
    match error {
        kube::Error::Api(status) => refusal(&status, request),
        kube::Error::Service(cause) => connection(cause),
        kube::Error::HyperError(cause) => Trouble::Broken(cause.into()),
        kube::Error::ReadEvents(cause) => Trouble::Broken(cause.into()),
        kube::Error::Auth(cause) => Trouble::NoCredentials(credentials(&cause)),
        kube::Error::SerdeError(cause) => Trouble::Garbled(cause.into()),
        kube::Error::FromUtf8(cause) => Trouble::Garbled(cause.into()),
        kube::Error::BuildRequest(cause) => Trouble::Unsendable(cause.to_string()),
        kube::Error::HttpError(cause) => Trouble::Unsendable(cause.to_string()),
        kube::Error::RustlsTls(cause) => Trouble::NoCredentials(cause.to_string()),
        other => Trouble::Broken(other.into()),
    }
}

/// The reason that the client gives to an answer which is no `Status`: a proxy's, or an ingress's, and not the API server's.
const NO_STATUS: &str = "Failed to parse error data";

/// Whether the API server says that it has no object of that name. Any other 404 says nothing about it.
pub(super) fn is_missing(status: &Status, name: &str) -> bool {
    let named = status.details.as_ref().is_some_and(|details| details.name == name);
    status.code == 404 && status.reason == "NotFound" && named
}

fn refusal(status: &Status, request: &Request) -> Trouble {
    let said: String = status.message.chars().take(SAID_MAX).collect();
    if status.reason == NO_STATUS {
        return Trouble::Foreign { code: status.code, said };
    }
    match status.code {
        401 => Trouble::Unauthorized(said),
        403 if said.contains(" cannot ") => Trouble::Forbidden { request: request.clone(), said },
        403 => Trouble::Barred(said),
        404 if is_about_namespace(status) => Trouble::NoNamespace(request.namespace.clone()),
        404 => Trouble::NotServed { request: request.clone(), said },
        429 => Trouble::Busy { after: retry_after(status), said },
        413 => Trouble::TooLarge(said),
        _ if is_too_large(status) => Trouble::TooLarge(said),
        400 | 405 | 406 | 409 | 410 | 415 | 422 => Trouble::Rejected(said),
        code => Trouble::Failed { code, said },
    }
}

fn is_about_namespace(status: &Status) -> bool {
    status.details.as_ref().is_some_and(|details| details.kind == "namespaces")
}

fn retry_after(status: &Status) -> Option<Duration> {
    let seconds = status.details.as_ref().map(|details| details.retry_after_seconds)?;
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// The API server refuses what it finds too long; etcd refuses what it is sent in spite of that, by a 500 that did not happen.
fn is_too_large(status: &Status) -> bool {
    let long = |reason: &str| reason == "FieldValueTooLong";
    let causes = status.details.iter().flat_map(|details| &details.causes);
    causes.into_iter().any(|cause| long(&cause.reason)) || status.message.contains("request is too large")
}

fn connection(cause: Box<dyn StdError + Send + Sync>) -> Trouble {
    let connecting = cause.downcast_ref::<legacy::Error>().is_some_and(legacy::Error::is_connect);
    match connecting {
        true if is_about_certificates(&*cause) => Trouble::Untrusted(cause),
        true => Trouble::Unreachable(cause),
        false => Trouble::Broken(cause),
    }
}

fn is_about_certificates(error: &(dyn StdError + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if matches!(error.downcast_ref(), Some(rustls::Error::InvalidCertificate(_))) {
            return true;
        }
        // An I/O error that holds another one passes it over when asked for its source.
        let held = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match held {
            Some(held) => Some(held),
            None => error.source(),
        };
    }
    false
}

/// Never what a plugin printed.
fn credentials(error: &AuthError) -> String {
    match error {
        AuthError::AuthExecRun { cmd, out } => format!("{cmd:?} ended with {}", out.status),
        AuthError::AuthExecStart(cause) => format!("the plugin of the kubeconfig can't be started ({cause})"),
        AuthError::ReadTokenFile(cause, file) => format!("{} can't be read ({cause})", file.display()),
        AuthError::MissingCommand => "the plugin of the kubeconfig names no command".into(),
        _ => "see what the kubeconfig says of its user".into(),
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
