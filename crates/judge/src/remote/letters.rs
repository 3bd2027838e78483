//! What the judge and its workers tell each other.

use std::time::Duration;

use anyhow::{Result, anyhow};
use ludus_arena::replay::Recorder;
use ludus_arena::season::Hash;
use ludus_arena::{Entrant, Match, builtin};
use ludus_games::game::Stuck;
use ludus_games::{GAMES, Seat};
use ludus_sandbox::build::Language;
use ludus_sandbox::letter::{Reader, Writer};
use serde::{Deserialize, Serialize};

use crate::local_machine::{Built, printable};
use crate::patience::TooSlow;
use crate::playroom::{Finished, Modules, Order, Overran, told};
use crate::submissions::Reason;

/// The parts in which modules and answers travel: smaller than what brokers
/// allow for a message.
pub const PART: usize = 512 << 10;

/// What a worker says of itself, again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub version: String,
    /// What its rules come to: see [`engine`].
    pub engine: String,
    pub cores: u32,
    pub compiles: bool,
    /// Another one each time that it is started.
    pub boot: String,
    /// It finishes what it has, and takes nothing more.
    pub drains: bool,
    /// The orders that it has.
    pub busy: Vec<String>,
}

/// The longest card: nobody has a thousand orders.
pub const LONGEST_CARD: usize = 32 << 10;

/// What a judge says to a worker that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notice {
    Welcome,
    /// It gets nothing, because of this.
    Refused(String),
}

/// What the rules of this program come to: the digest of a match of every game.
/// Who has another one would play other matches.
pub fn engine() -> Result<String> {
    let mut replays = Vec::new();
    for game in GAMES {
        let about = game.about();
        let config =
            game.read_config(about.default_config.as_bytes()).map_err(|error| anyhow!("{}: {error}", about.id))?;
        let seed = about.smallest_seed.max(1);
        let reserve = about.players.iter().find(|player| player.name == about.reserve);
        let reserve = reserve.ok_or_else(|| anyhow!("{} has no reserve player", about.id))?;
        let entrants =
            Seat::ALL.map(|seat| Entrant { name: about.reserve.to_owned(), player: builtin(reserve, seed, seat) });
        let mut played =
            Match::new(&*config, seed, entrants).map_err(|error| anyhow!("{}: {error}", about.id))?.judged();
        let mut recorder = Recorder::new(*game, about.default_config.as_bytes(), &played);
        played.run::<Stuck>(&mut [&mut recorder]).map_err(|error| anyhow!("{}: {error:?}", about.id))?;
        replays.extend(recorder.finish(&played));
    }
    Ok(Hash::of(&replays).to_string())
}

/// Something to be done, and whom to tell what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    pub judge: String,
    pub order: String,
    pub task: Task,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Matches, one after the other, until one cannot be played.
    Play(Vec<Order>),
    Compile(Compile),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compile {
    pub game: String,
    pub name: String,
    pub language: Language,
    pub source: Vec<u8>,
    pub little_patience: Option<Duration>,
}

impl Errand {
    pub fn written(&self) -> Vec<u8> {
        let mut letter = Writer::new("errand");
        letter.text(&self.judge);
        letter.text(&self.order);
        letter.bytes(&self.task.written());
        letter.done()
    }

    pub fn read(letter: &[u8]) -> Option<Errand> {
        let mut letter = Reader::of("errand", letter)?;
        Some(Errand { judge: letter.text()?, order: letter.text()?, task: Task::read(&letter.bytes()?)? })
    }
}

impl Task {
    fn written(&self) -> Vec<u8> {
        match self {
            Task::Play(orders) => told::written(orders, &Modules::new()),
            Task::Compile(compile) => {
                let mut letter = Writer::new("compile");
                letter.text(&compile.game);
                letter.text(&compile.name);
                letter.number(i64::from(compile.language == Language::Rust));
                letter.bytes(&compile.source);
                letter.number(compile.little_patience.map_or(-1, |time| time.as_millis() as i64));
                letter.done()
            }
        }
    }

    fn read(text: &[u8]) -> Option<Task> {
        let Some(mut letter) = Reader::of("compile", text) else {
            return told::read(text).map(|(orders, _)| Task::Play(orders));
        };
        Some(Task::Compile(Compile {
            game: letter.text()?,
            name: letter.text()?,
            language: if letter.number()? == 1 { Language::Rust } else { Language::Cpp },
            source: letter.bytes()?,
            little_patience: u64::try_from(letter.number()?).ok().map(Duration::from_millis),
        }))
    }
}

/// What came of a match or of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said<T> {
    Done(T),
    Overran(Overran),
    TooSlow,
    /// The module with this hash is not among those of the broker.
    Missing(Hash),
    /// The worker's machine cannot do it.
    Trouble(String),
}

impl<T> Said<T> {
    /// What a worker says of what came of something.
    pub fn of(result: Result<T>) -> Said<T> {
        match result {
            Ok(done) => Said::Done(done),
            Err(error) => match (error.downcast_ref::<Overran>(), error.downcast_ref::<Missing>()) {
                (Some(overran), _) => Said::Overran(*overran),
                (_, Some(missing)) => Said::Missing(missing.0),
                _ if error.is::<TooSlow>() => Said::TooSlow,
                _ => Said::Trouble(format!("{error:#}")),
            },
        }
    }

