//! The clients that talk to the bucket.
//!
//! There are two. The *careful* one sends each request once: it writes, and a write that is sent again by itself, after
//! one that may have landed, would be told that it lost to itself. The *patient* one tries a few more times: it reads,
//! and a read that is repeated harms nobody. They share their credentials.

use std::fmt;
use std::sync::{Arc, Once};
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::list::PaginatedListStore;
use object_store::signer::Signer;
use object_store::{BackoffConfig, ClientConfigKey, RetryConfig};
use tenure::store::StoreError;

use super::error::unusable;
use super::url::{Address, BucketPath, Provider};
use super::wire::Wire;

/// A client of one bucket.
pub(super) trait Bucket: object_store::ObjectStore + PaginatedListStore {}

impl<T: object_store::ObjectStore + PaginatedListStore> Bucket for T {}

/// Both clients. Their own `Debug` is not to be trusted with secrets.
#[derive(Clone)]
pub(super) struct Clients {
    pub careful: Arc<dyn Bucket>,
    pub patient: Arc<dyn Bucket>,
    /// Whether the server's conditional DELETE can be relied on.
    pub deletes: bool,
    /// Signs what is asked of the bucket itself, where that is known.
    pub signer: Option<Arc<dyn Signer>>,
}

impl fmt::Debug for Clients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clients").finish_non_exhaustive()
    }
}

/// What is waited for at most, where the address says nothing else. A lease's own limits are shorter, and come from
/// outside; these are for calls that nobody else bounds.
const DEFAULTS: [(ClientConfigKey, &str); 3] = [
    (ClientConfigKey::ConnectTimeout, "3s"),
    (ClientConfigKey::Timeout, "10s"),
    // Servers close idle connections; one that closes just as a write is sent leaves the write in doubt.
    (ClientConfigKey::PoolIdleTimeout, "10s"),
];

const ONCE: usize = 0;
const A_FEW_TIMES: usize = 3;

fn tries(max_retries: usize) -> RetryConfig {
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(50),
        max_backoff: Duration::from_secs(1),
        ..BackoffConfig::default()
    };
    RetryConfig { backoff, max_retries, retry_timeout: Duration::from_secs(5) }
}

/// Makes the clients for an address; sends nothing.
pub(super) fn clients(address: &Address) -> Result<Clients, StoreError> {
    install_cryptography();
    match address.place.provider {
        Provider::S3 => s3(address),
        Provider::Google => google(address),
        Provider::Azure => azure(address),
    }
}

/// TLS needs a provider of cryptography for the whole process; if there is one already, it is the one.
fn install_cryptography() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

fn s3(address: &Address) -> Result<Clients, StoreError> {
    let place = &address.place;
    let mut builder = AmazonS3Builder::from_env();
    for (key, value) in DEFAULTS {
        builder = builder.with_config(AmazonS3ConfigKey::Client(key), value);
    }
    for (name, value) in &address.options {
        builder = builder.with_config(option(place, name)?, value);
    }
    let endpoint = builder.get_config_value(&AmazonS3ConfigKey::S3Endpoint);
    let endpoint = endpoint.or_else(|| builder.get_config_value(&AmazonS3ConfigKey::Endpoint));
    let plain = builder.get_config_value(&AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp));
    let amazons = endpoint.as_deref().is_none_or(is_amazons);
    check_endpoint(place, endpoint, plain)?;
    // Whatever else was set: without conditions there is no store.
    let builder = builder
        .with_bucket_name(&place.bucket)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_disable_bulk_delete(true)
        .with_http_connector(Wire);
    let built = |builder: AmazonS3Builder| builder.build().map_err(|error| unbuilt(place, &error));
    let patient = built(builder.clone().with_retry(tries(A_FEW_TIMES)))?;
    let careful = builder.with_retry(tries(ONCE)).with_credentials(Arc::clone(patient.credentials()));
    let deletes = address.deletes.unwrap_or(amazons);
    let patient = Arc::new(patient);
    let signer: Option<Arc<dyn Signer>> = Some(Arc::clone(&patient) as _);
    Ok(Clients { careful: Arc::new(built(careful)?), patient, deletes, signer })
}

