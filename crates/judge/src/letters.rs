//! Letters to people: who is to get one, what it says, and what became of it.
//!
//! A letter is asked for in the transaction that makes it necessary and sent later
//! by the postman (`postman.rs`). It holds no link: that is made when it is sent, so
//! that no token waits in a table.

use std::collections::HashMap;

use anyhow::Result;
use sqlx::Row as _;

use crate::accounts::{self, Account, Purpose};
use crate::clock::paced;
use crate::database::{Columns as _, Database, Reader, Tx, now};
use crate::ids::{AccountId, LetterId};
use crate::texts::{self, Language};
use crate::words::words;

words! {
    /// Why somebody gets a letter.
    pub enum Kind {
        /// An instructor invites.
        Invite = "invite",
        /// The person asked for it behind the link of a group.
        Join = "join",
        /// The person has forgotten the password.
        Reset = "reset",
    }
}

words! {
    pub enum State {
        Waiting = "waiting",
        Sent = "sent",
        /// Given up: the server refused it.
        Failed = "failed",
    }
}

impl Kind {
    /// What the link in it is for, for somebody who has a password or not.
    pub fn purpose(self) -> Purpose {
        if self == Kind::Reset { Purpose::Reset } else { Purpose::Invite }
    }
}

/// Letters that anybody may cause to be sent to one person in a day.
const MOST_ASKED: i64 = 3;
const DAY: i64 = 86_400_000;

/// Invites somebody, unless a letter is on its way already. False if one is, or if
/// the person has signed in or is locked out.
pub async fn invite(tx: &mut Tx, account: AccountId) -> Result<bool> {
    accounts::hold(tx, account).await?;
    let done = sqlx::query(
        "INSERT INTO letters (account_id, kind, state, created_at) SELECT a.id, 'invite', 'waiting', $2 FROM accounts a
         WHERE a.id = $1 AND a.locked = 0 AND a.password IS NULL AND a.signed_in_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.account_id = a.id AND l.state = 'waiting')",
    );
    Ok(done.bind(account).bind(now()).execute(&mut **tx).await?.rows_affected() == 1)
}

/// A letter that somebody asks for who is not signed in: to the address and nowhere
/// else, and few of them. Nobody is told whether there is such an address.
pub async fn ask(database: &Database, kind: Kind, email: &str, team: Option<&str>) -> Result<()> {
    // Most who are asked for by strangers are nobody, and cost no writing.
    let known = sqlx::query("SELECT 1 FROM accounts WHERE email = $1").bind(email);
    if known.fetch_optional(database.read()).await?.is_none() {
        return Ok(());
    }
    let mut tx = database.begin().await?;
    // Many who ask at once are counted one after the other.
    sqlx::query("UPDATE accounts SET locked = locked WHERE email = $1").bind(email).execute(&mut *tx).await?;
    let done = sqlx::query(
        "INSERT INTO letters (account_id, kind, state, created_at) SELECT a.id, $2, 'waiting', $3 FROM accounts a
         WHERE a.email = $1 AND a.locked = 0 AND ($4 = '' OR (a.team = $5 AND a.password IS NULL AND a.signed_in_at IS NULL))
         AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.account_id = a.id AND l.state = 'waiting')
         AND (SELECT COUNT(*) FROM letters l WHERE l.account_id = a.id AND l.kind <> 'invite' AND l.created_at > $6) < $7",
    );
    done.bind(email)
        .bind(kind)
        .bind(now())
        .bind(if team.is_some() { "group" } else { "" })
        .bind(team.unwrap_or_default())
        .bind(now() - DAY)
        .bind(MOST_ASKED)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(())
}

/// A letter that somebody has taken to send it.
#[derive(Clone, Debug)]
pub struct Letter {
    pub id: LetterId,
    pub account: AccountId,
    pub kind: Kind,
    takes: i64,
    pub tries: i64,
}

/// For how long a letter that was taken is not taken again. Whoever sends one gives
/// up long before.
const TAKEN_MS: i64 = 180_000;

/// What is due: first what people have asked for, who wait for it, then the rest.
const DUE: [&str; 2] = [
    "SELECT id, account_id, kind, takes, tries FROM letters
     WHERE state = 'waiting' AND kind <> 'invite' AND not_before <= $1 ORDER BY not_before, id LIMIT 1",
    "SELECT id, account_id, kind, takes, tries FROM letters
     WHERE state = 'waiting' AND not_before <= $1 ORDER BY not_before, id LIMIT 1",
];

