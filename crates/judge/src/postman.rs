//! What sends letters: one after the other, no faster than the server likes.
//!
//! Only the site sends letters, never a worker: machines that run strangers' code
//! know no password of a mail server, which is why letters are no jobs of the queue.
//! They keep its rules nevertheless: a letter is taken for a while and due again if
//! whoever took it dies, what the server refuses has a bounded number of tries, and
//! trouble of the machine or the server uses up none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use tokio::sync::Notify;

use crate::accounts::{self, Account};
use crate::database::Database;
use crate::letters::{self, Kind, Letter, Outcome, Words};
use crate::mail::{Answer, Mail};
use crate::texts::{self, Language};
use crate::{course, log};

/// What the postman and the pages share.
#[derive(Debug, Default)]
pub struct PostOffice {
    news: Notify,
    /// Why no letter can be sent, in the words of the server or the machine.
    trouble: Mutex<Option<String>>,
}

impl PostOffice {
    /// Wakes the postman, after the commit of a letter.
    pub fn announce(&self) {
        self.news.notify_one();
    }

    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_trouble(&self, words: Option<String>) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = words.as_ref().filter(|_| trouble.is_none()) {
            log::error(&format!("no letters can be sent: {words}"));
        } else if words.is_none() && trouble.is_some() {
            log::note("letters are sent again");
        }
        *trouble = words;
    }
}

#[derive(Clone, Debug)]
pub struct Postman {
    pub database: Database,
    pub mail: Mail,
    pub office: Arc<PostOffice>,
    /// What links in letters begin with.
    pub base: String,
}

const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// How often letters are looked for whose time has come.
const ROUND: Duration = Duration::from_secs(5);

impl Postman {
    /// Sends letters for ever.
    pub async fn run(self) {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.turn().await {
                Ok(Turn::Sent) => {
                    pause = FIRST_PAUSE;
                    tokio::time::sleep(self.mail.pace()).await;
                }
                Ok(Turn::Nothing) => {
                    // Time passing is news too.
                    let _ = tokio::time::timeout(ROUND, self.office.news.notified()).await;
                }
                Ok(Turn::Trouble) => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(error) => {
                    log::error(&format!("letters cannot be looked after: {error:#}"));
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Sends one letter, if one is due.
    pub async fn turn(&self) -> Result<Turn> {
        let Some(letter) = letters::take(&self.database).await? else { return Ok(Turn::Nothing) };
        let Some(account) = accounts::find(&self.database, letter.account).await?.filter(|account| !account.locked)
        else {
            let gone = Outcome::Refused("the account is locked");
            letters::end(&self.database, &letter, gone).await?;
            return Ok(Turn::Sent);
        };
        let answer = self.send(&letter, &account).await?;
        let (outcome, trouble) = match &answer {
            Answer::Taken(said) => (Outcome::Sent(said), None),
            Answer::Refused(said) => (Outcome::Refused(said), None),
            Answer::Later(said) => (Outcome::Later(said), None),
            Answer::Trouble(said) => (Outcome::Trouble, Some(said.clone())),
        };
        letters::end(&self.database, &letter, outcome).await?;
        let turn = if trouble.is_some() { Turn::Trouble } else { Turn::Sent };
        self.office.set_trouble(trouble);
        Ok(turn)
    }

    async fn send(&self, letter: &Letter, account: &Account) -> Result<Answer> {
        let course = course::find(&self.database).await?.title;
        let mut tx = self.database.begin().await?;
        let token = accounts::add_link(&mut tx, account.id, letter.kind.purpose()).await?;
        tx.commit().await?;
        let link = format!("{}/link/{token}", self.base);
        let words = match letter.kind {
            Kind::Invite | Kind::Join => letters::invitation(&self.database).await?.remove(&account.language),
            Kind::Reset => None,
        };
        let words = words.unwrap_or_else(|| reset(account.language)).filled(account, &course, &link);
        Ok(self.mail.send(&course, &account.name, &account.email, words).await)
    }
}

/// What became of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A letter was sent, or refused.
    Sent,
    Nothing,
    /// None can be sent at the moment.
    Trouble,
}

/// The letter for a new password, which no instructor writes.
fn reset(language: Language) -> Words {
    let of = |text| language.of_text(text).to_owned();
    Words { subject: of(texts::RESET_SUBJECT), body: of(texts::RESET_BODY) }
}
