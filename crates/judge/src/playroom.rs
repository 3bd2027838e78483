//! Matches in processes of their own, which can be stopped at any moment.
//!
//! The judge starts its own program again for every match, or for a few of an
//! official round, with nothing in its environment, tells it over its standard
//! input what to play, and reads what became of it from its standard output. A
//! player that takes far more CPU than its fuel stands for ends the match, not the
//! worker; and whatever else the process dies of, it dies alone, and gives back
//! all its memory.
//!
//! Modules are named by their hashes, because their machine code is kept from the
//! time when they were verified; only where it is not are they told as well.

mod inside;
pub(crate) mod told;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use ludus_arena::season::Hash;
use ludus_games::{PerSeat, Seat};
use ludus_sandbox::letter::{Reader, Writer};
use ludus_sandbox::{Introduction, Limits};

use crate::local_machine::printable;
use crate::matches::SeatFault;

pub use inside::play;

/// The argument with which the judge's program is started to play a match.
pub const PLAY: &str = "play-match";

/// The CPU time that a player has to say who it is.
const INTRODUCTION: Duration = Duration::from_secs(5);

/// What a match may take besides the CPU of its players, and how many times as
/// long all that may last on a machine with other things to do. It is there for
/// machines that are stuck.
const BESIDES: Duration = Duration::from_secs(120);
const BUSY: u32 = 4;

/// What a process that was stopped had told is read within this.
const LAST_WORDS: Duration = Duration::from_secs(10);

const NO_ANSWER: &str = "it gave no answer";

/// A match to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub game: String,
    pub config: String,
    pub seed: i32,
    pub limits: Limits,
    /// The CPU time after which a player is stopped, whatever fuel it has.
    pub allowed: Duration,
    /// The CPU time after which the whole match is given up, to be played later.
    pub patience: Option<Duration>,
    pub seats: PerSeat<Seated>,
    /// The player of the game that plays in every seat in the place of those who
    /// sit there: they are only asked, and what they would do is their output.
    pub stand_in: Option<String>,
}

/// A name, and the hash of a module unless the player comes with the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seated {
    pub name: String,
    pub module: Option<Hash>,
    /// It has run past its time before: it is frozen from this round on.
    pub barred_from: Option<u32>,
}

/// A match that was played to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    pub rounds: u32,
    pub replay: Vec<u8>,
    /// The CPU of every round, as `downloads` packs it.
    pub cpu: Vec<u8>,
    pub seats: PerSeat<SeatEnd>,
}

/// What became of a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatEnd {
    pub score: i64,
    pub rank: i64,
    /// Millionths of the CPU limit, -1 for a frozen seat.
    pub cpu: i64,
    pub fault: Option<(i64, SeatFault)>,
    pub output: Vec<u8>,
}

impl Finished {
    /// Whether another machine came to the same.
    pub fn agrees_with(&self, other: &Finished) -> bool {
        let same_match = (self.rounds, &self.replay, &self.cpu) == (other.rounds, &other.replay, &other.cpu);
        same_match && self.seats.iter().zip(&other.seats).all(|(one, two)| one.agrees_with(two))
    }
}

impl SeatEnd {
    /// What a player at fault wrote ends with names and lines of its source, which
    /// are only where it was compiled.
    fn agrees_with(&self, other: &SeatEnd) -> bool {
        let same_result =
            (self.score, self.rank, self.cpu, &self.fault) == (other.score, other.rank, other.cpu, &other.fault);
        same_result && (self.fault.is_some() || self.output == other.output)
    }
}

/// A match that was given up, because the player in a seat took more CPU than
/// it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overran {
    pub seat: Seat,
    pub round: u32,
    pub allowed: Duration,
}

impl std::error::Error for Overran {}

impl fmt::Display for Overran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Overran { seat, round, allowed } = self;
        write!(f, "the player in seat {} took more than {allowed:?} of CPU by round {round}", seat.ordinal())
    }
}

/// A match went on for far longer than the CPU of its players allows, on a machine
/// that does other things too. Nobody knows whose fault that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a match took longer than {seconds} s")]
pub struct Unending {
    pub seconds: u64,
}