    fn written(&self, done: impl Fn(&T) -> Vec<u8>) -> Vec<u8> {
        let mut letter = match self {
            Said::Done(value) => return done(value),
            Said::Overran(_) => Writer::new("overtime"),
            Said::TooSlow => Writer::new("slow"),
            Said::Missing(_) => Writer::new("missing"),
            Said::Trouble(_) => Writer::new("trouble"),
        };
        match self {
            Said::Overran(Overran { seat, round, .. }) => {
                letter.number(seat.index() as i64);
                letter.number(i64::from(*round));
            }
            Said::Missing(hash) => letter.bytes(&hash.0),
            Said::Trouble(text) => letter.text(text),
            Said::Done(_) | Said::TooSlow => {}
        }
        letter.done()
    }
}

/// A module that the broker does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the broker does not have the module {0}")]
pub struct Missing(pub Hash);

/// What came of some matches.
pub fn write_played(said: &[Said<Finished>]) -> Vec<u8> {
    let mut letter = Writer::new("answers");
    said.iter().for_each(|one| letter.bytes(&one.written(Finished::written)));
    letter.done()
}

/// What a worker says of matches: as many as it was given or fewer; none if it
/// cannot be read.
pub fn read_played(answer: &[u8], orders: &[Order]) -> Option<Vec<Said<Finished>>> {
    let mut letter = Reader::of("answers", answer)?;
    let mut said = Vec::new();
    while !letter.is_over() {
        let order = orders.get(said.len())?;
        said.push(read_one(&letter.bytes()?, |text| told::read_answer(text, order.allowed))?);
    }
    Some(said)
}

pub fn write_built(said: &Said<Built>) -> Vec<u8> {
    said.written(|built| {
        let mut letter = Writer::new("built");
        match built {
            Built::Module(wasm) => {
                letter.text("");
                letter.bytes(wasm);
            }
            Built::Rejected(reason) => {
                letter.text(reason.word());
                letter.text(&reason.detail());
            }
        }
        letter.done()
    })
}

pub fn read_built(answer: &[u8]) -> Option<Said<Built>> {
    read_one(answer, |text| {
        let mut letter = Reader::of("built", text).ok_or_else(|| anyhow!("nothing was built"))?;
        let built = (|| {
            let word = letter.text()?;
            if word.is_empty() {
                return Some(Built::Module(letter.bytes()?));
            }
            let reason = Reason::stored(&word, &printable(&letter.text()?));
            reason.is_of_the_source().then_some(Built::Rejected(reason))
        })();
        built.ok_or_else(|| anyhow!("what was built cannot be read"))
    })
}

fn read_one<T>(text: &[u8], done: impl Fn(&[u8]) -> Result<T>) -> Option<Said<T>> {
    if let Some(mut letter) = Reader::of("missing", text) {
        return Some(Said::Missing(Hash(letter.bytes()?.try_into().ok()?)));
    }
    if let Some(mut letter) = Reader::of("trouble", text) {
        return Some(Said::Trouble(printable(&letter.text()?)));
    }
    match done(text) {
        Ok(value) => Some(Said::Done(value)),
        Err(error) => match Said::<T>::of(Err(error)) {
            Said::Trouble(_) if Reader::of("slow", text).is_some() => Some(Said::TooSlow),
            // What cannot be read is no trouble of the worker's.
            Said::Trouble(_) => None,
            said => Some(said),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::MatchId;

    #[test]
    fn errands_and_answers_are_read_as_they_were_written() {
        let compile = Compile {
            game: "ants".to_owned(),
            name: "Ana".to_owned(),
            language: Language::Rust,
            source: b"fn".to_vec(),
            little_patience: Some(Duration::from_secs(4)),
        };
        let errand = Errand { judge: "j".to_owned(), order: "o".to_owned(), task: Task::Compile(compile) };
        assert_eq!(Errand::read(&errand.written()), Some(errand));
        for said in [
            Said::Done(Built::Module(vec![1, 2])),
            Said::Done(Built::Rejected(Reason::Compiler("x".to_owned()))),
            Said::TooSlow,
            Said::Missing(Hash::of(b"x")),
            Said::Trouble("no jail".to_owned()),
        ] {
            assert_eq!(read_built(&write_built(&said)), Some(said));
        }
        // No worker decides that a player has lost.
        let verdict = write_built(&Said::Done(Built::Rejected(Reason::NotWon(MatchId(1)))));
        assert_eq!(read_built(&verdict), None);
        assert_eq!(read_built(b"rubbish"), None);
    }

    #[test]
    fn a_config_is_told_once_for_matches_that_follow_each_other() {
        let of = |config: &str, seed| Order {
            game: "ants".to_owned(),
            config: config.to_owned(),
            seed,
            limits: ludus_sandbox::Limits::of(GAMES[0].about().cpu),
            allowed: Duration::from_secs(30),
            patience: None,
            seats: <[crate::playroom::Seated; 4]>::default(),
            stand_in: None,
        };
        let long = "x".repeat(1000);
        let orders = vec![of(&long, 1), of(&long, 2), of("another", 3), of("", 4), of("", 5), of(&long, 6)];
        let written = Task::Play(orders.clone()).written();
        assert_eq!(Task::read(&written), Some(Task::Play(orders)));
        assert!(written.len() < 4000, "{}", written.len());
    }

    #[test]
    fn the_same_rules_have_the_same_digest() {
        assert_eq!(engine().unwrap(), engine().unwrap());
    }
}
