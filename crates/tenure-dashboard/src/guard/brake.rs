//! A brake on guesses: after a wrong token a client must wait before the next is even looked at, longer each time.
//!
//! It is kept for each address, for few of them, and forgotten after a while. Only those who name a token are braked: questions
//! without one, such as probes, never are.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use tenure_core::moment::Moment;

/// So many wrong tokens cost nothing: people mistype.
const FREE: u32 = 5;

/// The first pause; each wrong token doubles it.
const PAUSE: Duration = Duration::from_secs(1);

/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// After so long without a wrong token all is forgotten.
const MEMORY: Duration = Duration::from_secs(600);

/// So many addresses are remembered.
const ADDRESSES_MAX: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Guesser {
    wrong: u32,
    last: Moment,
}

impl Guesser {
    fn free_at(&self) -> Moment {
        match self.wrong.checked_sub(FREE) {
            None => self.last,
            Some(more) => self.last + PAUSE.saturating_mul(1 << more.min(6)).min(PAUSE_MAX),
        }
    }
}

/// Who guessed, and how often.
#[derive(Debug, Default)]
pub(super) struct Brake {
    guessers: BTreeMap<IpAddr, Guesser>,
}

impl Brake {
    /// Whether a token from this address may be looked at now; else for how long not.
    pub(super) fn allows(&self, now: Moment, from: IpAddr) -> Result<(), Duration> {
        let free_at = self.guessers.get(&key(from)).map_or(now, Guesser::free_at);
        if free_at <= now { Ok(()) } else { Err(free_at.since(now)) }
    }

    /// A token from there was wrong.
    pub(super) fn wrong(&mut self, now: Moment, from: IpAddr) {
        self.guessers.retain(|_, guesser| now.since(guesser.last) < MEMORY);
        if self.guessers.len() >= ADDRESSES_MAX && !self.guessers.contains_key(&key(from)) {
            let oldest = self.guessers.iter().min_by_key(|(_, guesser)| guesser.last).map(|(from, _)| *from);
            oldest.map(|oldest| self.guessers.remove(&oldest));
        }
        let guesser = self.guessers.entry(key(from)).or_insert(Guesser { wrong: 0, last: now });
        (guesser.wrong, guesser.last) = (guesser.wrong.saturating_add(1), now);
    }

    /// A token from there was right.
    pub(super) fn right(&mut self, from: IpAddr) {
        self.guessers.remove(&key(from));
    }
}

/// A client with one address of IPv6 has a whole network of them.
fn key(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::ZERO + Duration::from_secs(seconds)
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_few_slips_are_free_and_each_further_one_doubles_the_pause() {
        let (mut brake, eve) = (Brake::default(), address("10.0.0.1"));
        for _ in 0..4 {
            brake.wrong(at(0), eve);
            assert_eq!(brake.allows(at(0), eve), Ok(()));
        }
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            brake.wrong(at(0), eve);
            assert_eq!(brake.allows(at(0), eve), Err(Duration::from_secs(pause)));
            assert_eq!(brake.allows(at(pause), eve), Ok(()));
        }
        assert_eq!(brake.allows(at(0), address("10.0.0.2")), Ok(()));
        brake.right(eve);
        assert_eq!(brake.allows(at(0), eve), Ok(()));
    }

    #[test]
    fn a_network_of_ipv6_is_one_guesser() {
        let mut brake = Brake::default();
        (1..=8).for_each(|host| brake.wrong(at(0), address(&format!("2001:db8::{host}"))));
        assert!(brake.allows(at(0), address("2001:db8::99")).is_err());
        assert!(brake.allows(at(0), address("2001:db8:0:1::99")).is_ok());
    }

    #[test]
    fn few_are_remembered_and_none_for_long() {
        let mut brake = Brake::default();
        for number in 0..5000_u32 {
            brake.wrong(at(0), IpAddr::V4(number.into()));
        }
        assert_eq!(brake.guessers.len(), ADDRESSES_MAX);
        brake.wrong(at(700), address("10.0.0.1"));
        assert_eq!(brake.guessers.len(), 1);
    }
}
