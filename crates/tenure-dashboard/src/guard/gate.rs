//! The gate that every face stands behind: who may ask, by which name, from which page, and for what.
//!
//! | asked for | needs |
//! |---|---|
//! | the page itself, `/livez`, `/readyz` | a name that this server is known by |
//! | figures | the same where figures are public or reading is free; else a viewer |
//! | anything else that only looks | the same where reading is free; else a viewer |
//! | deeds | an operator or an admin, always |

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tenure::ClusterName;
use tenure::clock::Clock;

use super::brake::Brake;
use super::person::{Person, Proof};
use super::{Hosts, Keyring, Proxies, Role, Who, known_host, own_origin, secure};
use crate::serve::Peer;
use crate::view::{Problem, ProblemKind};

/// Who may look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// All who can connect: on loopback, the people of this machine.
    #[default]
    Free,
    /// People of the token file.
    Named,
}

/// The gate of one face.
#[derive(Debug)]
pub struct Gate {
    cluster: ClusterName,
    pub(super) hosts: Hosts,
    keys: Keyring,
    reading: Reading,
    public_figures: bool,
    proxies: Option<Proxies>,
    brake: Mutex<Brake>,
    clock: Clock,
}

impl Gate {
    /// A gate before `cluster` that lets everybody on this machine look, and none act.
    pub fn new(cluster: ClusterName) -> Self {
        Self {
            cluster,
            hosts: Hosts::local(),
            keys: Keyring::default(),
            reading: Reading::Free,
            public_figures: false,
            proxies: None,
            brake: Mutex::default(),
            clock: Clock::boot(),
        }
    }

    /// The names under which it may be asked for; those of this machine alone, unless others are said.
    #[must_use]
    pub fn hosts(mut self, hosts: Hosts) -> Self {
        self.hosts = hosts;
        self
    }

    /// The people; none, unless said.
    #[must_use]
    pub fn keys(mut self, keys: impl Into<Keyring>) -> Self {
        self.keys = keys.into();
        self
    }

    /// Who may look; all who can connect, unless said.
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// Lets everybody who can connect read the figures.
    #[must_use]
    pub fn public_figures(mut self, public: bool) -> Self {
        self.public_figures = public;
        self
    }

    /// Believes these proxies about who asks.
    #[must_use]
    pub fn proxies(mut self, proxies: Proxies) -> Self {
        self.proxies = Some(proxies);
        self
    }

    /// Puts `router` behind this gate.
    pub fn guard(self: &Arc<Self>, router: Router) -> Router {
        router
            .layer(from_fn_with_state(Arc::clone(self), may_look))
            .layer(from_fn(own_origin))
            .layer(from_fn_with_state(Arc::clone(self), known_host))
            .layer(from_fn(secure))
    }

    /// Whether anybody may act.
    pub(crate) fn has_people(&self) -> bool {
        !self.keys.tokens(self.clock.now()).is_empty()
    }

    /// Who asks, if they may do what `role` may.
    pub(crate) fn admit(&self, role: Role, peer: Option<&Peer>, headers: &HeaderMap) -> Result<Who, Problem> {
        if !self.has_people() {
            let message = "nobody may do that here; start it with --token-file to change that";
            return Err(Problem::new(ProblemKind::Forbidden, message));
        }
        let who = self.identify(peer, headers)?;
        if who.role < role {
            let message = format!("that needs the role {role}; {} is {}", who.name, who.role);
            return Err(Problem::new(ProblemKind::Forbidden, message));
        }
        Ok(who)
    }

    fn identify(&self, peer: Option<&Peer>, headers: &HeaderMap) -> Result<Who, Problem> {
        let tokens = self.keys.tokens(self.clock.now());
        if let Some(said) = headers.get(header::AUTHORIZATION) {
            let said = said.to_str().ok().and_then(bearer);
            return self
                .braked(peer, || self.choose(&said.map_or_else(Vec::new, |said| tokens.by_token(said))));
        }
        let by_certificate = peer.into_iter().flat_map(|peer| &peer.names);
        let certified = by_certificate.flat_map(|name| tokens.by_name(name, &Proof::Certificate));
        let named = self.proxies.as_ref().zip(peer);
        let named = named.and_then(|(proxies, peer)| proxies.named(peer.address.ip(), headers));
        let named = named.into_iter().flat_map(|name| tokens.by_name(name, &Proof::Proxy));
        self.choose(&certified.chain(named).collect::<Vec<_>>())
    }

    /// The one of these who may do most, of those who may do anything here and now.
    fn choose(&self, people: &[&Person]) -> Result<Who, Problem> {
        let now_ms = self.clock.wall_ms();
        let due: Vec<_> = people.iter().filter(|person| person.is_due(now_ms)).collect();
        let here = due.iter().filter(|person| person.is_of(&self.cluster)).max_by_key(|person| person.role);
        match (people.len(), due.len(), here) {
            (_, _, Some(person)) => Ok(Who { name: person.name.clone(), role: person.role }),
            (0, _, None) => Err(unknown("that needs a token that is in the token file")),
            (_, 0, None) => Err(unknown("the token has expired; ask for another")),
            (_, _, None) => {
                let message = format!("the token is not for the cluster {}", self.cluster);
                Err(Problem::new(ProblemKind::Forbidden, message))
            }
        }
    }

    /// Looks at a token only if the brake allows it, and tells the brake what came of it.
    fn braked(
        &self,
        peer: Option<&Peer>,
        look: impl FnOnce() -> Result<Who, Problem>,
    ) -> Result<Who, Problem> {
        // Routes that are mounted in another server have no such peers; that server brakes guesses.
        let Some(from) = peer.map(|peer| peer.address.ip()) else { return look() };
        self.wait_of(from).map_or(Ok(()), Err)?;
        let came = look();
        let (mut brake, now) = (self.brake.lock().unwrap_or_else(PoisonError::into_inner), self.clock.now());
        match &came {
            Err(problem) if problem.kind == ProblemKind::Unauthorised => brake.wrong(now, from),
            Ok(_) | Err(_) => brake.right(from),
        }
        came
    }

    fn wait_of(&self, from: IpAddr) -> Option<Problem> {
        let brake = self.brake.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = brake.allows(self.clock.now(), from).err()?;
        let message = format!("too many wrong tokens came from your address; wait {} s", wait.as_secs() + 1);
        Some(Problem::new(ProblemKind::TooMany, message))
    }

    fn is_free(&self, path: &str) -> bool {
        let public = matches!(path, "/" | "/livez" | "/readyz") || path.starts_with("/assets/");
        let figures = path == "/metrics" && self.public_figures;
        public || figures || self.reading == Reading::Free
    }
}

/// Lets a request pass if its sender may look. Deeds ask for more, where they are done.
async fn may_look(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    if !gate.is_free(request.uri().path())
        && let Err(problem) = gate.admit(Role::Viewer, request.extensions().get(), request.headers())
    {
        return problem.into_response();
    }
    next.run(request).await
}

fn bearer(said: &str) -> Option<&str> {
    let (kind, token) = said.split_once(' ')?;
    kind.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn unknown(message: &str) -> Problem {
    tracing::warn!("somebody asked for what needs a token, and named none that counts");
    Problem::new(ProblemKind::Unauthorised, message)
}
