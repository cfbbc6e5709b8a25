//! `postgres:` addresses, for settings and command lines.
//!
//! `postgres://user[:password]@host[:port][,host2[:port2]]/database[?option=value&…]`, as PostgreSQL's own programs take them.
//! Options of TLS and `schema` are ours; the rest (`application_name`, `connect_timeout`, `keepalives…`, `host`, …) is
//! read by the client library. No message repeats the address: it may hold a password.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use ::url::form_urlencoded;
use tenure::store::{StoreError, StoreErrorKind};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use super::duty::{Duty, OWNERSHIP};
use super::error::KIND;
use super::schema::Schema;
use super::tls::{Mode, Trust};

/// A connection over which nothing comes back is given up by the kernel after this.
const SILENCE_MAX: Duration = Duration::from_secs(10);

/// One of the servers that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Server {
    host: Host,
    port: u16,
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Tcp(host) => write!(f, "{host}:{}", self.port),
            Host::Unix(directory) => write!(f, "{}/.s.PGSQL.{}", directory.display(), self.port),
        }
    }
}

/// What an address says.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The address as people may see it.
    pub(super) shown: String,
    /// Its servers.
    pub(super) servers: Vec<Server>,
    /// The schema that holds the tables.
    pub(super) schema: Schema,
    /// What the connections are for.
    pub(super) duty: &'static Duty,
    /// How the server's certificate is looked at.
    pub(super) trust: Trust,
    /// Everything else; its hosts are replaced by one server at a time. Its `Debug` leaves the password out.
    config: Config,
}

impl Options {
    /// Reads an address; a password that it lacks is taken from `PGPASSWORD`.
    pub(super) fn parse(address: &str) -> Result<Self, StoreError> {
        let password = std::env::var("PGPASSWORD").ok();
        Self::read(address, password.as_deref())
    }

    fn read(address: &str, password: Option<&str>) -> Result<Self, StoreError> {
        let shown = crate::shown(address);
        let shown = shown.split('?').next().unwrap_or_default().to_owned();
        Parts::split(address).and_then(|parts| parts.options(&shown, password)).map_err(|message| {
            let form = "use postgres://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full";
            StoreError::new(StoreErrorKind::Invalid, KIND, "open", shown, format!("{message}; {form}"))
        })
    }

    /// The same for another use.
    pub(super) fn on_duty(&self, duty: &'static Duty) -> Self {
        Self { duty, ..self.clone() }
    }

    /// What a role needs that only uses the tables.
    pub(super) fn grants(&self) -> String {
        self.duty.layout.grants(&self.schema, self.user())
    }

    /// Who connects.
    pub(super) fn user(&self) -> &str {
        self.config.get_user().unwrap_or_default()
    }

    /// To which database.
    pub(super) fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or_else(|| self.user())
    }

    /// How to connect to one of the servers.
    pub(super) fn config_for(&self, server: &Server) -> Config {
        // The library can't forget hosts, hence everything else is copied.
        let mut config = Config::new();
        config.user(self.user()).dbname(self.database()).port(server.port);
        match &server.host {
            Host::Tcp(host) => config.host(host),
            Host::Unix(directory) => config.host_path(directory),
        };
        if let Some(password) = self.config.get_password() {
            config.password(password);
        }
        if let Some(options) = self.config.get_options() {
            config.options(options);
        }
        config.application_name(self.config.get_application_name().unwrap_or("tenure"));
        config.ssl_mode(self.trust.ssl_mode()).ssl_negotiation(self.config.get_ssl_negotiation());
        config.channel_binding(self.config.get_channel_binding());
        self.copy_patience(&mut config);
        config
    }

    fn copy_patience(&self, config: &mut Config) {
        let from = &self.config;
        if let Some(limit) = from.get_connect_timeout() {
            config.connect_timeout(*limit);
        }
        config.tcp_user_timeout(from.get_tcp_user_timeout().copied().unwrap_or(SILENCE_MAX));
        config.keepalives(from.get_keepalives()).keepalives_idle(from.get_keepalives_idle().min(SILENCE_MAX));
        config.keepalives_interval(from.get_keepalives_interval().unwrap_or(Duration::from_secs(3)));
        config.keepalives_retries(from.get_keepalives_retries().unwrap_or(3));
    }
}

