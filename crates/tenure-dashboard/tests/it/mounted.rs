//! In a service of somebody else: beneath a path of its own, beside other routes.

use axum::Router;
use axum::routing::get;
use tenure_dashboard::serve::serve;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::client::Request;
use crate::testbed::Testbed;

#[tokio::test(flavor = "multi_thread")]
async fn a_service_mounts_it_beside_its_own_routes() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let router = tenure_dashboard::router(bed.store().await, "orders".parse().unwrap());
    let app = Router::new().route("/", get(|| async { "orders" })).nest("/tenure/", router);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, None, app, CancellationToken::new()));
    assert_eq!(Request::get("/").send(address).await.body, "orders");
    let page = Request::get("/tenure/").send(address).await;
    assert!(page.status == 200 && page.body.contains("<html"), "{page:?}");
    let picture = Request::get("/tenure/api/v1/picture").send(address).await.well();
    assert_eq!(picture["can"], serde_json::json!({"act": false, "playground": false}));
    let refused = Request::post("/tenure/api/v1/members/ada/drain", r#"{"why": "x"}"#).send(address).await;
    assert_eq!(refused.problem(), (403, "forbidden".into()));
}
