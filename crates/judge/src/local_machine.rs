//! The machines of the judge: compiling a file and playing a match.
//!
//! Nothing here knows the database. What a player does wrong is a result; an
//! error is the judge's own trouble, and the work is tried again.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ludus_arena::season::Hash;
use ludus_arena::{Behaviour, Decisions, Noted};
use ludus_games::{Game, PerSeat, Seat};
use ludus_sandbox::build::{BuildError, Builder, Language};
use ludus_sandbox::{CodePrints, OVERTIME_TIMES, Overtime, OwnProgram, giving_way};

use crate::faults::{self, Seam};
use crate::invisible::shown;
use crate::matches::{Played, Purpose, SeatResult};
use crate::metrics;
use crate::patience::{Patience, TooSlow};
use crate::playroom::{self, Finished, Order, Playroom};
use crate::seasons::Season;
use crate::store::{Store, hash_of};
use crate::submissions::Reason;
use crate::trouble::Trouble;

#[derive(Clone)]
pub struct LocalMachine {
    builder: Builder,
    playroom: Playroom,
    store: Store,
    patience: Patience,
    /// Whether its matches are played when the machine has nothing else to do.
    gives_way: bool,
    /// Replays of up to so many bytes are kept beside the results of matches that
    /// are played together.
    small: usize,
}

/// What compiling came to.
pub enum Compiled {
    /// The hash of the module in the store, and its size.
    Module {
        hash: String,
        bytes: usize,
    },
    Rejected(Reason),
}

/// What compiling came to, before anything is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Built {
    Module(Vec<u8>),
    Rejected(Reason),
}

impl Built {
    pub fn kept(self, store: &Store) -> Result<Compiled> {
        Ok(match self {
            Built::Module(wasm) => Compiled::Module { hash: store.put(&wasm)?, bytes: wasm.len() },
            Built::Rejected(reason) => Compiled::Rejected(reason),
        })
    }
}

/// The matches on whose states players are compared: who plays them, and their
/// seeds.
const STAND_IN: &str = "Demo";
const SEEDS: [i64; 2] = [101, 202];

/// What is known of how alike two players are besides their sources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerLikeness {
    /// Nothing if neither of them does anything.
    pub behaviour: Option<Behaviour>,
    /// The share of the smaller module that is in the other and in none of the others.
    pub code: Option<f64>,
    /// How many others there were to be measured by.
    pub others: usize,
}

impl PlayerLikeness {
    /// With what plays a match in which players are only asked.
    pub(crate) fn of(
        store: &Store,
        season: &Season,
        pair: &[String; 2],
        others: &[String],
        patience: Patience,
        play: impl Fn(&Order) -> Result<Finished>,
    ) -> Result<PlayerLikeness> {
        let mut decisions = Vec::new();
        let mut code = Vec::new();
        for module in pair.iter().chain(others) {
            decisions.push(decisions_of(season, module, patience, &play)?);
            let prints = CodePrints::of(&store.get(module)?);
            code.push(prints.with_context(|| format!("the module {module}"))?);
        }
        let behaviour = Behaviour::of(&decisions[0], &decisions[1], &decisions[2..]);
        Ok(PlayerLikeness { behaviour, code: code[0].likeness(&code[1], &code[2..]), others: others.len() })
    }
}

/// What a player would do in matches that others play.
fn decisions_of(
    season: &Season,
    module: &str,
    patience: Patience,
    play: impl Fn(&Order) -> Result<Finished>,
) -> Result<Decisions> {
    let seated = Seated { name: STAND_IN.to_owned(), module: Some(module.to_owned()), barred_from: None };
    let players = Seat::ALL.map(|_| seated.clone());
    let mut decisions = Decisions::default();
    for seed in SEEDS {
        let order = Order { stand_in: Some(STAND_IN.to_owned()), ..order_of(season, seed, &players, patience)? };
        let finished = play(&order)?;
        if !decisions.add(&Noted(finished.seats.map(|seat| seat.output))) {
            bail!("what a player would do cannot be read");
        }
    }
    Ok(decisions)
}