/// The next letter that is due. If whoever takes it dies, it is due again later.
pub async fn take(database: &Database) -> Result<Option<Letter>> {
    let mut tx = database.begin().await?;
    let mut due = None;
    for statement in DUE {
        if due.is_none() {
            due = sqlx::query(statement).bind(paced()).fetch_optional(&mut *tx).await?;
        }
    }
    let Some(row) = due else {
        tx.rollback().await?;
        return Ok(None);
    };
    let letter = Letter {
        id: row.try_get("id")?,
        account: row.try_get("account_id")?,
        kind: row.try_get("kind")?,
        takes: row.int("takes")? + 1,
        tries: row.int("tries")?,
    };
    let taken = sqlx::query("UPDATE letters SET takes = $1, not_before = $2 WHERE id = $3 AND takes = $4");
    let taken = taken.bind(letter.takes).bind(paced() + TAKEN_MS).bind(letter.id).bind(letter.takes - 1);
    let taken = taken.execute(&mut *tx).await?.rows_affected() == 1;
    tx.commit().await?;
    Ok(taken.then_some(letter))
}

/// What became of a letter that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    Sent(&'a str),
    /// The server refused it for good.
    Refused(&'a str),
    /// The server refused it for now: it is tried again, some times.
    Later(&'a str),
    /// It is not the letter's fault, and uses up none of its tries.
    Trouble,
}

/// What a letter waits for after each refusal, in milliseconds. After one more it is
/// given up.
const BACKOFF: [i64; 5] = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];
/// What is kept of an answer, in characters.
const LONGEST_ANSWER: usize = 400;

pub async fn end(database: &Database, letter: &Letter, outcome: Outcome<'_>) -> Result<()> {
    let tries = letter.tries + i64::from(matches!(outcome, Outcome::Refused(_) | Outcome::Later(_)));
    let (state, delay) = match outcome {
        Outcome::Sent(_) => (State::Sent, 0),
        Outcome::Refused(_) => (State::Failed, 0),
        Outcome::Later(_) => match BACKOFF.get(letter.tries as usize) {
            Some(delay) => (State::Waiting, *delay),
            None => (State::Failed, 0),
        },
        Outcome::Trouble => (State::Waiting, 0),
    };
    let answer = match outcome {
        Outcome::Sent(answer) | Outcome::Refused(answer) | Outcome::Later(answer) => answer,
        Outcome::Trouble => "",
    };
    let answer: String = answer.chars().filter(|c| *c != '\0').take(LONGEST_ANSWER).collect();
    sqlx::query(
        "UPDATE letters SET state = $1, tries = $2, not_before = $3, answer = $4, ended_at = $5 WHERE id = $6 AND takes = $7",
    )
    .bind(state)
    .bind(tries)
    .bind(if delay > 0 { paced() + delay } else { 0 })
    .bind(answer)
    .bind((state != State::Waiting).then(now))
    .bind(letter.id)
    .bind(letter.takes)
    .execute(database.write())
    .await?;
    Ok(())
}

/// How many letters wait.
pub async fn waiting(mut from: impl Reader) -> Result<i64> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM letters WHERE state = 'waiting'");
    Ok(count.fetch_one(from.executor()).await?)
}

/// The words of a letter, with names in braces for what differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    pub subject: String,
    pub body: String,
}

/// What may stand in braces in an invitation.
pub const PLACEHOLDERS: [&str; 5] = ["name", "course", "group", "link", "days"];
/// For how many days the link of an invitation works.
pub const DAYS: i64 = 30;
pub const LONGEST_SUBJECT: usize = 150;
const LONGEST_BODY: usize = 8000;

/// What is wrong with the words of an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadWords {
    Subject,
    Body,
    /// A letter without its link is of no use.
    NoLink,
    /// The link is for one person, and subjects are read over shoulders.
    LinkInSubject,
    Unknown(String),
}

impl Words {
    pub fn usual(language: Language) -> Words {
        let of = |text| language.of_text(text).to_owned();
        Words { subject: of(texts::INVITATION_SUBJECT), body: of(texts::INVITATION_BODY) }
    }

