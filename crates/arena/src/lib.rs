//! Matches between four players, one or a hundred thousand.
//!
//! The rules come from `ludus-games`; this crate asks the players, counts
//! their calls, freezes the ones at fault, and says who won. On that it builds
//! what needs many matches: a balanced [`Schedule`], work on every core with
//! results in order ([`in_order`]), a [`Tally`] with intervals and ratings, and
//! the sequential test of a [`Comparison`]; and for courses the official
//! [`season`]. It knows no game by name.
//!
//! # A match
//!
//! ```
//! use ludus_arena::Match;
//!
//! let game = ludus_games::find("ants").expect("it is in the registry");
//! let config = game.read_config(game.about().default_config.as_bytes())?;
//! let named = |name| game.about().player(name).expect("every game has it");
//! let (demo, dummy) = (named("Demo"), named("Dummy"));
//! let outcome = Match::between(&*config, 30, [dummy, demo, demo, demo])?.play_out()?;
//! assert_eq!(outcome.seats[0].rank, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A schedule, on two cores
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::sync::atomic::AtomicBool;
//!
//! use ludus_arena::{Entrant, Schedule, Seatings, Tally, builtin, in_order, play, start};
//!
//! let game = ludus_games::find("purge").expect("it is in the registry");
//! let config = game.read_config(game.about().default_config.as_bytes())?;
//! let named = |name| game.about().player(name).expect("every game has it");
//! let contestants = [named("Null"), named("Demo"), named("Demo"), named("Demo")];
//! let enter = |contestant: usize, seed, seat| {
//!     let player = contestants[contestant];
//!     Entrant { name: player.name.to_owned(), player: builtin(player, seed, seat) }
//! };
//!
//! let schedule = Schedule::with_matches(contestants.len(), 16, Seatings::Square, 1)?;
//! let mut tally = Tally::new(contestants.len());
//! in_order(
//!     2,
//!     0..schedule.len(),
//!     &AtomicBool::new(false),
//!     |number| play(&mut start(&*config, &schedule.fixture(number), enter)?, &mut []),
//!     |number, played| {
//!         tally.add(&schedule.fixture(number), &played);
//!         ControlFlow::Continue(())
//!     },
//! )?;
//! assert_eq!(tally.matches(), 16);
//! assert!(tally.standing(0).rank.value > 2.5, "who does nothing is below the middle");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A game, round by round
//!
//! Without players, with orders of your own, back and forth in time: an engine
//! plays rounds, and a snapshot of it is a copy that goes its own way. Taking
//! one takes microseconds (`cargo bench -p ludus-arena -- snapshot`).
//!
//! ```
//! use ludus_games::{Orders, PerSeat, Seat};
//!
//! let game = ludus_games::find("ants").expect("it is in the registry");
//! let config = game.read_config(game.about().default_config.as_bytes())?;
//! let mut engine = config.start(30)?;
//!
//! // Seat 0 asks its unit 0 to go in direction 2. What becomes of an order is
//! // for the rules to say: nothing, if the unit is not its own.
//! let mut asked = PerSeat::<Orders>::default();
//! asked[0].push(&[0, 0, 2]);
//! let mut orders = PerSeat::<Orders>::default();
//! for seat in Seat::ALL {
//!     engine.accept(seat, &asked[seat], &mut orders[seat])?;
//! }
//!
//! let before = engine.snapshot();
//! engine.step(&orders)?;
//! let after = engine.digest();
//!
//! // Back to the round before, and once more: the same orders, the same state.
//! engine = before.snapshot();
//! assert_eq!(engine.state().round(), 0);
//! engine.step(&orders)?;
//! assert_eq!((engine.state().round(), engine.digest()), (1, after));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod behaviour;
mod driver;
mod estimate;
pub mod ladder;
mod match_file;
mod paired;
mod played;
mod player;
mod players;
mod pool;
mod program;
mod rating;
pub mod replay;
mod schedule;
pub mod season;
mod sequential;
pub mod spoil;
mod tally;
pub mod tune;

pub use behaviour::{Behaviour, Decisions, Noted, shadow};
pub use driver::{Halt, Match, Observer, OrderSource};
pub use estimate::{Estimate, Sums, student, wilson};
pub use match_file::{Ending, MatchFile, OpenError, Playback};
pub use paired::Pairing;
pub use played::{Course, NotPlayed, Played, play, start};
pub use player::{Fault, MOST_WORDS, MOST_WORDS_IN_MATCH, Player, Turn, Views, barred, builtin, through};
pub use players::{Entrant, Outcome, Players, SeatOutcome, rank};
pub use pool::{CALL_STACK, PLAYING_STACK, in_order};
pub use program::{Allowance, Program};
pub use rating::{Rating, rate};
pub use schedule::{Fixture, MOST_CONTESTANTS, Schedule, ScheduleError, Seatings};
pub use sequential::{Answer, Comparison, Demands, DemandsError, Evidence, PARTS};
pub use tally::{Standing, Tally};
