//! The official season: who takes part, rounds, who is out.
//!
//! `ludus_arena::season` says what a round is; here it is kept and played. What
//! is stored of a round is its seed, its frozen field and the results of its
//! matches, and everything else is worked out from these each time it is needed.
//! So whoever is killed at any moment leaves a round that goes on as it would
//! have: the same groups, the same seeds of matches, the same elimination.
//!
//! - `entrants`: the groups of a season, and the list that is made at the deadline.
//! - `awaited`: players whose verdict that list waits for.
//! - `representatives`: which player stands for whom.
//! - `rounds`: rounds as they are stored, and put together again.
//! - `progress`: the steps of a round, each of them one transaction.
//! - `playing`: a job that plays matches of a round; `overruns`: players that run
//!   past their CPU time in it.
//! - `standing`: who is still in, and who left when.
//! - `schedule`: when rounds start; `director`: starts them.
//! - `finals`: rounds down to one champion; `final_director`: plays them in advance;
//!   `show`: reveals them step by step.
//! - `proof`: round files, and the key that signs them.
//! - `board`: a season as pages show it.

pub mod awaited;
pub mod board;
pub mod director;
pub mod entrants;
pub mod final_director;
pub mod finals;
pub mod overruns;
pub mod playing;
pub mod progress;
pub mod proof;
pub mod representatives;
pub mod rounds;
pub mod schedule;
pub mod show;
pub mod standing;

use crate::ids::AccountId;

/// The account that official work is done for in the queue: nobody's own.
pub const NOBODY: AccountId = AccountId(-1);