/// The machine code of a module is not kept here, so that the module is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the machine code of a module is not kept")]
pub(crate) struct NotKept;

/// Modules by their hashes.
pub(crate) type Modules = BTreeMap<Hash, Vec<u8>>;

/// The program that plays, and where compiled modules are.
#[derive(Clone, Debug)]
pub struct Playroom {
    pub program: PathBuf,
    pub cache: PathBuf,
    /// The bytes of memory that such a process may have.
    pub memory: u64,
}

impl Playroom {
    /// Four players that use all their memory take half a GiB, and their code,
    /// replays and letters far less than the rest.
    pub const MEMORY: u64 = 3 << 30;

    pub fn new(program: PathBuf, cache: PathBuf) -> Playroom {
        Playroom { program, cache, memory: Playroom::MEMORY }
    }

    /// Plays a match. An error is an [`Overran`], a
    /// [`TooSlow`](crate::patience::TooSlow), an [`Unending`], or trouble of the machine, or
    /// what came of fetching a module: all of them are fetched, so that what was
    /// lost is found out while it can be made again.
    pub fn play(&self, order: &Order, fetch: impl Fn(&Hash) -> Result<Vec<u8>>) -> Result<Finished> {
        let orders = std::slice::from_ref(order);
        let modules = fetch_all(orders, fetch)?;
        self.play_with(orders, &modules).pop().unwrap_or_else(|| Err(anyhow!("{NO_ANSWER}")))
    }

    /// Plays matches one after the other in one process, until one cannot be
    /// played: the last result is its error then, and the others are missing, as
    /// those are for which patience does not last.
    /// Modules are fetched only if their code is not kept.
    pub fn play_all(&self, orders: &[Order], fetch: impl Fn(&Hash) -> Result<Vec<u8>>) -> Vec<Result<Finished>> {
        let mut finished = self.play_with(orders, &Modules::new());
        if finished.last().is_some_and(|last| last.as_ref().is_err_and(|error| error.is::<NotKept>())) {
            finished.pop();
            let rest = &orders[finished.len()..];
            match fetch_all(rest, fetch) {
                Ok(modules) => finished.extend(self.play_with(rest, &modules)),
                Err(error) => finished.push(Err(error)),
            }
        }
        finished
    }

    fn play_with(&self, orders: &[Order], modules: &Modules) -> Vec<Result<Finished>> {
        let longest: Duration = orders.iter().map(|order| order.allowed * Seat::COUNT as u32).sum();
        let Told { letters, end } = match self.ask(told::written(orders, modules), (BESIDES + longest) * BUSY) {
            Ok(told) => told,
            Err(error) => return vec![Err(error)],
        };
        let (mut letters, mut end) = (Reader::all(&letters), Some(end));
        let mut finished = Vec::new();
        for order in orders {
            if !finished.is_empty() && letters.is_over() && matches!(end, Some(Ok(()))) {
                break;
            }
            // What a process had told before it died is as good as ever.
            finished.push(match letters.bytes() {
                Some(answer) => told::read_answer(&answer, order.allowed),
                None => Err(end.take().and_then(Result::err).unwrap_or_else(|| anyhow!("{NO_ANSWER}"))),
            });
            if finished.last().is_some_and(Result::is_err) {
                break;
            }
        }
        finished
    }

    /// What a module says of itself, or why it is refused. An error is trouble
    /// of the machine.
    pub fn introduce(&self, wasm: &[u8]) -> Result<Result<Introduction, String>> {
        let mut letter = Writer::new("introduce");
        letter.bytes(wasm);
        let Told { letters: answer, end } = self.ask(letter.done(), (BESIDES + INTRODUCTION) * BUSY)?;
        end?;
        if let Some(mut letter) = Reader::of("introduced", &answer)
            && let (Some(game), Some(name)) = (letter.text(), letter.text())
        {
            return Ok(Ok(Introduction { game, name }));
        }
        if let Some(why) = Reader::of("refused", &answer).and_then(|mut letter| letter.text()) {
            return Ok(Err(why));
        }
        let trouble = Reader::all(&answer).bytes().unwrap_or_default();
        let trouble = Reader::of("trouble", &trouble).and_then(|mut letter| letter.text()).unwrap_or_default();
        bail!("a player could not be asked who it is: {}", printable(&trouble))
    }