/// A player in a seat of a match to be played.
#[derive(Clone, Debug)]
pub struct Seated {
    pub name: String,
    /// The hash of its module, or none for a player that comes with the game.
    pub module: Option<String>,
    /// It has run past its time before: it is frozen from this round on.
    pub barred_from: Option<u32>,
}

impl LocalMachine {
    /// Refuses to be made where strangers' code could not be locked in.
    pub fn open(cache: &Path, store: Store) -> Result<LocalMachine> {
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        LocalMachine::open_with(program, cache, store)
    }

    /// The same, with another file of the judge's program to start for what is
    /// done in a process of its own.
    pub fn open_with(program: PathBuf, cache: &Path, store: Store) -> Result<LocalMachine> {
        // What is compiled beforehand remembers where it was, and the jail shows
        // nothing of the ways that lead there over links.
        std::fs::create_dir_all(cache).with_context(|| format!("cannot make the folder {}", cache.display()))?;
        let builder = Builder::jailed(cache.canonicalize()?)?;
        let playroom = Playroom::new(program, builder.cache().to_owned());
        Ok(LocalMachine { playroom, builder, store, patience: Patience::Endless, gives_way: false, small: 0 })
    }

    /// The same for matches that nobody waits for.
    pub fn giving_way(&self) -> LocalMachine {
        LocalMachine { gives_way: true, ..self.clone() }
    }

    /// The same for matches of a purpose.
    pub fn meant_for(&self, purpose: Purpose) -> LocalMachine {
        let (store, small) = (store_for(&self.store, purpose), small_for(purpose));
        let machine = LocalMachine { store, small, ..self.clone() };
        if purpose == Purpose::Ladder { machine.giving_way() } else { machine }
    }

    /// The same, which gives up with [`TooSlow`] when something takes longer.
    pub fn with_patience(&self, patience: Patience) -> LocalMachine {
        let builder = match patience.for_compilers() {
            Some(time) => self.builder.clone().within(time),
            None => self.builder.clone(),
        };
        LocalMachine { builder, patience, ..self.clone() }
    }

    /// The same, whose compilers have so much time if it is not all that there is.
    pub fn within(&self, time: Option<std::time::Duration>) -> LocalMachine {
        match time {
            Some(time) => {
                LocalMachine { builder: self.builder.clone().within(time), patience: Patience::Little, ..self.clone() }
            }
            None => self.clone(),
        }
    }

    /// This program once more, for strangers' bytes: where compilers are locked in.
    pub fn own_program(&self) -> OwnProgram {
        let Playroom { program, cache, .. } = self.playroom.clone();
        OwnProgram { program, jail: self.builder.jail(), cache }
    }

    pub fn playroom(&self) -> &Playroom {
        &self.playroom
    }

    /// Compiles what the players of a game share, so that the first student
    /// does not wait for it.
    pub fn warm_up(&self, game: &dyn Game, language: Language) -> Result<()> {
        Ok(self.builder.prepare(game.about().id, language)?)
    }

