//! Members say where they are reached, and routers tell.

use std::sync::Arc;

use tenure::store::Memory;
use tenure::{Member, Route};

use crate::fleet::{all_owned, keep, owned_by, settings, start_with};

async fn reached(store: &Memory, id: &str, address: Option<&str>) -> Arc<Member> {
    let mut settings = settings(id);
    settings.address = address.map(Into::into);
    let member = start_with(store.clone(), settings).await;
    let runner = Arc::clone(&member);
    tokio::spawn(async move { runner.run(keep).await });
    member
}

#[tokio::test(flavor = "multi_thread")]
async fn a_route_tells_where_the_owner_is_reached_if_it_said_so() {
    let store = Memory::new();
    let a = reached(&store, "a", Some("10.1.2.3:80")).await;
    let b = reached(&store, "b", None).await;
    let settled = |routes: &[Route]| owned_by(routes, a.id()) == 4 && owned_by(routes, b.id()) == 4;
    assert!(b.router().until(settled).await);
    for route in b.router().routes() {
        let expected = (route.owner.as_ref() == Some(a.id())).then_some("10.1.2.3:80");
        assert_eq!(route.address.as_deref(), expected, "{route:?}");
    }
    let key = (0..).map(|key| format!("order-{key}")).find(|key| b.owner_of(key).as_ref() == Some(a.id()));
    assert_eq!(b.address_of(key.unwrap()).as_deref(), Some("10.1.2.3:80"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_that_comes_back_elsewhere_is_found_there() {
    let store = Memory::new();
    let watcher = reached(&store, "w", Some("w:1")).await;
    assert!(watcher.router().until(all_owned).await);
    for address in ["a:1", "a:2"] {
        let a = reached(&store, "a", Some(address)).await;
        let there = |routes: &[Route]| {
            routes.iter().filter(|route| route.address.as_deref() == Some(address)).count() == 4
        };
        assert!(watcher.router().until(there).await);
        a.leave().await.unwrap();
    }
}
