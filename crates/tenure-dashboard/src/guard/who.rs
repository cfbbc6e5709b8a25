//! Who asks, taken from a request before anything else of it is read.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tenure::MemberId;

use super::Role;
use crate::shared::Shared;
use crate::view::Problem;

/// The sender of a request: a name that can be written into the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    pub(crate) name: MemberId,
    pub(crate) role: Role,
}

/// A sender who may look.
#[derive(Debug)]
pub(crate) struct Viewer(pub(crate) Who);

/// A sender who may drain, move and note.
#[derive(Debug)]
pub(crate) struct Operator(pub(crate) Who);

/// A sender who may fence.
#[derive(Debug)]
pub(crate) struct Admin(pub(crate) Who);

fn admitted(parts: &Parts, shared: &Shared, role: Role) -> Result<Who, Problem> {
    shared.setup.gate.admit(role, parts.extensions.get(), &parts.headers)
}

impl FromRequestParts<Arc<Shared>> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Problem> {
        admitted(parts, shared, Role::Viewer).map(Self)
    }
}

impl FromRequestParts<Arc<Shared>> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Problem> {
        admitted(parts, shared, Role::Operator).map(Self)
    }
}

impl FromRequestParts<Arc<Shared>> for Admin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Problem> {
        admitted(parts, shared, Role::Admin).map(Self)
    }
}
