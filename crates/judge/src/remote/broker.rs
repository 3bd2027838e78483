//! The connection to the broker, keys, and the users that the broker must know.
//!
//! Everybody proves to the broker who they are by signing, so the broker's
//! configuration holds public keys only, and whoever reads it learns nothing.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use nkeys::KeyPair;

use super::enrolment::{self, Enrolled};
use super::names;
use crate::clock::steady;
use crate::database::Database;
use crate::ids::WorkerId;
use crate::log;

const KEY_FILE: &str = "nats.key";

/// What is said before a connection counts as lost.
const PING: Duration = Duration::from_secs(5);

/// A key for the broker, made now.
pub struct Key {
    /// What proves who somebody is; nobody else may have it.
    pub seed: String,
    pub public: String,
}

impl Key {
    pub fn make() -> Result<Key> {
        Key::of(&KeyPair::new_user())
    }

    pub fn of_seed(seed: &str) -> Result<Key> {
        Key::of(&KeyPair::from_seed(seed).map_err(|_| anyhow!("that is no key for the broker"))?)
    }

    fn of(pair: &KeyPair) -> Result<Key> {
        let seed = pair.seed().map_err(|error| anyhow!("a key for the broker cannot be made: {error}"))?;
        Ok(Key { seed, public: pair.public_key() })
    }
}

/// The judge's own key, in the data folder; made if it is not there.
pub fn judge_key(folder: &Path) -> Result<Key> {
    let path = folder.join(KEY_FILE);
    if !path.exists() {
        let key = Key::make()?;
        let made = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&path);
        let written = made.and_then(|mut file| writeln!(file, "{}", key.seed).and_then(|()| file.sync_all()));
        written.with_context(|| format!("cannot make the key {}", path.display()))?;
    }
    let seed = std::fs::read_to_string(&path).with_context(|| format!("cannot read the key {}", path.display()))?;
    Key::of_seed(seed.trim()).with_context(|| path.display().to_string())
}

const PREFIX: &str = "ludus_w";

/// A worker's token: its number and its key.
pub struct Token {
    pub worker: WorkerId,
    pub key: Key,
}

impl Token {
    pub fn text(&self) -> String {
        format!("{PREFIX}{}_{}", self.worker, self.key.seed)
    }

    pub fn read(text: &str) -> Result<Token> {
        let parts = text.trim().strip_prefix(PREFIX).and_then(|rest| rest.split_once('_'));
        let (worker, seed) = parts.ok_or_else(|| anyhow!("a worker's token begins with {PREFIX}"))?;
        let worker = worker.parse().map_err(|_| anyhow!("a worker's token has a number after {PREFIX}"))?;
        Ok(Token { worker: WorkerId(worker), key: Key::of_seed(seed)? })
    }
}

/// Connects to one of some brokers, separated by commas, and goes on trying for
/// as long as there is none.
pub async fn connect(url: &str, key: &Key, name: &str, inbox: &str) -> Result<Client> {
    let mut addresses = Vec::new();
    for one in url.split(',').map(str::trim).filter(|one| !one.is_empty()) {
        addresses.push(one.parse::<ServerAddr>().map_err(|error| anyhow!("the broker's address {one}: {error}"))?);
    }
    ensure!(!addresses.is_empty(), "the broker has no address");
    let who = name.to_owned();
    ConnectOptions::with_nkey(key.seed.clone())
        .name(name)
        .custom_inbox_prefix(inbox)
        .ping_interval(PING)
        .retry_on_initial_connect()
        .max_reconnects(None)
        .event_callback(move |event| {
            let who = who.clone();
            async move {
                match event {
                    Event::Connected => log::note(&format!("{who}: the broker is there")),
                    event => log::error(&format!("{who}: the broker: {event}")),
                }
            }
        })
        .connect(addresses)
        .await
        .map_err(|error| anyhow!("the broker: {error}"))
}

/// The broker takes nothing: it is gone, or its servers are choosing who leads them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the broker keeps nothing: {0}")]
pub struct BrokerAway(pub(crate) String);

/// A cluster that has lost its leader has another one within this.
const CHOOSING: Duration = Duration::from_secs(8);

/// Publishes what the broker must keep, and says where it does; it is tried again
/// while the broker is away for a moment. One that came twice is done for nobody.
pub async fn keep(broker: &Context, subject: String, bytes: Vec<u8>) -> Result<u64> {
    let begun = steady();
    loop {
        let sent = broker.publish(subject.clone(), bytes.clone().into()).await;
        let kept = match sent {
            Ok(kept) => kept.await,
            Err(error) => Err(error),
        };
        match kept {
            Ok(kept) => return Ok(kept.sequence),
            Err(error) if is_refused(&error) => return Err(anyhow!("the broker refuses {subject}: {error}")),
            Err(error) if steady() > begun + CHOOSING => return Err(BrokerAway(error.to_string()).into()),
            Err(_) => tokio::time::sleep(CHOOSING / 32).await,
        }
    }
}

/// Whether a message would fare no better at another moment.
fn is_refused(error: &PublishError) -> bool {
    let too_large = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<jetstream::Error>());
    let too_large = too_large.is_some_and(|cause| cause.error_code() == ErrorCode::STREAM_MESSAGE_EXCEEDS_MAXIMUM);
    too_large || error.kind() == PublishErrorKind::MaxPayloadExceeded
}

/// The users of the broker, as a part of its configuration: the judge, which may
/// do everything, and each worker with the little that it needs.
pub fn users(judge: &str, workers: &[Enrolled]) -> String {
    let mut text =
        String::from("# Written by ludus-judge; it changes with the workers.\nauthorization {\n  users: [\n");
    text += &format!("    {{ nkey: {judge} }}\n");
    for worker in workers {
        let list =
            |subjects: Vec<String>| subjects.iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>().join(", ");
        text += &format!(
            "    {{ nkey: {}, permissions: {{ publish: {{ allow: [{}] }}, subscribe: {{ allow: [{}] }} }} }}\n",
            worker.public_key,
            list(names::may_publish(worker.id)),
            list(names::may_subscribe(worker.id)),
        );
    }
    text + "  ]\n}\n"
}

/// How often the users are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Writes the users whenever workers are made, suspended or revoked; whoever
/// watches the file lets the broker read it again.
pub async fn keep_users(database: Database, judge: String, file: PathBuf) {
    let mut written = None;
    loop {
        match enrolment::admitted(&database).await {
            Ok(workers) => {
                let text = users(&judge, &workers);
                if written.as_ref() != Some(&text) {
                    match write_whole(&file, &text) {
                        Ok(()) => written = Some(text),
                        Err(error) => log::error(&format!("cannot write {}: {error}", file.display())),
                    }
                }
            }
            Err(error) => log::error(&format!("the workers are not known: {error:#}")),
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// The broker reads all of it or what was there before.
fn write_whole(file: &Path, text: &str) -> std::io::Result<()> {
    let part = file.with_extension("part");
    std::fs::write(&part, text)?;
    std::fs::rename(&part, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_as_they_were_written() {
        let token = Token { worker: WorkerId(12), key: Key::make().unwrap() };
        let read = Token::read(&token.text()).unwrap();
        assert_eq!((read.worker, read.key.public), (WorkerId(12), token.key.public));
        for wrong in ["", "ludus_w", "ludus_w12", "ludus_w12_SUX", "ludus_wx_y", "ludus_abc"] {
            assert!(Token::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_key_of_a_folder_stays() {
        let folder = tempfile::tempdir().unwrap();
        let made = judge_key(folder.path()).unwrap();
        assert_eq!(judge_key(folder.path()).unwrap().public, made.public);
    }
}
