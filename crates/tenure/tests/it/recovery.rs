//! A cluster that is recovered under its members, in one process: nobody acts twice, and everybody comes back.

use tenure::cluster::{Cluster, Hindrance, RecoverError, Recoverer, Step};
use tenure::store::{Memory, Store, When};
use tenure::{ClusterName, Route};
use tenure_core::recovery::STEP;

use crate::fleet::{Acts, SHARDS, all_owned, owned_by, working};

fn orders() -> ClusterName {
    "orders".parse().unwrap()
}

fn recoverer(store: &Memory) -> Recoverer {
    Recoverer::new(store.clone(), &orders(), "operator".parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_acts_while_it_goes_on_and_all_come_back_with_higher_epochs() {
    let (store, acts) = (Memory::new(), Acts::default());
    let (a, b) = (working(&store, "a", &acts).await, working(&store, "b", &acts).await);
    let settled = |routes: &[Route]| owned_by(routes, a.id()) == 4 && owned_by(routes, b.id()) == 4;
    assert!(a.router().until(settled).await);
    let mut watcher = Cluster::find(store.clone(), &orders()).await.unwrap().unwrap();
    watcher.look().await.unwrap();

    let recoverer = recoverer(&store);
    let forecast = recoverer.forecast().await.unwrap().unwrap();
    assert_eq!((forecast.alive.len(), forecast.members.len(), forecast.resumed), (2, 2, false));
    let mut steps = Vec::new();
    recoverer.recover(&forecast, |step| steps.push(step)).await.unwrap();
    assert!(matches!(steps[..], [Step::Begun, Step::Raised, Step::Waits(2, _), Step::Done]), "{steps:?}");

    let raised = |routes: &[Route]| settled(routes) && routes.iter().all(|route| route.epoch.0 > STEP);
    assert!(a.router().until(raised).await && b.router().until(raised).await);
    acts.assert_exclusive();
    let survey = watcher.look().await.unwrap().survey;
    assert_eq!((survey.holdings.len(), survey.problems.len()), (SHARDS as usize, 0), "who looks on follows");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_whole_is_not_recovered() {
    let (store, acts) = (Memory::new(), Acts::default());
    assert!(recoverer(&store).forecast().await.unwrap().is_none(), "there is no such cluster");
    let a = working(&store, "a", &acts).await;
    assert!(a.router().until(all_owned).await);
    a.leave().await.unwrap();
    let written = store.put("orders/members/z", "no record".into(), When::Absent).await.unwrap();
    let refused = recoverer(&store).forecast().await.unwrap_err();
    assert!(refused.to_string().contains("members/z"), "{refused}");
    let tenure::store::Written::Stored(version) = written else { panic!("{written:?}") };
    store.delete("orders/members/z", &version).await.unwrap();
    assert!(recoverer(&store).forecast().await.unwrap().is_some());

    let page = store.get("orders/ledger/00000", None).await.unwrap();
    let tenure::store::Read::Found(page) = page else { panic!("{page:?}") };
    store.delete("orders/ledger/00000", &page.version).await.unwrap();
    let refused = recoverer(&store).forecast().await.unwrap_err();
    assert!(matches!(refused, RecoverError::Hindered(Hindrance::NoPage(0))), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_begin_at_once_one_is_told() {
    let (store, acts) = (Memory::new(), Acts::default());
    let a = working(&store, "a", &acts).await;
    assert!(a.router().until(all_owned).await);
    a.leave().await.unwrap();
    let (first, second) = (recoverer(&store), recoverer(&store));
    let (one, other) = (first.forecast().await.unwrap().unwrap(), second.forecast().await.unwrap().unwrap());
    first.recover(&one, |_| {}).await.unwrap();
    let refused = second.recover(&other, |_| {}).await.unwrap_err();
    assert!(matches!(refused, RecoverError::Contested(_)), "{refused}");
    assert!(Cluster::find(store, &orders()).await.unwrap().is_some(), "what the first one did stands");
}