/// Whether it is S3 itself: an endpoint of a region or of a private network.
fn is_amazons(endpoint: &str) -> bool {
    let host = endpoint.trim_end_matches('/');
    host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn")
}

fn google(address: &Address) -> Result<Clients, StoreError> {
    let place = &address.place;
    let mut builder = GoogleCloudStorageBuilder::from_env();
    for (key, value) in DEFAULTS {
        builder = builder.with_config(GoogleConfigKey::Client(key), value);
    }
    for (name, value) in &address.options {
        builder = builder.with_config(option(place, name)?, value);
    }
    let googles = builder.get_config_value(&GoogleConfigKey::BaseUrl).is_none();
    let builder = builder.with_bucket_name(&place.bucket).with_http_connector(Wire);
    let built = |builder: GoogleCloudStorageBuilder| builder.build().map_err(|error| unbuilt(place, &error));
    let patient = built(builder.clone().with_retry(tries(A_FEW_TIMES)))?;
    let careful = builder.with_retry(tries(ONCE)).with_credentials(Arc::clone(patient.credentials()));
    let deletes = address.deletes.unwrap_or(googles);
    Ok(Clients { careful: Arc::new(built(careful)?), patient: Arc::new(patient), deletes, signer: None })
}

fn azure(address: &Address) -> Result<Clients, StoreError> {
    let place = &address.place;
    let mut builder = MicrosoftAzureBuilder::from_env();
    for (key, value) in DEFAULTS {
        builder = builder.with_config(AzureConfigKey::Client(key), value);
    }
    for (name, value) in &address.options {
        builder = builder.with_config(option(place, name)?, value);
    }
    let endpoint = builder.get_config_value(&AzureConfigKey::Endpoint);
    let plain = builder.get_config_value(&AzureConfigKey::Client(ClientConfigKey::AllowHttp));
    check_endpoint(place, endpoint, plain)?;
    let builder = builder.with_container_name(&place.bucket).with_http_connector(Wire);
    let built = |builder: MicrosoftAzureBuilder| builder.build().map_err(|error| unbuilt(place, &error));
    let patient = built(builder.clone().with_retry(tries(A_FEW_TIMES)))?;
    let careful = builder.with_retry(tries(ONCE)).with_credentials(Arc::clone(patient.credentials()));
    // object_store signs removals in batches, which no condition can be added to.
    let careful = Arc::new(built(careful)?);
    Ok(Clients { careful, patient: Arc::new(patient), deletes: false, signer: None })
}

fn option<K: std::str::FromStr>(place: &BucketPath, name: &str) -> Result<K, StoreError> {
    let unknown = |_| {
        unusable(place, format!("there is no option {name:?}; see docs/guide/stores.md for those there are"))
    };
    name.parse().map_err(unknown)
}

fn check_endpoint(
    place: &BucketPath,
    endpoint: Option<String>,
    plain: Option<String>,
) -> Result<(), StoreError> {
    let Some(endpoint) = endpoint else { return Ok(()) };
    if endpoint.starts_with("http://") && plain.as_deref() != Some("true") {
        return Err(unusable(
            place,
            "its endpoint is plain http; say allow_http=true if that is what you want",
        ));
    }
    if endpoint.starts_with("http://") || endpoint.starts_with("https://") {
        return Ok(());
    }
    Err(unusable(place, "its endpoint does not begin with https:// or http://"))
}

/// An option is missing or makes no sense. object_store's own message can repeat values of options; its first words do
/// not.
fn unbuilt(place: &BucketPath, error: &object_store::Error) -> StoreError {
    let said = error.to_string();
    let known = [
        ("Missing AccessKeyId", "a secret is given without its key; say access_key_id too"),
        ("Missing SecretAccessKey", "a key is given without its secret; say secret_access_key too"),
        ("Account must be specified", "no account is named; say account=… or set AZURE_STORAGE_ACCOUNT_NAME"),
        ("Zone suffix", "this is no name of a directory bucket; leave s3_express out"),
        ("service account", "the service account can't be read; check the file or the key that is named"),
    ];
    let found = known.iter().find(|(words, _)| said.contains(words));
    let message = found
        .map_or("an option has a value that makes no sense; check them one by one", |(_, message)| message);
    unusable(place, message)
}