    /// Whether the store can be written to and the jail works.
    pub fn probe(&self) -> Result<(), Trouble> {
        self.store.probe().map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Store))?;
        let looked = faults::at(Seam::Jail).map_err(anyhow::Error::from);
        let looked = looked.and_then(|()| Ok(self.builder.check()?));
        looked.map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Jail))
    }

    /// From a source to a module that is ready to play.
    pub fn compile(&self, season: &Season, name: &str, language: Language, source: &[u8]) -> Result<Compiled> {
        self.build(&season.game, name, language, source)?.kept(&self.store)
    }

    /// The same without keeping it.
    pub fn build(&self, game: &str, name: &str, language: Language, source: &[u8]) -> Result<Built> {
        let rejected = |reason| Ok(Built::Rejected(reason));
        let wasm = match self.builder.build(game, language, source) {
            Ok(wasm) => wasm,
            Err(BuildError::Compiler(messages)) => return rejected(Reason::Compiler(printable(&messages))),
            Err(BuildError::TooSlow(_)) if self.patience != Patience::Endless => return Err(TooSlow.into()),
            Err(BuildError::TooSlow(seconds)) => return rejected(Reason::Slow { seconds }),
            Err(error) if error.is_of_the_source() => return rejected(Reason::Compiler(error.to_string())),
            // A machine without this one compiler is not in trouble with the others' work.
            Err(error @ (BuildError::Missing { .. } | BuildError::RustSdk(_))) if language == Language::Rust => {
                bail!("players in Rust cannot be compiled: {error}")
            }
            Err(error) => return Err(error.into()),
        };
        match self.playroom.introduce(&wasm)? {
            Err(refused) => rejected(Reason::Module(printable(&refused))),
            Ok(introduction) if introduction.game != game => {
                let other = printable(&introduction.game);
                rejected(Reason::Module(format!("it is a player of {other}, not of {game}")))
            }
            Ok(introduction) if introduction.name.is_empty() => {
                rejected(Reason::Module("it registers no player".to_owned()))
            }
            Ok(introduction) if introduction.name != name => {
                rejected(Reason::OtherName(printable(&introduction.name).chars().take(40).collect()))
            }
            Ok(_) => Ok(Built::Module(wasm)),
        }
    }

    /// Plays a match and keeps its replay. The error may be that a player
    /// [`Overran`](crate::playroom::Overran) its time.
    pub fn play(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let finished = self.playroom.play(&self.order(season, seed, players)?, |hash| self.module(hash))?;
        keep(&self.store, finished, players)
    }

    /// Plays several matches in one process, until one cannot be played, whose
    /// error is the last result.
    pub fn play_all(&self, season: &Season, matches: &[(i64, PerSeat<Seated>)]) -> Vec<Result<Played>> {
        self.play_many(season, matches, &mut || ())
    }

    /// The same, which says when they are played and not kept yet.
    pub fn play_many(
        &self,
        season: &Season,
        matches: &[(i64, PerSeat<Seated>)],
        played: &mut dyn FnMut(),
    ) -> Vec<Result<Played>> {
        let orders = matches.iter().map(|(seed, players)| self.order(season, *seed, players));
        let orders = match orders.collect::<Result<Vec<Order>>>() {
            Ok(orders) => orders,
            Err(error) => return vec![Err(error)],
        };
        let play = || self.playroom.play_all(&orders, |hash| self.module(hash));
        let finished = if self.gives_way { giving_way(play) } else { play() };
        played();
        keep_all(&self.store, self.small, finished, matches.iter().map(|(_, players)| players))
    }

    fn order(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Order> {
        order_of(season, seed, players, self.patience)
    }

    /// Asks two players on the same states, and others as a measure; compares
    /// their modules too. All are named by the hashes of their modules.
    pub fn compare_players(&self, season: &Season, pair: &[String; 2], others: &[String]) -> Result<PlayerLikeness> {
        let play = |order: &Order| giving_way(|| self.playroom.play(order, |hash| self.module(hash)));
        PlayerLikeness::of(&self.store, season, pair, others, self.patience, play)
    }

    fn module(&self, hash: &Hash) -> Result<Vec<u8>> {
        self.store.get(&hash.to_string())
    }
}

/// A match of a season as whoever plays it is told.
pub(crate) fn order_of(season: &Season, seed: i64, players: &PerSeat<Seated>, patience: Patience) -> Result<Order> {
    let game = season.rules_of_game()?;
    let limits = season.limits();
    let mut seats: PerSeat<playroom::Seated> = PerSeat::default();
    for (seat, player) in seats.iter_mut().zip(players) {
        seat.name.clone_from(&player.name);
        seat.barred_from = player.barred_from;
        let module = player.module.as_ref().map(|hash| hash.parse());
        seat.module = module.transpose().with_context(|| format!("the module of {}", player.name))?;
    }
    let allowed = Overtime::new(&limits).allowed();
    Ok(Order {
        game: season.game.clone(),
        config: season.config.clone(),
        seed: i32::try_from(seed)?.max(game.about().smallest_seed),
        allowed,
        patience: patience.for_match(allowed / OVERTIME_TIMES as u32),
        limits,
        seats,
        stand_in: None,
    })
}

