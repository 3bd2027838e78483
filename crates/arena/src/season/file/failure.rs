//! What is wrong with a round file, and where.

use std::fmt;

use ludus_games::Seat;

use super::{PublicKey, VERSION};
use crate::replay::{Difference, ReadError, Unplayable};
use crate::season::{Author, FieldError, Hash, MatchId, NoRound};

/// What is wrong with a round file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub at: Place,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    File,
    /// A stage as a whole, counted from 1.
    Stage(u32),
    Match(MatchId),
}

/// Why a round file proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("it is no round file")]
    NoRoundFile,
    #[error("it is a round file of format {0}, and this version of Ludus reads up to {VERSION}: use a later one")]
    Newer(u16),
    #[error("it breaks off, or bytes were added to it")]
    Length,
    #[error("the signature is not that of the key {0}: the manifest, the key or the signature was changed")]
    Signature(PublicKey),
    #[error("it is signed by the key {found}, not by {expected}")]
    Key { found: PublicKey, expected: PublicKey },
    #[error("the manifest cannot be read: {0}")]
    Manifest(String),
    #[error("the manifest is not written in the one way that counts")]
    OddManifest,
    #[error("the manifest has a text that is too long: '{}…'", .0.escape_debug())]
    LongText(String),
    #[error("the commitment is {found}, and {published} was published")]
    Published { found: Hash, published: Hash },
    #[error("the seed does not belong to the commitment")]
    Commitment,
    #[error("the players are not in the order of their authors")]
    PlayersUnsorted,
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error(transparent)]
    NoRound(#[from] NoRound),
    #[error("the game '{}' is not one that this version of Ludus knows", .0.escape_debug())]
    UnknownGame(String),
    #[error("the reserve '{}' does not come with the game", .0.escape_debug())]
    UnknownReserve(String),
    #[error("the round was over before it")]
    AfterTheEnd,
    #[error("the round is not over after the last stage")]
    NotOver,
    #[error("it has {found} matches, and must have {expected}")]
    Matches { found: usize, expected: usize },
    #[error("it is of the wrong kind")]
    Kind,
    #[error("seat {} has {found}, and the draw gives it to {expected}", .seat.ordinal())]
    Seat { seat: Seat, found: String, expected: String },
    #[error("its seed is {found}, and the draw gives {expected}")]
    Seed { found: i32, expected: i32 },
    #[error("{author} is {}listed as saved, against the scores", if *.listed { "" } else { "not " })]
    Saved { author: Author, listed: bool },
    #[error("the list of those saved is not one of authors in it, in their order")]
    SavedOdd,
    #[error("{found} is named as eliminated, and it must be {expected}")]
    Eliminated { found: String, expected: String },
    #[error("the replay was changed: its SHA-256 is not the one of the manifest")]
    ReplayHash,
    #[error("the replay cannot be read: {0}")]
    Replay(#[from] ReadError),
    #[error("the replay is of another match: {0} differs")]
    OtherMatch(&'static str),
    #[error("seat {}: the replay has another {what} than the round", .seat.ordinal())]
    OtherSeat { seat: Seat, what: &'static str },
    #[error("the replay cannot be played: {0}")]
    Unplayable(#[from] Unplayable),
    #[error("played again, the replay is not identical: {0}")]
    Differs(Difference),
    #[error("the module of {player} was changed: its SHA-256 is {found}, not {expected}")]
    Module { player: String, found: String, expected: String },
    #[error("the file has {found} modules, and must have {expected} or none")]
    Modules { found: u32, expected: usize },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            // There is no stage at all.
            Place::File | Place::Stage(0) => Ok(()),
            Place::Stage(stage) => write!(f, "stage {stage}: "),
            Place::Match(id) => write!(f, "{id}: "),
        }?;
        self.reason.fmt(f)
    }
}

impl std::error::Error for Failure {}
