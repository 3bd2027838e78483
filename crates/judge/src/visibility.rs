//! Who may see what: one rule for each noun, which statements and pages ask.
//!
//! Lists are cut into pages by the database, so that the rules are conditions of
//! statements, and looking one thing up asks the same condition. In all of them
//! `$1` says whether the viewer sees everything and `$2` is the viewer's account.

use crate::accounts::Account;
use crate::course::Names;
use crate::ids::AccountId;
use crate::matches::{Match, SeatResult};
use crate::sharing::Audience;

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

    /// Whoever has the link of a match may watch it, but for veiled ones and those
    /// of training: what that came to is for the authors of all four players, and
    /// none gives it away for another.
    pub fn may_watch_by_link(self, found: &Match) -> bool {
        found.is_shared() && (self.sees_all || !found.is_veiled)
    }

    /// A module that is given out is for whoever has its link, or for those of
    /// them who are friends of its author.
    pub fn may_take_module(self, audience: Audience, author: AccountId, are_friends: bool) -> bool {
        match audience {
            Audience::Everybody => true,
            Audience::Friends => {
                self.sees_all || self.account == Some(author) || (self.account.is_some() && are_friends)
            }
        }
    }

    /// The names of students are for those whom the course shows them to.
    pub fn sees_names(self, names: Names) -> bool {
        match names {
            Names::Players => self.sees_all,
            Names::SignedIn => self.account.is_some(),
            Names::Everybody => true,
        }
    }
}

/// A submission `s` is for its author.
macro_rules! submission_is_visible {
    () => {
        "($1 = 1 OR s.account_id = $2)"
    };
}

/// A player, which is a submission `s` that was accepted once, is for whoever is
/// signed in, as far as its name, its author and its results go.
macro_rules! player_is_visible {
    () => {
        "($1 = 1 OR s.account_id = $2 OR ($2 <> 0 AND s.stage = 'accepted'))"
    };
}

/// A set of training matches `t` is for the authors of the players in it.
macro_rules! training_is_visible {
    () => {
        "($1 = 1 OR EXISTS (SELECT 1 FROM training_players tp JOIN submissions ts ON ts.id = tp.submission_id
          WHERE tp.training_id = t.id AND ts.account_id = $2))"
    };
}

/// An accepted player `s` that somebody may meet in training, as far as it alone
/// decides: one's own, a public one, a friend's.
macro_rules! player_may_be_met {
    () => {
        "(s.stage = 'accepted' AND s.retired_at IS NULL AND ($1 = 1 OR s.account_id = $2 OR s.public_at IS NOT NULL
          OR EXISTS (SELECT 1 FROM friends f JOIN friends g ON g.account_id = f.friend_id AND g.friend_id = f.account_id
          WHERE f.account_id = $2 AND f.friend_id = s.account_id)))"
    };
}

/// A match `m`, beside the submission `p` that it verifies, if it does. A veiled
/// one is nobody's yet. Official ones and those of the ladder are for everybody;
/// those of training for the authors of their players; all others for whoever is
/// signed in, but while the player that one verifies is not accepted, for its
/// author alone.
///
/// With a purpose it is the rule for matches of that purpose. A list asks them one
/// by one, each along an index, so that it never goes through matches that the
/// viewer may not see.
macro_rules! match_is_visible {
    () => {
        concat!(
            "($1 = 1 OR (",
            match_is_visible!("official"),
            " OR ",
            match_is_visible!("ladder"),
            " OR ",
            match_is_visible!("verification"),
            " OR ",
            match_is_visible!("demonstration"),
            " OR (m.purpose = 'training' AND m.veiled = 0 AND EXISTS (SELECT 1 FROM seats ms JOIN submissions mp
              ON mp.id = ms.submission_id WHERE ms.match_id = m.id AND mp.account_id = $2))))"
        )
    };
    ("official") => {
        "(m.purpose = 'official' AND m.veiled = 0)"
    };
    ("ladder") => {
        "(m.purpose = 'ladder' AND m.veiled = 0)"
    };
    ($purpose:literal) => {
        concat!(
            "($2 <> 0 AND m.purpose = '",
            $purpose,
            "' AND m.veiled = 0 AND (m.submission_id IS NULL
              OR (p.stage = 'accepted' AND p.retired_at IS NULL) OR p.account_id = $2))"
        )
    };
}

pub(crate) use {match_is_visible, player_is_visible, player_may_be_met, submission_is_visible, training_is_visible};
