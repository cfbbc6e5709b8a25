//! A dump of PostgreSQL, put back into the same server.

use std::time::Duration;

use tenure_stores::postgres::PostgresStore;
use tenure_testbed::postgres::Server;

use crate::address::open;
use crate::restored::{Restorable, recovers};

struct Database {
    server: Server,
    dump: String,
}

impl Restorable for Database {
    type Store = PostgresStore;

    async fn open(&self) -> PostgresStore {
        open(&self.server.url()).await
    }

    async fn back_up(&mut self) {
        self.dump = self.server.dump().await;
    }

    async fn restore(&mut self) {
        self.server.psql("DROP SCHEMA tenure CASCADE").await;
        self.server.put_back(&self.dump).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dump_that_was_restored_is_recovered() {
    let database = Database { server: Server::start().await, dump: String::new() };
    recovers(database, Duration::from_secs(3)).await;
}
