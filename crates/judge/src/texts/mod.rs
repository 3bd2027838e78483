//! What the pages say, in every language.

macro_rules! texts {
    ($all:ident; $($name:ident: $en:literal, $ca:literal, $es:literal;)*) => {
        $(pub const $name: Text = Text([$en, $ca, $es], stringify!($name));)*
        /// Every text with its name, for the test that walks them.
        #[cfg(test)]
        pub const $all: &[(&str, Text)] = &[$((stringify!($name), $name),)*];
    };
}

mod api;
mod course;
mod face;
mod faults;
mod ladder;
mod likeness;
mod news;
mod official;
mod sayings;
mod show;
mod table;
mod training;
mod workers;

use ludus_arena::season::Decision;

use crate::accounts::Role;
use crate::actions::Action;
use crate::course::Names;
use crate::likeness::Opinion;
use crate::matches::Purpose;
use crate::official::rounds::State;
use crate::roster::{BadLine, BadPerson};
use crate::source::BadSource;
use crate::submissions::Stage;
use crate::tokens::Scope;
use crate::trouble::Trouble;
use crate::web::Theme;

pub use api::*;
pub use course::*;
pub use face::*;
pub use faults::*;
pub use ladder::*;
pub use likeness::*;
pub use news::*;
pub use official::*;
pub use sayings::*;
pub use show::*;
pub use table::*;
pub use training::*;
pub use workers::*;

/// A text in English, Catalan and Spanish, and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(pub [&'static str; 3], &'static str);

impl Text {
    /// By what programs know it when it says what is wrong: its name in small
    /// letters. Who renames a text renames what others look for.
    pub fn code(self) -> String {
        self.1.to_lowercase().replace('_', "-")
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    #[default]
    English,
    Catalan,
    Spanish,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::English, Language::Catalan, Language::Spanish];

    pub fn code(self) -> &'static str {
        ["en", "ca", "es"][self as usize]
    }

    /// The language's own name.
    pub fn name(self) -> &'static str {
        ["English", "Català", "Español"][self as usize]
    }

    pub fn of(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The first language of a browser's list that we speak.
    pub fn preferred(accepted: &str) -> Language {
        let codes = accepted.split(',').filter_map(|part| part.trim().get(..2));
        codes.into_iter().find_map(|code| Language::of(&code.to_lowercase())).unwrap_or_default()
    }

    pub fn of_text(self, text: Text) -> &'static str {
        text.0[self as usize]
    }

    /// A number with a decimal point as this language writes it.
    pub fn decimal(self, number: &str) -> String {
        if self == Language::English { number.to_owned() } else { number.replace('.', ",") }
    }
}

pub fn role(role: Role) -> Text {
    match role {
        Role::Student => STUDENT,
        Role::Instructor => INSTRUCTOR,
        Role::Spectator => SPECTATOR,
    }
}

/// What a token may do.
pub fn scope(scope: Scope) -> Text {
    match scope {
        Scope::Read => SCOPE_READ,
        Scope::Submit => SCOPE_SUBMIT,
        Scope::Train => SCOPE_TRAIN,
        Scope::Manage => SCOPE_MANAGE,
    }
}

pub fn purpose(purpose: Purpose) -> Text {
    match purpose {
        Purpose::Official => OFFICIAL,
        Purpose::Verification => VERIFICATION,
        Purpose::Training => TRAINING,
        Purpose::Ladder => LADDER,
        Purpose::Demonstration => DEMONSTRATION,
    }
}

pub fn theme(theme: Theme) -> Text {
    match theme {
        Theme::System => THEME_SYSTEM,
        Theme::Light => THEME_LIGHT,
        Theme::Dark => THEME_DARK,
    }
}

pub fn names(names: Names) -> Text {
    match names {
        Names::Players => NAMES_PLAYERS,
        Names::SignedIn => NAMES_SIGNED_IN,
        Names::Everybody => NAMES_EVERYBODY,
    }
}

/// Why somebody is out.
pub fn decision(by: Decision) -> Text {
    match by {
        Decision::Behind => OUT_BEHIND,
        Decision::Alone => OUT_ALONE,
        Decision::Draw => OUT_DRAW,
    }
}

pub fn round_state(state: State) -> Text {
    match state {
        State::Committed => ROUND_PREPARED,
        State::Playing => ROUND_PLAYING,
        State::Over => ROUND_OVER,
        State::Cancelled => ROUND_CANCELLED,
    }
}

