//! A small play for those who only watch: one member is killed, one is added, one is frozen and thawed.

use std::time::Duration;

use tenure::MemberId;

use super::show::{Blow, Order, Show, ShownMember};

/// What happens next, at which share of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    Kill,
    Add,
    Freeze,
    Thaw,
}

const SCENES: [(f64, Scene); 4] =
    [(0.2, Scene::Kill), (0.35, Scene::Add), (0.5, Scene::Freeze), (0.85, Scene::Thaw)];

/// The play, as far as it has not been played.
#[derive(Clone, Debug)]
pub(super) struct Script {
    length: Duration,
    scenes: std::slice::Iter<'static, (f64, Scene)>,
}

impl Script {
    /// A play of this length.
    pub(super) fn new(length: Duration) -> Self {
        Self { length, scenes: SCENES.iter() }
    }

    /// What is to be done now. A scene waits for those before it, and the blows until all is well: one sees each by itself.
    pub(super) fn next(&mut self, show: &Show) -> Option<Order> {
        if show.now >= self.length {
            return Some(Order::Quit);
        }
        let (share, scene) = self.scenes.as_slice().first()?;
        if show.now < self.length.mul_f64(*share) || !is_ready(*scene, show) {
            return None;
        }
        self.scenes.next();
        order(*scene, show)
    }
}

fn is_ready(scene: Scene, show: &Show) -> bool {
    matches!(scene, Scene::Add | Scene::Thaw) || show.is_settled()
}

fn order(scene: Scene, show: &Show) -> Option<Order> {
    let mut running = show.members.iter().filter(|member| member.is_running());
    let strike = |member: Option<&ShownMember>, blow| member.map(|member| Order::Strike(id(member), blow));
    match scene {
        Scene::Kill => strike(running.next_back(), Blow::Kill),
        Scene::Add => Some(Order::Add),
        Scene::Freeze => strike(running.next(), Blow::Freeze),
        Scene::Thaw => {
            strike(show.members.iter().find(|member| member.is_alive() && !member.is_running()), Blow::Thaw)
        }
    }
}

fn id(member: &ShownMember) -> MemberId {
    member.id.clone()
}

#[cfg(test)]
mod tests {
    use super::super::cluster_view::{ClusterView, Seat};
    use super::super::show::{Happening, name};
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn show() -> Show {
        let mut show = Show::new(2, SECOND, false);
        (0..2).for_each(|number| show.handle(Happening::Started(name(number))));
        show
    }

    fn settle(show: &mut Show, owner: usize) {
        let seats = vec![Seat::Held(name(owner)); 2];
        show.handle(Happening::Saw(ClusterView { seats, ..ClusterView::default() }));
    }

    #[test]
    fn the_first_blow_waits_until_every_shard_has_an_owner() {
        let (mut script, mut show) = (Script::new(10 * SECOND), show());
        show.advance(3 * SECOND);
        assert_eq!(script.next(&show), None);
        settle(&mut show, 0);
        assert_eq!(script.next(&show), Some(Order::Strike(name(1), Blow::Kill)));
    }

    #[test]
    fn scenes_come_in_order_and_each_at_its_time() {
        let (mut script, mut show) = (Script::new(10 * SECOND), show());
        settle(&mut show, 0);
        assert_eq!(script.next(&show), None);
        show.advance(2 * SECOND);
        assert!(script.next(&show).is_some());
        assert_eq!(script.next(&show), None);
        show.advance(4 * SECOND);
        assert_eq!(script.next(&show), Some(Order::Add));
        assert_eq!(script.next(&show), None);
    }

    #[test]
    fn it_ends_in_time_whatever_is_left() {
        let (mut script, mut show) = (Script::new(10 * SECOND), show());
        show.advance(10 * SECOND);
        assert_eq!(script.next(&show), Some(Order::Quit));
    }
}
