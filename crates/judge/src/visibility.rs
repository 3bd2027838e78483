//! Who may see what: one rule for each noun, which statements and pages ask.
//!
//! Lists are cut into pages by the database, so that the rules are conditions of
//! statements, and looking one thing up asks the same condition. In all of them
//! `$1` says whether the viewer sees everything and `$2` is the viewer's account.

use crate::accounts::Account;
use crate::ids::AccountId;
use crate::matches::SeatResult;

/// Somebody who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// None for whoever is not signed in.
    pub account: Option<AccountId>,
    /// Instructors see everything.
    pub sees_all: bool,
}

impl Viewer {
    pub fn of(account: Option<&Account>) -> Viewer {
        Viewer { account: account.map(|account| account.id), sees_all: account.is_some_and(Account::is_instructor) }
    }

    /// The two values that the conditions begin with.
    pub(crate) fn values(self) -> (i64, AccountId) {
        // No account has the number zero.
        (i64::from(self.sees_all), self.account.unwrap_or(AccountId(0)))
    }

    /// What a player wrote is for its author and the instructors.
    pub fn may_read_output(self, seat: &SeatResult) -> bool {
        seat.author.is_some_and(|author| self.sees_all || self.account == Some(author))
    }
}

/// A submission `s` is for its author.
macro_rules! submission_is_visible {
    () => {
        "($1 = 1 OR s.account_id = $2)"
    };
}

/// A match `m`, beside the submission `p` that it verifies, if it does. A veiled
/// one is nobody's yet. Official ones are for everybody; all others for whoever
/// is signed in, but while the player that one verifies is not accepted, for its
/// author alone.
macro_rules! match_is_visible {
    () => {
        "($1 = 1 OR (m.veiled = 0 AND (m.purpose = 'official' OR ($2 <> 0 AND (m.submission_id IS NULL
          OR (p.stage = 'accepted' AND p.retired_at IS NULL) OR p.account_id = $2)))))"
    };
}

pub(crate) use {match_is_visible, submission_is_visible};