pub fn stage(stage: Stage) -> Text {
    match stage {
        Stage::Waiting => STAGE_WAITING,
        Stage::Compiling => STAGE_COMPILING,
        Stage::Playing => STAGE_PLAYING,
        Stage::Accepted => STAGE_ACCEPTED,
        Stage::Rejected => STAGE_REJECTED,
        Stage::Retired => STAGE_RETIRED,
    }
}

/// What instructors think of two authors who share code.
pub fn likeness(state: Opinion) -> Text {
    match state {
        Opinion::New => LIKENESS_NEW,
        Opinion::Review => LIKENESS_REVIEW,
        Opinion::Dismissed => LIKENESS_DISMISSED,
        Opinion::Confirmed => LIKENESS_CONFIRMED,
    }
}

pub fn action(action: Action) -> Text {
    match action {
        Action::LateInGrace => DID_LATE_IN_GRACE,
        Action::LateByException => DID_LATE_BY_EXCEPTION,
        Action::GrantException => DID_GRANT_EXCEPTION,
        Action::WithdrawException => DID_WITHDRAW_EXCEPTION,
        Action::RetirePlayer => DID_RETIRE_PLAYER,
        Action::RestorePlayer => DID_RESTORE_PLAYER,
        Action::BarPlayer => DID_BAR_PLAYER,
        Action::MakeSeason => DID_MAKE_SEASON,
        Action::ChangeSeason => DID_CHANGE_SEASON,
        Action::ChangeCourse => DID_CHANGE_COURSE,
        Action::PublishNews => DID_PUBLISH_NEWS,
        Action::ChangeNews => DID_CHANGE_NEWS,
        Action::EndIncident => DID_END_INCIDENT,
        Action::MakeWorker => DID_MAKE_WORKER,
        Action::RevokeWorker => DID_REVOKE_WORKER,
        Action::SuspendWorker => DID_SUSPEND_WORKER,
        Action::AdmitWorker => DID_ADMIT_WORKER,
        Action::Invite => DID_INVITE,
        Action::ImportRoster => DID_IMPORT_ROSTER,
        Action::MakeLink => DID_MAKE_LINK,
        Action::ExportLinks => DID_EXPORT_LINKS,
        Action::SendLetters => DID_SEND_LETTERS,
        Action::ChangeLetter => DID_CHANGE_LETTER,
        Action::MakeGroupLink => DID_MAKE_GROUP_LINK,
        Action::RevokeGroupLink => DID_REVOKE_GROUP_LINK,
        Action::ClaimAccount => DID_CLAIM_ACCOUNT,
        Action::MovePeople => DID_MOVE_PEOPLE,
        Action::LockPeople => DID_LOCK_PEOPLE,
        Action::UnlockPeople => DID_UNLOCK_PEOPLE,
        Action::ArchiveSeason => DID_ARCHIVE_SEASON,
        Action::ReturnSeason => DID_RETURN_SEASON,
        Action::ChangePerson => DID_CHANGE_PERSON,
        Action::ChangeRole => DID_CHANGE_ROLE,
        Action::Lock => DID_LOCK,
        Action::Unlock => DID_UNLOCK,
        Action::ChangeSchedule => DID_CHANGE_SCHEDULE,
        Action::PauseSeason => DID_PAUSE_SEASON,
        Action::ResumeSeason => DID_RESUME_SEASON,
        Action::StartRound => DID_START_ROUND,
        Action::CancelRound => DID_CANCEL_ROUND,
        Action::UndoElimination => DID_UNDO_ELIMINATION,
        Action::WithdrawAuthor => DID_WITHDRAW_AUTHOR,
        Action::KeepAuthor => DID_KEEP_AUTHOR,
        Action::RetryRound => DID_RETRY_ROUND,
        Action::RejectPlayer => DID_REJECT_PLAYER,
        Action::TryAgain => DID_TRY_AGAIN,
        Action::TryAllAgain => DID_TRY_ALL_AGAIN,
        Action::SetGradeRule => DID_SET_GRADE_RULE,
        Action::CorrectGrade => DID_CORRECT_GRADE,
        Action::WithdrawCorrection => DID_WITHDRAW_CORRECTION,
        Action::ReviewLikeness => DID_REVIEW_LIKENESS,
        Action::CompareAgain => DID_COMPARE_AGAIN,
        Action::MakeFinal => DID_MAKE_FINAL,
        Action::PlayFinal => DID_PLAY_FINAL,
        Action::ShowFinal => DID_SHOW_FINAL,
        Action::CancelFinal => DID_CANCEL_FINAL,
    }
}