    /// Lets a process of its own answer a letter.
    fn ask(&self, letter: Vec<u8>, longest: Duration) -> Result<Told> {
        let mut command = Command::new(&self.program);
        command.arg(PLAY).arg(&self.cache).arg(self.memory.to_string());
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("a match cannot be started")?;
        let (mut input, mut output) = (child.stdin.take(), child.stdout.take());
        let (send, answer) = mpsc::channel();
        std::thread::spawn(move || {
            // Whoever is not there to read it has ended, which is noticed below.
            let _ = input.take().map(|mut input| input.write_all(&letter));
            let mut letters = Vec::new();
            let read = output.as_mut().map(|output| output.read_to_end(&mut letters));
            let _ = send.send((letters, read.is_some_and(|read| read.is_ok())));
        });
        let mut told = answer.recv_timeout(longest);
        let is_in_time = told.is_ok();
        if !is_in_time {
            // It may have ended by itself in the meantime.
            let _ = child.kill();
            told = answer.recv_timeout(LAST_WORDS);
        }
        let status = child.wait().context("the end of a match is not known")?;
        let (letters, is_whole) = told.unwrap_or_default();
        let end = match is_in_time {
            true if is_whole && status.success() => Ok(()),
            true => Err(anyhow!("the process of a match ended with {status}")),
            false => Err(Unending { seconds: longest.as_secs() }.into()),
        };
        Ok(Told { letters, end })
    }
}

/// What a process has told, and whether it ended well.
struct Told {
    letters: Vec<u8>,
    end: Result<()>,
}

/// The modules of some matches, each once.
fn fetch_all(orders: &[Order], fetch: impl Fn(&Hash) -> Result<Vec<u8>>) -> Result<Modules> {
    let mut modules = Modules::new();
    for hash in orders.iter().flat_map(|order| &order.seats).filter_map(|seat| seat.module) {
        if let Entry::Vacant(free) = modules.entry(hash) {
            free.insert(fetch(&hash)?);
        }
    }
    Ok(modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_that_does_not_end_is_told_from_other_trouble() {
        let talker = Playroom::new("yes".into(), PathBuf::new());
        let error = talker.ask(Vec::new(), Duration::ZERO).unwrap().end.unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Unending { seconds: 0 }));
        let mute = Playroom::new("false".into(), PathBuf::new());
        assert!(!mute.ask(Vec::new(), Duration::from_secs(600)).unwrap().end.unwrap_err().is::<Unending>());
    }

    #[test]
    fn what_a_process_had_told_before_it_died_is_kept() {
        let order = Order {
            game: "ants".to_owned(),
            config: String::new(),
            seed: 1,
            limits: Limits::none(),
            allowed: Duration::ZERO,
            patience: None,
            seats: PerSeat::default(),
            stand_in: None,
        };
        let told = [1, 2].map(|rounds| Finished { rounds, ..Finished::default() });
        let mut letters = Writer::new("");
        told.iter().for_each(|one| letters.bytes(&one.written()));
        let letters = &letters.done()[8..];
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("told");
        // It writes out the file and ends badly, for the other two that it is told of are none.
        let dying = Playroom::new("cat".into(), file.clone());
        for (bytes, done) in [(letters.len(), 2), (letters.len() - 1, 1), (0, 0)] {
            std::fs::write(&file, &letters[..bytes]).unwrap();
            let mut finished = dying.play_with(&[(); 3].map(|()| order.clone()), &Modules::new());
            let error = finished.pop().unwrap().unwrap_err();
            assert!(error.to_string().contains("ended with exit status: 1"), "{error:#}");
            assert_eq!(finished.into_iter().map(Result::unwrap).collect::<Vec<_>>(), told[..done]);
        }
    }
}
