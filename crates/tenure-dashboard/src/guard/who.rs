//! Who asks, taken from a request before anything else of it is read.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tenure::MemberId;

use super::Role;
use crate::desk::Desk;
use crate::view::Problem;

/// Whoever asks. A name that can be written into the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    pub(crate) name: MemberId,
    pub(crate) role: Role,
}

/// Whoever asks, who may look.
#[derive(Debug)]
pub(crate) struct Viewer(pub(crate) Who);

/// Whoever asks, who may drain, move and note.
#[derive(Debug)]
pub(crate) struct Operator(pub(crate) Who);

/// Whoever asks, who may fence.
#[derive(Debug)]
pub(crate) struct Admin(pub(crate) Who);

fn admitted(parts: &Parts, desk: &Desk, role: Role) -> Result<Who, Problem> {
    desk.house.gate.admit(role, parts.extensions.get(), &parts.headers)
}

impl FromRequestParts<Arc<Desk>> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, desk: &Arc<Desk>) -> Result<Self, Problem> {
        admitted(parts, desk, Role::Viewer).map(Self)
    }
}

impl FromRequestParts<Arc<Desk>> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, desk: &Arc<Desk>) -> Result<Self, Problem> {
        admitted(parts, desk, Role::Operator).map(Self)
    }
}

impl FromRequestParts<Arc<Desk>> for Admin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, desk: &Arc<Desk>) -> Result<Self, Problem> {
        admitted(parts, desk, Role::Admin).map(Self)
    }
}