/// Where matches of a purpose are kept. What training and the ladder leave behind is
/// made again where it is lost, and no verdict and no round rests on it.
pub(crate) fn store_for(store: &Store, purpose: Purpose) -> Store {
    match purpose {
        Purpose::Training | Purpose::Ladder => store.without_waiting(),
        Purpose::Verification | Purpose::Official | Purpose::Demonstration => store.clone(),
    }
}

/// The most bytes of a replay of some purpose that are kept beside the result: a file of
/// its own takes longer to make than most matches of training to play. All others are in
/// the store, where round files and proofs look for them.
pub(crate) fn small_for(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Training => 8 << 10,
        Purpose::Ladder | Purpose::Verification | Purpose::Official | Purpose::Demonstration => 0,
    }
}

/// Puts what a match has left behind into the store.
fn keep(store: &Store, finished: Finished, players: &PerSeat<Seated>) -> Result<Played> {
    let kept = keep_all(store, 0, vec![Ok(finished)], std::iter::once(players)).pop();
    kept.unwrap_or_else(|| bail!("a match was not kept"))
}

/// Puts what matches have left behind into the store, all at once, but for replays of up
/// to `small` bytes, which go where the results go.
pub(crate) fn keep_all<'a>(
    store: &Store,
    small: usize,
    finished: Vec<Result<Finished>>,
    players: impl Iterator<Item = &'a PerSeat<Seated>>,
) -> Vec<Result<Played>> {
    let is_large = |one: &Finished| one.replay.len() > small;
    let done = || finished.iter().flatten();
    let large = done().filter(|one| is_large(one)).map(|one| &one.replay[..]);
    let outputs = done().flat_map(|one| &one.seats).map(|seat| &seat.output[..]).filter(|output| !output.is_empty());
    let left: Vec<&[u8]> = large.chain(outputs).collect();
    let replays = done().filter(|one| is_large(one)).count();
    let hashes = match store.put_all(&left) {
        Ok(hashes) => hashes,
        Err(error) => return vec![Err(error)],
    };
    let (replays, outputs) = hashes.split_at(replays);
    let (mut replays, mut outputs) = (replays.iter().cloned(), outputs.iter().cloned());
    let mut played = Vec::new();
    for (finished, players) in finished.into_iter().zip(players) {
        played.push(finished.map(|mut finished| {
            let is_small = finished.replay.len() <= small;
            let hash = if is_small { hash_of(&finished.replay) } else { replays.next().unwrap_or_default() };
            let bytes = finished.replay.len();
            let small_replay = is_small.then(|| std::mem::take(&mut finished.replay));
            Played { small_replay, ..kept(finished, players, hash, bytes, &mut outputs) }
        }));
    }
    played
}

/// What is known of a match whose replay and outputs are kept.
fn kept(
    finished: Finished,
    players: &PerSeat<Seated>,
    replay: String,
    bytes: usize,
    outputs: &mut impl Iterator<Item = String>,
) -> Played {
    let bytes = bytes + finished.seats.iter().map(|seat| seat.output.len()).sum::<usize>();
    metrics::count_match(finished.seats.iter().map(|seat| seat.cpu));
    let mut seats = Vec::new();
    for ((seat, end), player) in Seat::ALL.into_iter().zip(finished.seats).zip(players) {
        seats.push(SeatResult {
            seat,
            name: player.name.clone(),
            submission: None,
            author: None,
            score: Some(end.score),
            rank: Some(end.rank),
            cpu: Some(end.cpu),
            fault: end.fault,
            output: if end.output.is_empty() { None } else { outputs.next() },
        });
    }
    Played { rounds: finished.rounds, replay, small_replay: None, seats, cpu: finished.cpu, bytes }
}

/// What strangers' code made somebody say, as text that every database keeps and
/// everybody can see.
pub fn printable(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    shown(&text).into_owned()
}
