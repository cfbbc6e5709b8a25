//! Buckets of a server that wants requests signed: the client that moto brings along signs them.

use std::process::Command;

use crate::error::Error;
use crate::install::moto::Programs;
use crate::process::run_in_background;

const MAKE: &str = "import boto3, sys
endpoint, key, secret, bucket = sys.argv[1:]
client = boto3.client('s3', endpoint_url=endpoint, region_name='us-east-1', aws_access_key_id=key, aws_secret_access_key=secret)
client.create_bucket(Bucket=bucket)";

/// The address of a bucket and the keys to it.
#[derive(Debug)]
pub(super) struct Door<'a> {
    pub(super) endpoint: &'a str,
    pub(super) key: &'a str,
    pub(super) secret: &'a str,
}

impl Door<'_> {
    /// What a store opens that keeps everything under `prefix` of `bucket`.
    pub(super) fn url(&self, bucket: &str, prefix: &str) -> String {
        let Self { endpoint, key, secret } = self;
        let keys = format!("access_key_id={key}&secret_access_key={secret}");
        format!("s3://{bucket}/{prefix}?endpoint={endpoint}&region=us-east-1&{keys}&allow_http=true")
    }

    /// Makes a bucket.
    pub(super) async fn make(&self, bucket: &str) -> Result<(), Error> {
        let mut command = Command::new(Programs::find()?.python);
        command.args(["-c", MAKE, self.endpoint, self.key, self.secret, bucket]);
        run_in_background(command).await.map(drop)
    }
}
