//! The S3 server goes on after a freeze, and has its objects still after a kill.

use tenure_testbed::s3::Server;

#[tokio::test]
async fn a_killed_server_comes_back_on_the_same_port_with_what_it_had() {
    let mut server = Server::start().await;
    server.make_bucket("colours").await;
    let endpoint = server.endpoint();
    server.kill();
    server.restart().await;
    assert_eq!(server.endpoint(), endpoint);
    assert_eq!(server.ask("PUT", "/colours/green").await, 200);
    assert_eq!(server.ask("PUT", "/sounds/loud").await, 404, "there never was such a bucket");
    assert!(server.url("colours", "green").starts_with("s3://colours/green?endpoint=http://127.0.0.1:"));
}

#[tokio::test]
async fn a_frozen_server_goes_on_when_it_is_thawed() {
    let server = Server::start().await;
    server.stop();
    let (_, ()) = tokio::join!(server.make_bucket("colours"), async { server.thaw() });
}
