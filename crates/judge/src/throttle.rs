//! The brake on guessing passwords.
//!
//! Failures are counted for an account by the place they come from, and for an
//! account in all; each count makes the next attempt wait, longer and longer,
//! and closes no door. A browser that has signed in before is counted by
//! itself, so that strangers cannot make its owner wait. Nothing is counted for
//! a place as such, because a whole classroom may share it. Who asks for addresses
//! of friends that nobody has waits in the same way, and who says wrong addresses behind
//! the link of a group, for seconds only: a classroom opens it together.
//!
//! In memory: a restart forgives, which no attacker can cause.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::ids::AccountId;
use crate::web::place::Place;

/// Where an attempt comes from: a browser that the account knows, or a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The hash of the browser's token.
    Known(String),
    Stranger(Place),
}

/// How a count makes attempts wait.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Failures without a delay.
    free: u32,
    /// After how many more failures the delay doubles.
    doubles: u32,
    longest: Duration,
}

/// In a day at most 5 + 9 + 86400 / 300 = 302 guesses.
const OF_SOURCE: Pace = Pace { free: 5, doubles: 1, longest: Duration::from_secs(300) };
/// Of all strangers together, from any number of places: at most
/// 300 + 70 + 86400 / 60 = 1810 guesses in a day.
const OF_ACCOUNT: Pace = Pace { free: 300, doubles: 10, longest: Duration::from_secs(60) };

/// Behind the link of a group: some thousand addresses in a day, and nobody of the same
/// classroom waits for long.
const OF_LINK: Pace = Pace { free: 30, doubles: 2, longest: Duration::from_secs(15) };

impl Pace {
    fn delay(self, failures: u32) -> Duration {
        let over = failures.saturating_sub(self.free);
        if over == 0 {
            return Duration::ZERO;
        }
        let doubled = 1_u64.checked_shl((over - 1) / self.doubles).unwrap_or(u64::MAX);
        Duration::from_secs(doubled).min(self.longest)
    }
}

/// After this time without a failure everything is forgotten.
const MEMORY: Duration = Duration::from_secs(86_400);
/// Sources that are told apart for one account.
const MOST_SOURCES: usize = 64;
/// Addresses without an account that are remembered.
const MOST_UNKNOWN: usize = 100_000;

#[derive(Clone, Copy, Debug)]
struct Count {
    failures: u32,
    last: Instant,
}

impl Count {
    fn wait(&self, pace: Pace, time: Instant) -> Duration {
        if self.is_old(time) {
            return Duration::ZERO;
        }
        (self.last + pace.delay(self.failures)).saturating_duration_since(time)
    }

    fn add(&mut self, time: Instant) {
        let failures = if self.is_old(time) { 0 } else { self.failures };
        *self = Count { failures: failures.saturating_add(1), last: time };
    }

    fn is_old(&self, time: Instant) -> bool {
        time.saturating_duration_since(self.last) > MEMORY
    }
}

/// What is counted about one e-mail address.
#[derive(Debug)]
struct Target {
    strangers: Count,
    sources: HashMap<Source, Count>,
}

#[derive(Debug, Default)]
pub struct Throttle {
    /// By the account's id, so that there are never more than accounts.
    accounts: Mutex<HashMap<AccountId, Target>>,
    /// By the hash of an e-mail address that nobody has. Counted all the same,
    /// so that waiting does not tell who has an account.
    unknown: Mutex<HashMap<u64, Target>>,
    /// By the hash of the link of a group that works, so that there are never more than groups.
    links: Mutex<HashMap<String, Target>>,
    /// Addresses that nobody has, by who asked for them.
    asked: Mutex<HashMap<AccountId, Count>>,
    hasher: RandomState,
    /// A clock that stands still, for tests.
    stopped: Option<Mutex<Instant>>,
}

