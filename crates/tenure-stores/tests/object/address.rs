//! Addresses for tests: the shared server, with a place of its own for each test, and variations of it.

use std::net::SocketAddr;

use tenure_stores::object::ObjectStore;
use tenure_testbed::Kind;
use tenure_testbed::s3::Server;
use url::Url;

/// An address under construction.
#[derive(Clone, Debug)]
pub(crate) struct Address(Url);

impl Address {
    /// A place on the shared server that nobody else uses.
    pub(crate) fn fresh() -> Self {
        let mut url = Url::parse(&tenure_testbed::url(Kind::S3)).unwrap();
        let path = format!("{}/{:016x}", url.path().trim_end_matches('/'), fastrand::u64(..));
        url.set_path(&path);
        Self(url)
    }

    /// A place on a server of the test's own.
    pub(crate) fn of(server: SocketAddr) -> Self {
        let keys = "region=us-east-1&access_key_id=somebody&secret_access_key=hunter2&allow_http=true";
        Self(Url::parse(&format!("s3://shop/p?{keys}&endpoint=http://{server}")).unwrap())
    }

    /// A place on a server that is trusted to remove conditionally.
    pub(crate) async fn trusted(server: &Server) -> Self {
        server.make_bucket("trusted").await;
        Self(Url::parse(&server.url("trusted", "p")).unwrap()).with("conditional_delete", "true")
    }

    /// The same place, with another value for one option.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        let mut url = self.0.clone();
        let others: Vec<(String, String)> =
            self.0.query_pairs().into_owned().filter(|(other, _)| other != name).collect();
        url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
        Self(url)
    }

    /// The same place, by way of another address, such as a proxy's.
    pub(crate) fn by_way_of(&self, way: SocketAddr) -> Self {
        self.with("endpoint", &format!("http://{way}"))
    }

    /// The same place in another bucket.
    pub(crate) fn in_bucket(&self, bucket: &str) -> Self {
        let mut url = self.0.clone();
        url.set_host(Some(bucket)).unwrap();
        Self(url)
    }

    /// The secret of the key.
    pub(crate) fn secret(&self) -> String {
        let (_, secret) = self.0.query_pairs().find(|(name, _)| name == "secret_access_key").unwrap();
        secret.into_owned()
    }

    /// Where the server is.
    pub(crate) fn server(&self) -> SocketAddr {
        let (_, endpoint) = self.0.query_pairs().find(|(name, _)| name == "endpoint").unwrap();
        endpoint.strip_prefix("http://").unwrap().parse().unwrap()
    }

    pub(crate) async fn open(&self) -> ObjectStore {
        ObjectStore::open_url(self.0.as_str()).await.unwrap()
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}
