//! A file that somebody hands in, on a page or by a call: what it is, and whether
//! it is taken.

use axum::http::StatusCode;
use ludus_sandbox::build::Language;
use tokio::sync::Semaphore;

use crate::accounts::Account;
use crate::ids::SubmissionId;
use crate::intake::{self, Refusal};
use crate::seasons::{Admission, Season};
use crate::source::{self, Allowed, Named, Problem};
use crate::submissions::{self, NewSubmission};
use crate::texts::{self, Text};
use crate::web::{AppError, Site};
use crate::{content, course, exceptions};

/// Why a file is refused, and in which line.
#[derive(Clone, Debug)]
pub struct Refused {
    pub line: Option<usize>,
    pub text: Text,
    /// The names in the text, and what stands for them.
    pub about: Vec<(&'static str, String)>,
}

impl Refused {
    pub fn because(problem: &Problem) -> Refused {
        let (text, about) = texts::bad_source(&problem.what);
        let about = about.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Refused { line: problem.line, text, about }
    }
}

/// Refuses whoever may not submit to a season now, before a file is looked at.
pub async fn admit(site: &Site, account: &Account, season: &Season, received_at: i64) -> Result<(), AppError> {
    if !account.may_submit() {
        return Err(AppError::Forbidden);
    }
    let excepted = exceptions::until(&site.database, season.id, account.id).await?;
    match season.admission(received_at, excepted) {
        Admission::TooEarly => Err(refusal(Refusal::TooEarly)),
        Admission::TooLate => Err(refusal(Refusal::TooLate)),
        Admission::OnTime | Admission::InGrace | Admission::Excepted => Ok(()),
    }
}

/// What a file is, once nothing about it is wrong.
struct Examined {
    name: String,
    /// The line with the name, counted from one.
    line: usize,
    language: Language,
}

impl Examined {
    /// A refusal for the sake of the name.
    fn refused(&self, text: Text) -> Refused {
        Refused { line: Some(self.line), text, about: vec![("about", self.name.clone())] }
    }
}

/// What can be said about a file by reading it.
async fn examine(
    site: &Site,
    season: &Season,
    (file_name, source): (&str, &[u8]),
) -> Result<Result<Examined, Refused>, AppError> {
    let language = source::language(file_name, source);
    if language == Language::Rust && !site.settings.rust {
        return Ok(Err(Refused { line: None, text: texts::RUST_NOT_TAKEN, about: Vec::new() }));
    }
    let Named { name, line } = match read(source, language, season.allowed()?).await? {
        Ok(named) => named,
        Err(problem) => return Ok(Err(Refused::because(&problem))),
    };
    let examined = Examined { name, line, language };
    if content::comes_with(&season.game, &examined.name) {
        return Ok(Err(examined.refused(texts::NAME_OF_EXAMPLE)));
    }
    if let Some(word) = course::find(&site.database).await?.refuses(&examined.name) {
        let mut refused = examined.refused(texts::NAME_REFUSED);
        refused.about.push(("word", word.to_owned()));
        return Ok(Err(refused));
    }
    Ok(Ok(examined))
}

/// Reads a source away from the threads that answer pages, one at a time: many large ones
/// at once would hold up everybody's pages.
async fn read(source: &[u8], language: Language, allowed: Allowed) -> Result<Result<Named, Problem>, AppError> {
    static TURN: Semaphore = Semaphore::const_new(1);
    let (turn, source) = (TURN.acquire().await?, source.to_vec());
    let reading = tokio::task::spawn_blocking(move || {
        // Whoever asked may leave meanwhile; the turn is taken until it is read.
        let _turn = turn;
        source::inspect(&source, language, allowed)
    });
    Ok(reading.await?)
}

/// Why a file would be refused if it were handed in now, as far as reading it and
/// looking its name up can tell.
pub async fn foresee(site: &Site, season: &Season, file: (&str, &[u8])) -> Result<Option<Refused>, AppError> {
    let examined = match examine(site, season, file).await? {
        Ok(examined) => examined,
        Err(refused) => return Ok(Some(refused)),
    };
    let taken = submissions::name_is_taken(&site.database, season.id, &examined.name).await?;
    Ok(taken.then(|| examined.refused(texts::NAME_TAKEN)))
}

/// Takes a file in, or says what is wrong with it. What is wrong with the moment,
/// and not with the file, is an error.
pub async fn receive(
    site: &Site,
    account: &Account,
    season: &Season,
    file: (&str, &[u8]),
    received_at: i64,
) -> Result<Result<SubmissionId, Refused>, AppError> {
    let examined = match examine(site, season, file).await? {
        Ok(examined) => examined,
        Err(refused) => return Ok(Err(refused)),
    };
    let (file_name, source) = file;
    let (name, language) = (examined.name.as_str(), examined.language);
    let new = NewSubmission { account: account.id, name, file_name, language, source };
    let quota = site.settings.quota;
    match intake::hand_in(&site.database, &site.queue, quota, season.id, &new, received_at).await? {
        Ok(id) => Ok(Ok(id)),
        Err(Refusal::NameTaken) => Ok(Err(examined.refused(texts::NAME_TAKEN))),
        Err(Refusal::ExampleTwice) => Ok(Err(examined.refused(texts::EXAMPLE_TWICE))),
        Err(other) => Err(refusal(other)),
    }
}

/// What is said when a file is not taken for now.
fn refusal(refusal: Refusal) -> AppError {
    let (status, text) = match refusal {
        Refusal::TooEarly => (StatusCode::FORBIDDEN, texts::NOT_OPEN),
        Refusal::TooLate => (StatusCode::FORBIDDEN, texts::CLOSED),
        Refusal::TooManyUndecided => (StatusCode::TOO_MANY_REQUESTS, texts::TOO_MANY_UNDECIDED),
        Refusal::TooManyPerHour => (StatusCode::TOO_MANY_REQUESTS, texts::TOO_MANY_PER_HOUR),
        Refusal::TooManyPerDay => (StatusCode::TOO_MANY_REQUESTS, texts::TOO_MANY_PER_DAY),
        Refusal::AccountFull => (StatusCode::INSUFFICIENT_STORAGE, texts::ACCOUNT_FULL),
        Refusal::SeasonFull => (StatusCode::INSUFFICIENT_STORAGE, texts::SEASON_FULL),
        Refusal::NameTaken => (StatusCode::UNPROCESSABLE_ENTITY, texts::NAME_TAKEN),
        Refusal::ExampleTwice => (StatusCode::UNPROCESSABLE_ENTITY, texts::EXAMPLE_TWICE),
    };
    AppError::Refused(status, text)
}