pub fn trouble(trouble: Trouble) -> Text {
    match trouble {
        Trouble::Disk => TROUBLE_DISK,
        Trouble::Files => TROUBLE_FILES,
        Trouble::Memory => TROUBLE_MEMORY,
        Trouble::Database => TROUBLE_DATABASE,
        Trouble::Store => TROUBLE_STORE,
        Trouble::Jail => TROUBLE_JAIL,
        Trouble::Workers => TROUBLE_WORKERS,
    }
}

/// What is wrong with a person's name or address.
pub fn bad_person(bad: BadPerson) -> Text {
    match bad {
        BadPerson::Name => ROSTER_NAME,
        BadPerson::Email => ROSTER_EMAIL,
    }
}

/// What is wrong with a line of a roster, with what goes into the text.
pub fn bad_line(what: &BadLine) -> (Text, &str) {
    match what {
        BadLine::Unreadable => (ROSTER_UNREADABLE, ""),
        BadLine::Columns(count) => (ROSTER_COLUMNS, count),
        BadLine::Person(BadPerson::Email, about) if about.is_empty() => (ROSTER_NO_EMAIL, ""),
        BadLine::Person(bad, about) => (bad_person(*bad), about),
        BadLine::Twice(email) => (ROSTER_TWICE, email),
        BadLine::Known(email) => (ROSTER_KNOWN_ABOUT, email),
        BadLine::TooMany(most) => (ROSTER_TOO_MANY, most),
        BadLine::Nobody => (ROSTER_EMPTY, ""),
    }
}

/// What is wrong with a source, with what goes into the text.
pub fn bad_source(what: &BadSource) -> (Text, [(&'static str, &str); 2]) {
    let (text, about, longest) = match what {
        BadSource::Empty => (FILE_EMPTY, "", ""),
        BadSource::TooLarge { most_kib } => (FILE_TOO_LARGE, most_kib.as_str(), ""),
        BadSource::Archive => (FILE_ARCHIVE, "", ""),
        BadSource::Binary => (FILE_BINARY, "", ""),
        BadSource::NotUtf8 => (FILE_NOT_UTF8, "", ""),
        BadSource::NoPlayer { example } => (NO_PLAYER, *example, ""),
        BadSource::TwoPlayers { second } => (TWO_PLAYERS, second.as_str(), ""),
        BadSource::NameLength { name, longest } => (NAME_LENGTH, name.as_str(), longest.as_str()),
        BadSource::NameLetters { name } => (NAME_LETTERS, name.as_str(), ""),
    };
    (text, [("about", about), ("longest", longest)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in braces of a text.
    fn holes(text: &str) -> Vec<&str> {
        let mut holes: Vec<&str> =
            text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or_default()).collect();
        holes.sort_unstable();
        holes
    }

    #[test]
    fn every_text_is_there_in_every_language() {
        assert!(ALL_TEXTS.len() > 150);
        for (name, text) in ALL_TEXTS
            .iter()
            .chain(OFFICIAL_TEXTS)
            .chain(SHOW_TEXTS)
            .chain(TRAINING_TEXTS)
            .chain(NEWS_TEXTS)
            .chain(API_TEXTS)
            .chain(FACE_TEXTS)
            .chain(FAULT_TEXTS)
            .chain(COURSE_TEXTS)
            .chain(WORKER_TEXTS)
            .chain(LIKENESS_TEXTS)
            .chain(LADDER_TEXTS)
        {
            for translation in text.0 {
                assert!(*name == "NOTHING" || !translation.trim().is_empty(), "{name} lacks a translation");
                assert_eq!(holes(translation), holes(text.0[0]), "{name}: {translation}");
            }
        }
    }

    #[test]
    fn decimals_are_written_as_the_language_writes_them() {
        let written = Language::ALL.map(|language| language.decimal("25.0 ± 16.7"));
        assert_eq!(written, ["25.0 ± 16.7", "25,0 ± 16,7", "25,0 ± 16,7"]);
    }

    #[test]
    fn browsers_are_answered_in_their_language() {
        assert_eq!(Language::preferred("ca-ES,ca;q=0.9,es;q=0.8"), Language::Catalan);
        assert_eq!(Language::preferred("de,es;q=0.5"), Language::Spanish);
        assert_eq!(Language::preferred("de"), Language::English);
    }
}