/// Whom somebody tries to be.
#[derive(Clone, Copy, Debug)]
pub enum Who<'a> {
    Account(AccountId),
    Nobody(&'a str),
    /// Whoever comes by the link of a group.
    Link(&'a str),
}

impl Throttle {
    /// A throttle for which no time passes but what `pass` says.
    pub fn with_stopped_clock() -> Throttle {
        Throttle { stopped: Some(Mutex::new(Instant::now())), ..Throttle::default() }
    }

    /// Lets time pass on a stopped clock.
    pub fn pass(&self, time: Duration) {
        if let Some(stopped) = &self.stopped {
            *stopped.lock().unwrap_or_else(PoisonError::into_inner) += time;
        }
    }

    pub fn now(&self) -> Instant {
        let stopped = self.stopped.as_ref().map(|time| *time.lock().unwrap_or_else(PoisonError::into_inner));
        stopped.unwrap_or_else(Instant::now)
    }

    /// Counts an attempt, or says how long to wait. It is counted as a failure
    /// before its password is checked, because many may be under way at once.
    pub fn admit(&self, who: Who, source: &Source, time: Instant) -> Result<(), Duration> {
        let new = || Target::new(time);
        match who {
            Who::Account(id) => {
                let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
                accounts.entry(id).or_insert_with(new).admit(OF_SOURCE, source, time)
            }
            Who::Link(hash) => {
                let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
                links.retain(|_, target| !target.strangers.is_old(time));
                links.entry(hash.to_owned()).or_insert_with(new).admit(OF_LINK, source, time)
            }
            Who::Nobody(email) => {
                let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
                let key = self.hasher.hash_one(email);
                if unknown.len() >= MOST_UNKNOWN && !unknown.contains_key(&key) {
                    forget(&mut unknown, time);
                }
                unknown.entry(key).or_insert_with(new).admit(OF_SOURCE, source, time)
            }
        }
    }

    /// Whether somebody may ask who has an address, who has not asked in vain too
    /// often: nobody finds out by trying who takes part.
    pub fn may_ask(&self, account: AccountId, time: Instant) -> bool {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(&account).is_none_or(|count| count.wait(OF_SOURCE, time).is_zero())
    }

    /// Counts that somebody has asked for an address that nobody has.
    pub fn asked_in_vain(&self, account: AccountId, time: Instant) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.entry(account).or_insert(Count { failures: 0, last: time }).add(time);
    }

    /// Takes back what a success was counted as, and forgets the failures of
    /// its source: whoever knows the password had typed it wrong.
    pub fn succeeded(&self, account: AccountId, source: &Source) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(target) = accounts.get_mut(&account) else { return };
        target.sources.remove(source);
        if matches!(source, Source::Stranger(_)) {
            target.strangers.failures = target.strangers.failures.saturating_sub(1);
        }
    }
}

impl Throttle {
    /// Takes back one attempt at the link of a group, which was none.
    pub fn forgive(&self, link: &str, source: &Source) {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(target) = links.get_mut(link) {
            target.strangers.failures = target.strangers.failures.saturating_sub(1);
            if let Some(count) = target.sources.get_mut(source) {
                count.failures = count.failures.saturating_sub(1);
            }
        }
    }
}

/// Makes room among addresses that nobody has. Nothing is lost with them: there
/// is no password to be guessed.
fn forget(unknown: &mut HashMap<u64, Target>, time: Instant) {
    unknown.retain(|_, target| !target.strangers.is_old(time));
    if unknown.len() >= MOST_UNKNOWN {
        let oldest = unknown.keys().take(MOST_UNKNOWN / 10).copied().collect::<Vec<_>>();
        for key in oldest {
            unknown.remove(&key);
        }
    }
}

impl Target {
    fn new(time: Instant) -> Target {
        Target { strangers: Count { failures: 0, last: time }, sources: HashMap::new() }
    }

    fn admit(&mut self, of_source: Pace, source: &Source, time: Instant) -> Result<(), Duration> {
        let is_stranger = matches!(source, Source::Stranger(_));
        let own = self.sources.get(source).map_or(Duration::ZERO, |count| count.wait(of_source, time));
        let all = if is_stranger { self.strangers.wait(OF_ACCOUNT, time) } else { Duration::ZERO };
        let wait = own.max(all);
        if !wait.is_zero() {
            return Err(wait);
        }
        if is_stranger {
            self.strangers.add(time);
        }
        if self.sources.len() >= MOST_SOURCES && !self.sources.contains_key(source) {
            self.make_room(time);
        }
        self.sources.entry(source.clone()).or_insert(Count { failures: 0, last: time }).add(time);
        Ok(())
    }

