//! pgbouncer in front of a server: its errors are not PostgreSQL's, and lack a field that PostgreSQL's have.

use std::path::Path;

use super::server::{Server, query};
use crate::error::{Doing, Error};
use crate::install::postgres::pooler;
use crate::port::Port;
use crate::process::{Life, Order, Process, User, run_in_background};
use crate::ready;
use crate::server::Home;

/// A pool of connections in session mode. It ends when this is dropped.
#[derive(Debug)]
pub struct Pool {
    process: Process,
    port: Port,
    _home: Home,
}

impl Pool {
    /// Starts one in front of `server`, which must ask clients for nothing; none where pgbouncer is not installed.
    ///
    /// # Panics
    ///
    /// When it does not start; the message says why.
    pub async fn start(server: &Server) -> Option<Self> {
        let program = pooler()?;
        Some(Self::launch(&program, server).await.unwrap_or_else(|error| panic!("{error}")))
    }

    async fn launch(program: &Path, server: &Server) -> Result<Self, Error> {
        let (home, port) = (Home::new("pgbouncer")?, Port::free()?);
        let path = home.path().join("pool.ini");
        std::fs::write(&path, settings(server.port(), port.number()))
            .doing(|| format!("write {}", path.display()))?;
        let user = User::are_we_root().then(|| User::named("postgres")).transpose()?;
        if let Some(user) = user {
            home.give_to(user)?;
        }
        let order = Order::new("pgbouncer", Life::Owned, program, home.path()).user(user).args(["pool.ini"]);
        let mut pool = Self { process: Process::start(order)?, port, _home: home };
        let (psql, url) = (server.psql_program().to_owned(), pool.url());
        ready::ask(&mut pool.process, async || {
            run_in_background(query(&psql, &url, "select 1"))
                .await
                .map(drop)
                .map_err(|error| error.to_string())
        })
        .await?;
        Ok(pool)
    }

    /// What a store opens: the database `tenure` of the server behind it, as the user `postgres`.
    pub fn url(&self) -> String {
        format!("postgres://postgres@{}/tenure", self.port.address())
    }
}

fn settings(server: u16, port: u16) -> String {
    format!(
        "[databases]\n\
         tenure = host=127.0.0.1 port={server} dbname=tenure user=postgres\n\
         [pgbouncer]\n\
         listen_addr = 127.0.0.1\n\
         listen_port = {port}\n\
         unix_socket_dir =\n\
         auth_type = any\n\
         pool_mode = session\n"
    )
}
