//! What can go wrong with an API server, and what its user does about it.
//!
//! The rule: a request that the API server itself refused, by one of the codes listed in `answer`, or that never reached it, did
//! not happen. Any other that brought no success may have: a write is then `Indeterminate`. Credentials are in no message: what an authentication plugin printed is
//! left out, for it may have printed a token.

use std::time::Duration;

use tenure::store::{Operation, StoreErrorKind};

use crate::trouble::{Cause, StoreTrouble};

/// The kind of store, for messages.
pub(super) const KIND: &str = "kubernetes";

/// One request to the API server, as a Role would have to grant it.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) verb: &'static str,
    pub(super) resource: String,
    pub(super) namespace: String,
}

/// Why a request brought no answer, or the wrong one.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(
        "the API server does not accept the credentials ({0}); renew the token or certificate of this kubeconfig user or service account"
    )]
    Unauthorized(String),
    #[error(
        "this user may not {} {} in namespace {}; grant that verb by a Role, as deploy/kubernetes/rbac.yaml does (the API server says: {said})",
        request.verb, request.resource, request.namespace
    )]
    Forbidden { request: Request, said: String },
    #[error("the API server forbids it: {0}")]
    Barred(String),
    #[error("there is no namespace {0:?}; create it, or name another in the address")]
    NoNamespace(String),
    #[error("the API server does not serve {} ({said}); it must be Kubernetes 1.19 or later", request.resource)]
    NotServed { request: Request, said: String },
    #[error(
        "the record is too large for one object: {0}; make the pages smaller, or spread the shards over more members"
    )]
    TooLarge(String),
    #[error("the API server does not take the object: {0}")]
    Rejected(String),
    #[error("the API server has too much to do ({said}); {}", when(*.after))]
    Busy { said: String, after: Option<Duration> },
    #[error("the API server failed: {said} ({code})")]
    Failed { code: u16, said: String },
    #[error(
        "something else than the API server answered ({code}): {said}; check the address, and for a proxy in between; Kubernetes must be 1.19 or later"
    )]
    Foreign { code: u16, said: String },
    #[error("the API server can't be reached; check its address, and that it runs")]
    Unreachable(#[source] Cause),
    #[error(
        "the API server's certificate is not trusted; name its CA as certificate-authority of the kubeconfig's cluster, and reach the server by a name in its certificate"
    )]
    Untrusted(#[source] Cause),
    #[error("the connection broke before an answer came")]
    Broken(#[source] Cause),
    #[error("no answer came within {0:?}")]
    Late(Duration),
    #[error("the answer can't be understood; check for a proxy between this process and the API server")]
    Garbled(#[source] Cause),
    #[error("credentials could not be had: {0}")]
    NoCredentials(String),
    #[error("the request can't be made: {0}")]
    Unsendable(String),
    #[error("{0} is no record of tenure; remove it, or give the store another name")]
    Stranger(String),
    #[error(
        "the key can't become the name of an object, which has at most 253 characters; use shorter names, in lower case"
    )]
    NoName,
}

fn when(after: Option<Duration>) -> String {
    after.map_or_else(|| "try again later".into(), |after| format!("try again in {after:?}"))
}

impl Trouble {
    /// Whether somebody must grant or mend something before it can go well.
    pub(super) fn is_refusal(&self) -> bool {
        self.kind() != StoreErrorKind::Unavailable
    }
}

impl StoreTrouble for Trouble {
    const STORE: &'static str = KIND;

    fn kind(&self) -> StoreErrorKind {
        match self {
            Self::Unauthorized(_)
            | Self::Forbidden { .. }
            | Self::Barred(_)
            | Self::Untrusted(_)
            | Self::NoCredentials(_) => StoreErrorKind::Denied,
            Self::NoNamespace(_)
            | Self::TooLarge(_)
            | Self::Rejected(_)
            | Self::Unsendable(_)
            | Self::NoName => StoreErrorKind::Invalid,
            Self::NotServed { .. } | Self::Stranger(_) => StoreErrorKind::Incompatible,
            Self::Busy { .. }
            | Self::Unreachable(_)
            | Self::Failed { .. }
            | Self::Foreign { .. }
            | Self::Broken(_)
            | Self::Late(_)
            | Self::Garbled(_) => StoreErrorKind::Unavailable,
        }
    }

    fn is_unanswered(&self, _operation: Operation) -> bool {
        matches!(
            self,
            Self::Failed { .. } | Self::Foreign { .. } | Self::Broken(_) | Self::Late(_) | Self::Garbled(_)
        )
    }

    fn into_cause(self) -> Option<Cause> {
        match self {
            Self::Unreachable(cause)
            | Self::Untrusted(cause)
            | Self::Broken(cause)
            | Self::Garbled(cause) => Some(cause),
            _ => None,
        }
    }
}