    pub fn check(&self) -> Result<(), BadWords> {
        let subject = self.subject.trim();
        if subject.is_empty() || subject.chars().count() > LONGEST_SUBJECT || subject.chars().any(char::is_control) {
            return Err(BadWords::Subject);
        }
        let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
        if self.body.trim().is_empty() || self.body.chars().count() > LONGEST_BODY || self.body.chars().any(odd) {
            return Err(BadWords::Body);
        }
        for name in braced(&self.subject).chain(braced(&self.body)) {
            if !PLACEHOLDERS.contains(&name) {
                return Err(BadWords::Unknown(name.chars().take(40).collect()));
            }
        }
        if braced(&self.subject).any(|name| name == "link") {
            return Err(BadWords::LinkInSubject);
        }
        if !braced(&self.body).any(|name| name == "link") {
            return Err(BadWords::NoLink);
        }
        Ok(())
    }

    /// The words for one person. What stands in braces in a value stays as it is.
    pub fn filled(&self, account: &Account, course: &str, link: &str) -> Words {
        let value = |name: &str| match name {
            "name" => account.name.clone(),
            "course" => course.to_owned(),
            "group" => account.team.clone(),
            "link" => link.to_owned(),
            "days" => DAYS.to_string(),
            other => format!("{{{other}}}"),
        };
        Words { subject: fill(&self.subject, value), body: fill(&self.body, value) }
    }
}

/// What stands in braces in a text.
fn braced(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

fn fill(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((name, rest)) => filled.extend([value(name).as_str(), rest]),
            None => filled.extend(["{", part]),
        }
    }
    filled
}

/// The invitation in every language: the instructor's own words, or the usual ones.
pub async fn invitation(mut from: impl Reader) -> Result<HashMap<Language, Words>> {
    let rows = sqlx::query("SELECT language, subject, body FROM letter_texts").fetch_all(from.executor()).await?;
    let mut words: HashMap<Language, Words> =
        Language::ALL.into_iter().map(|language| (language, Words::usual(language))).collect();
    for row in &rows {
        if let Some(language) = Language::of(&row.text("language")?) {
            words.insert(language, Words { subject: row.text("subject")?, body: row.text("body")? });
        }
    }
    Ok(words)
}

/// Keeps the words of the invitation in a language; the usual ones are not kept, so
/// that they follow the program.
pub async fn set_invitation(tx: &mut Tx, language: Language, words: &Words) -> Result<()> {
    sqlx::query("DELETE FROM letter_texts WHERE language = $1").bind(language.code()).execute(&mut **tx).await?;
    if *words == Words::usual(language) {
        return Ok(());
    }
    sqlx::query("INSERT INTO letter_texts (language, subject, body) VALUES ($1, $2, $3)")
        .bind(language.code())
        .bind(words.subject.trim())
        .bind(&words.body)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::Role;

    fn words(subject: &str, body: &str) -> Words {
        Words { subject: subject.to_owned(), body: body.to_owned() }
    }

    #[test]
    fn words_are_checked_before_they_are_kept() {
        for language in Language::ALL {
            assert_eq!(Words::usual(language).check(), Ok(()), "{language:?}");
        }
        assert_eq!(words("Hello {name}", "{link} {days} {course} {group}").check(), Ok(()));
        for (subject, body, wrong) in [
            ("", "{link}", BadWords::Subject),
            ("x\r\nBcc: all@x.edu", "{link}", BadWords::Subject),
            ("x", "", BadWords::Body),
            ("x", "a\u{1b}[2J{link}", BadWords::Body),
            ("x", "no link", BadWords::NoLink),
            ("x {link}", "{link}", BadWords::LinkInSubject),
            ("x", "{link} {password}", BadWords::Unknown("password".to_owned())),
            ("{Name}", "{link}", BadWords::Unknown("Name".to_owned())),
        ] {
            assert_eq!(words(subject, body).check(), Err(wrong), "{subject} {body}");
        }
        assert_eq!(words(&"x".repeat(LONGEST_SUBJECT + 1), "{link}").check(), Err(BadWords::Subject));
    }

    #[test]
    fn a_name_in_braces_is_a_name() {
        let account = Account {
            id: AccountId(1),
            email: "m@x.edu".to_owned(),
            name: "{link}".to_owned(),
            team: "G1".to_owned(),
            role: Role::Student,
            language: Language::English,
            locked: false,
            has_password: false,
        };
        let filled =
            words("For {name}", "{name}, {group} of {course}: {link} {").filled(&account, "Games", "https://x");
        assert_eq!(filled, words("For {link}", "{link}, G1 of Games: https://x {"));
    }
}