/// An address with our own options taken out.
#[derive(Default)]
struct Parts {
    rest: String,
    schema: Schema,
    mode: Option<Mode>,
    root: Option<PathBuf>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl Parts {
    fn split(address: &str) -> Result<Self, String> {
        if !address.starts_with("postgres://") && !address.starts_with("postgresql://") {
            return Err("it does not begin with postgres://".into());
        }
        let (base, query) = address.split_once('?').unwrap_or((address, ""));
        let mut parts = Self::default();
        let mut others = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if !parts.take(&name, &value)? {
                others.append_pair(&name, &value);
            }
        }
        // The library decodes percent signs, not pluses.
        parts.rest = format!("{base}?{}", others.finish().replace('+', "%20"));
        Ok(parts)
    }

    fn take(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "schema" => self.schema = Schema::named(value).ok_or_else(|| bad_schema(value))?,
            "sslmode" => self.mode = Some(Mode::named(value).ok_or_else(|| bad_mode(value))?),
            "sslrootcert" => self.root = Some(value.into()),
            "sslcert" => self.certificate = Some(value.into()),
            "sslkey" => self.key = Some(value.into()),
            "password" => {
                return Err("a password is not an option; put it before the @, or into PGPASSWORD".into());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn options(self, shown: &str, password: Option<&str>) -> Result<Options, String> {
        let mut config: Config = self.rest.parse().map_err(|error| unreadable(&error))?;
        check(&config)?;
        if config.get_user().is_none_or(str::is_empty) {
            return Err("it names no user".into());
        }
        if let (None, Some(password)) = (config.get_password(), password) {
            config.password(password);
        }
        let trust = Trust::new(self.mode, self.root, self.certificate, self.key)?;
        let servers = servers(&config)?;
        Ok(Options { shown: shown.into(), servers, schema: self.schema, duty: &OWNERSHIP, trust, config })
    }
}

fn check(config: &Config) -> Result<(), String> {
    if !config.get_hostaddrs().is_empty() {
        return Err("hostaddr is not known here; name the host by its address".into());
    }
    if config.get_target_session_attrs() == TargetSessionAttrs::ReadOnly {
        return Err("a server that can only be read is of no use; leave target_session_attrs out".into());
    }
    debug_assert_eq!(config.get_ssl_mode(), SslMode::Prefer, "sslmode was taken out");
    Ok(())
}

fn servers(config: &Config) -> Result<Vec<Server>, String> {
    let (hosts, ports) = (config.get_hosts(), config.get_ports());
    if hosts.is_empty() {
        return Err("it names no host".into());
    }
    if ports.len() > 1 && ports.len() != hosts.len() {
        return Err("it has another number of ports than of hosts".into());
    }
    let port = |index: usize| ports.get(index).or_else(|| ports.first()).copied().unwrap_or(5432);
    Ok(hosts
        .iter()
        .enumerate()
        .map(|(index, host)| Server { host: host.clone(), port: port(index) })
        .collect())
}

/// What the library dislikes: it names an option, never a value.
fn unreadable(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("it can't be read: {cause}"),
        None => "it can't be read".into(),
    }
}

fn bad_schema(value: &str) -> String {
    format!("the schema {value:?} is not a name of small letters, digits and underscores")
}

fn bad_mode(value: &str) -> String {
    format!("sslmode {value:?} is none of disable, prefer, require, verify-ca and verify-full")
}

#[cfg(test)]
#[path = "url_tests.rs"]
mod tests;
