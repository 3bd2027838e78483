//! Who follows what in this process, and what was written for them.

pub mod finals;
pub mod followers;
mod pieces;
pub mod rounds;
mod verifications;

use std::time::Duration;

use crate::ids::SeasonId;
use crate::texts::Language;

use finals::Finals;
pub use followers::{Follower, Followers};
use pieces::{Pieces, UnderWay};
use rounds::Rounds;
pub use verifications::Verifications;

#[derive(Debug)]
pub struct Following {
    pub verifications: Followers<Verifications>,
    pub rounds: Followers<Rounds>,
    pub finals: Followers<Finals>,
    /// What was written of shows of finals.
    pub shows: Pieces<finals::Seen>,
    /// What was written of ladders.
    pub ladders: Pieces<Seen>,
    /// Lists that are being written.
    pub lists: UnderWay,
}

/// What decides what somebody sees of a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    pub season: SeasonId,
    pub page: i64,
    pub language: Language,
    pub names: bool,
    pub is_guest: bool,
}

impl Default for Following {
    fn default() -> Self {
        Following::new(1000)
    }
}

impl Following {
    /// At most so many streams of each kind.
    pub fn new(most: usize) -> Following {
        Following {
            verifications: Followers::new(most),
            rounds: Followers::new(most),
            finals: Followers::new(most),
            // Somebody may have got another name.
            shows: Pieces::kept_for(Duration::from_secs(60)),
            ladders: Pieces::kept_for(Duration::from_secs(1)),
            lists: UnderWay::default(),
        }
    }
}
