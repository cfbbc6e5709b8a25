//! A page that shows who owns what in a cluster, what just moved and why, and lets an operator act.
//!
//! ```no_run
//! # async fn example(store: tenure::store::SharedStore) -> Result<(), Box<dyn std::error::Error>> {
//! use tenure_dashboard::Dashboard;
//!
//! let dashboard = Dashboard::builder(store, "orders".parse()?).start();
//! let app: axum::Router = axum::Router::new().nest("/tenure/", dashboard.router());
//! # Ok(()) }
//! ```
//!
//! One task looks at the cluster, as a member would, however many people watch; it writes nothing. What it knows is
//! pure state ([`view`] is its spelling), from which viewers get a picture first and then what changed, as server-sent
//! events. Acting needs a token, and is written down.
//!
//! | module | does |
//! |---|---|
//! | [`ask`] | who owns what, for anybody in any language |
//! | `audit` | writes down who did what and why |
//! | `board` | knows what was seen and says what changed; pure |
//! | `observer` | looks at the cluster, for all viewers |
//! | `metrics` | figures for Prometheus, of the cluster and of members |
//! | `playground` | what `tenure up` lends |
//! | `route` | answers, one file for each kind of question |
//! | `guard` | refuses: strange hosts and origins, people who may not |
//! | [`serve`] | connections: with limits, with or without TLS |
//! | `json` | answers and events in JSON |
//! | [`view`] | the JSON |

pub mod ask;
mod assets;
mod audit;
mod board;
mod dashboard;
mod guard;
mod json;
mod metrics;
mod observer;
mod playground;
mod route;
pub mod serve;
mod shared;
pub mod view;

pub use audit::{AuditError, AuditLog};
pub use dashboard::{Dashboard, DashboardBuilder, router};
pub use guard::{Gate, Hosts, Keyring, Proxies, Reading, Role, TokenError, Tokens};
pub use metrics::{CLUSTER, TYPE as METRICS_TYPE, member_page};
pub use playground::{Blow, Playground};