    /// Whoever has failed least is forgotten: many fresh places do not wash
    /// away the count of one that has been busy, and are counted in all anyway.
    fn make_room(&mut self, time: Instant) {
        let least = self.sources.iter().min_by_key(|(_, count)| if count.is_old(time) { 0 } else { count.failures });
        if let Some(least) = least.map(|(source, _)| source.clone()) {
            self.sources.remove(&least);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const DAY: u64 = 86_400;

    fn stranger(number: u32) -> Source {
        Source::Stranger(Place::V4(number.to_be_bytes()))
    }

    /// How many guesses are let through in a day, tried every five seconds from each place.
    fn guesses(places: u32) -> u32 {
        let (throttle, start) = (Throttle::default(), Instant::now());
        let mut let_through = 0;
        for second in (0..DAY).step_by(5) {
            let time = start + Duration::from_secs(second);
            for place in 0..places {
                let_through += u32::from(throttle.admit(Who::Account(AccountId(1)), &stranger(place), time).is_ok());
            }
        }
        let_through
    }

    #[test]
    fn guesses_of_a_day_are_bounded() {
        for (places, least, most) in [(1, 290, 302), (100, 1500, 1810)] {
            let found = guesses(places);
            assert!((least..=most).contains(&found), "{found} guesses from {places} places");
        }
    }

    #[test]
    fn delays_grow_and_no_door_closes() {
        let (throttle, mut time) = (Throttle::default(), Instant::now());
        for _ in 0..=OF_SOURCE.free {
            assert_eq!(throttle.admit(Who::Account(AccountId(1)), &stranger(1), time), Ok(()));
        }
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            assert_eq!(throttle.admit(Who::Account(AccountId(1)), &stranger(1), time), Err(seconds * SECOND));
            let other = format!("other{seconds}@x.edu");
            assert_eq!(throttle.admit(Who::Nobody(&other), &stranger(1), time), Ok(()), "others do not wait");
            time += seconds * SECOND;
            assert_eq!(throttle.admit(Who::Account(AccountId(1)), &stranger(1), time), Ok(()));
        }
    }

    #[test]
    fn strangers_lock_nobody_out() {
        let (throttle, time) = (Throttle::default(), Instant::now());
        let own = Source::Known("browser".to_owned());
        for second in 0..3600 {
            for place in 0..8 {
                let _ = throttle.admit(Who::Account(AccountId(1)), &stranger(place), time + second * SECOND);
            }
        }
        let later = time + 3600 * SECOND;
        assert!(throttle.admit(Who::Account(AccountId(1)), &own, later).is_ok(), "a browser that the account knows");
        assert!(throttle.admit(Who::Account(AccountId(1)), &stranger(99), later).is_ok(), "a new browser elsewhere");
        for account in 2..500 {
            assert!(
                throttle.admit(Who::Account(AccountId(account)), &stranger(0), later).is_ok(),
                "others of the same place"
            );
        }
        for place in 100..1000 {
            let _ = throttle.admit(Who::Account(AccountId(1)), &stranger(place), later);
        }
        let wait = throttle.admit(Who::Account(AccountId(1)), &stranger(1000), later).unwrap_err();
        assert!(wait <= OF_ACCOUNT.longest, "even many places make strangers wait for a minute only");
        assert!(throttle.admit(Who::Account(AccountId(1)), &own, later).is_ok());
    }

    #[test]
    fn floods_wash_nothing_away() {
        let (throttle, time) = (Throttle::default(), Instant::now());
        for _ in 0..=OF_SOURCE.free {
            let _ = throttle.admit(Who::Account(AccountId(1)), &stranger(1), time);
        }
        for number in 0..2 * MOST_UNKNOWN {
            let _ = throttle.admit(Who::Nobody(&number.to_string()), &stranger(2), time);
        }
        for place in 10..10 + 2 * MOST_SOURCES as u32 {
            let _ = throttle.admit(Who::Account(AccountId(1)), &stranger(place), time);
        }
        assert!(throttle.admit(Who::Account(AccountId(1)), &stranger(1), time).is_err());
        assert!(throttle.unknown.lock().unwrap().len() <= MOST_UNKNOWN);
        assert!(throttle.accounts.lock().unwrap()[&AccountId(1)].sources.len() <= MOST_SOURCES);
    }

    #[test]
    fn who_signs_in_is_not_counted_and_time_forgives() {
        let (throttle, time) = (Throttle::default(), Instant::now());
        for _ in 0..1000 {
            assert!(throttle.admit(Who::Account(AccountId(1)), &stranger(1), time).is_ok());
            throttle.succeeded(AccountId(1), &stranger(1));
        }
        for second in 0..10 {
            let _ = throttle.admit(Who::Account(AccountId(1)), &stranger(1), time + second * SECOND);
        }
        let later = time + MEMORY + 20 * SECOND;
        for _ in 0..OF_SOURCE.free {
            assert!(throttle.admit(Who::Account(AccountId(1)), &stranger(1), later).is_ok());
        }
    }
}
