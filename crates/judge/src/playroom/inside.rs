//! What happens in the process of a match.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use ludus_arena::replay::{PackedConfig, Recorder};
use ludus_arena::season::Hash;
use ludus_arena::{Entrant, Match, Noted, Observer, PLAYING_STACK, Player, Players, barred, builtin, shadow};
use ludus_games::game::{Config, Stuck};
use ludus_games::{Game, PerSeat, Seat};
use ludus_sandbox::build::Jail;
use ludus_sandbox::letter::{Reader, Writer};
use ludus_sandbox::{Overtime, OwnProgram, PlayerModule, Sandbox, cpu_time, limit_memory};

use super::{Finished, INTRODUCTION, Modules, NotKept, Order, told};
use crate::downloads::CpuMeter;
use crate::matches::{SeatFault, output};

/// How often the clocks of the players are looked at.
const TICK: Duration = Duration::from_millis(50);

/// The whole work of a program that was started with [`PLAY`].
pub fn play() -> ExitCode {
    let memory = std::env::args().nth(3).and_then(|memory| memory.parse().ok());
    if !memory.is_some_and(limit_memory) {
        return ExitCode::FAILURE;
    }
    let thread = std::thread::Builder::new().stack_size(PLAYING_STACK).spawn(answer);
    thread.ok().and_then(|thread| thread.join().ok()).unwrap_or(ExitCode::FAILURE)
}

/// Does what the letter on standard input asks for.
fn answer() -> ExitCode {
    let cache = std::env::args_os().nth(2).map(PathBuf::from).unwrap_or_default();
    let mut letter = Vec::new();
    let done = io::stdin().read_to_end(&mut letter).map_err(anyhow::Error::from).and_then(|_| {
        match Reader::of("introduce", &letter).and_then(|mut letter| letter.bytes()) {
            Some(wasm) => introduce(&wasm, &cache),
            None => told::read(&letter)
                .ok_or_else(|| anyhow!("the order of a match cannot be read"))
                .and_then(|(orders, modules)| carry_out(&orders, modules, cache)),
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut letter = Writer::new(if error.is::<NotKept>() { "not kept" } else { "trouble" });
            letter.text(&format!("{error:#}"));
            if letter.send_framed().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
    }
}

/// Asks a module who it is, which runs its constructors, and sends the answer.
fn introduce(wasm: &[u8], cache: &Path) -> Result<()> {
    std::thread::spawn(|| {
        while cpu_time() < INTRODUCTION {
            std::thread::sleep(TICK);
        }
        let mut letter = Writer::new("refused");
        letter.text(&format!("it takes more than {} s of CPU to say who it is", INTRODUCTION.as_secs()));
        std::process::exit(i32::from(letter.send().is_err()));
    });
    let sandbox = jailed_sandbox(1, cache)?;
    let letter = match sandbox.load_cached(wasm, cache).and_then(|module| module.introduce()) {
        Ok(introduction) => {
            let mut letter = Writer::new("introduced");
            letter.text(&introduction.game);
            letter.text(&introduction.name);
            letter
        }
        Err(refused) if refused.is_of_the_machine() => return Err(refused.into()),
        Err(refused) => {
            let mut letter = Writer::new("refused");
            letter.text(&refused.to_string());
            letter
        }
    };
    letter.send().context("what a player says of itself cannot be told")
}

/// A sandbox whose machine code is made in the jail, where deaths are explained too.
fn jailed_sandbox(instances: u32, cache: &Path) -> Result<Sandbox> {
    let sandbox = Sandbox::new(instances).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
    let own = OwnProgram { program: std::env::current_exe()?, jail: Jail::Bubblewrap, cache: cache.to_owned() };
    Ok(sandbox.translated_by(own.clone()).explained_by(own))
}

/// Where modules are: their code is kept, or they were told.
struct Shelf {
    sandbox: Sandbox,
    modules: Modules,
    cache: PathBuf,
    /// Those of earlier matches.
    loaded: RefCell<BTreeMap<Hash, PlayerModule>>,
}

/// Modules that stay loaded at a time.
const MOST_LOADED: usize = 16;

impl Shelf {
    fn load(&self, hash: &Hash) -> Result<PlayerModule> {
        let mut loaded = self.loaded.borrow_mut();
        if let Some(module) = loaded.get(hash) {
            return Ok(module.clone());
        }
        let module = self.load_anew(hash)?;
        if loaded.len() >= MOST_LOADED {
            loaded.clear();
        }
        loaded.insert(*hash, module.clone());
        Ok(module)
    }

    fn load_anew(&self, hash: &Hash) -> Result<PlayerModule> {
        if let Some(wasm) = self.modules.get(hash) {
            return Ok(self.sandbox.load_cached(wasm, &self.cache)?);
        }
        Ok(self.sandbox.load_kept(hash.0, &self.cache).ok_or(NotKept)??)
    }
}

/// The game and the config of some matches, read and packed once for all of them.
struct Ground {
    game: &'static dyn Game,
    text: String,
    config: Box<dyn Config>,
    packed: PackedConfig,
}

impl Ground {
    fn of(order: &Order) -> Result<Ground> {
        let game = ludus_games::find(&order.game).ok_or_else(|| anyhow!("there is no game {}", order.game))?;
        let config = game.read_config(order.config.as_bytes()).map_err(|error| anyhow!("the config: {error}"))?;
        Ok(Ground { game, text: order.config.clone(), config, packed: PackedConfig::new(order.config.as_bytes()) })
    }

    fn is_of(&self, order: &Order) -> bool {
        self.game.about().id == order.game && self.text == order.config
    }
}

/// What the players have written, and the room for that of one round.
#[derive(Default)]
struct Written(PerSeat<Vec<u8>>, Vec<u8>);

impl<E> Observer<Players, E> for Written {
    fn round(&mut self, played: &mut Match) -> Result<(), E> {
        let round = played.state().round().saturating_sub(1);
        for seat in Seat::ALL {
            self.1.clear();
            played.take_output(seat, &mut self.1);
            output::add(&mut self.0[seat], round, &self.1);
        }
        Ok(())
    }
}

/// Plays matches one after the other and sends what becomes of each. Those for which
/// there is patience are played for as long as there is for one of them: the others are
/// asked for again, and whoever waits for somebody else's does not wait for all.
fn carry_out(orders: &[Order], modules: Modules, cache: PathBuf) -> Result<()> {
    let clock: Arc<Mutex<Clock>> = Arc::default();
    // Whoever has something to say first says it, and nobody else does.
    let turn_to_speak = Arc::new(Mutex::new(()));
    std::thread::spawn({
        let (clock, speaker) = (clock.clone(), turn_to_speak.clone());
        move || watch(&clock, &speaker)
    });
    let sandbox = jailed_sandbox(Seat::COUNT as u32, &cache)?;
    let shelf = Shelf { sandbox, modules, cache, loaded: RefCell::default() };
    let (mut last, begun): (Option<Ground>, _) = (None, cpu_time());
    for (k, order) in orders.iter().enumerate() {
        if k > 0 && order.patience.is_some_and(|patience| cpu_time() - begun > patience) {
            break;
        }
        let ground = match last.take() {
            Some(ground) if ground.is_of(order) => ground,
            _ => Ground::of(order)?,
        };
        let overtime = Overtime::after(order.allowed);
        let until = order.patience.map(|patience| cpu_time() + patience);
        *clock.lock().unwrap_or_else(PoisonError::into_inner) = Clock { overtime: Some(overtime.clone()), until };
        let finished = order.play_out(&shelf, last.insert(ground), &overtime)?;
        let _speaking = turn_to_speak.lock().unwrap_or_else(PoisonError::into_inner);
        finished.send().context("what became of a match cannot be told")?;
    }
    Ok(())
}

/// What the match that is being played may take.
#[derive(Clone, Default)]
struct Clock {
    /// What each of its players may.
    overtime: Option<Arc<Overtime>>,
    /// The CPU time of the process at which there is no more patience for it.
    until: Option<Duration>,
}

/// Ends the process when a player takes more than it may, when all of a match takes
/// more than there is patience for, or when nobody is there any more to be told.
fn watch(clock: &Mutex<Clock>, speaker: &Mutex<()>) {
    let parent = std::os::unix::process::parent_id();
    loop {
        std::thread::sleep(TICK);
        let Clock { overtime, until } = clock.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((seat, round)) = overtime.and_then(|overtime| overtime.of()) {
            let _speaking = speaker.lock().unwrap_or_else(PoisonError::into_inner);
            let mut letter = Writer::new("overtime");
            letter.number(seat.index() as i64);
            letter.number(i64::from(round));
            std::process::exit(i32::from(letter.send_framed().is_err()));
        }
        if until.is_some_and(|until| cpu_time() > until) {
            let _speaking = speaker.lock().unwrap_or_else(PoisonError::into_inner);
            std::process::exit(i32::from(Writer::new("slow").send_framed().is_err()));
        }
        if std::os::unix::process::parent_id() != parent {
            std::process::exit(1);
        }
    }
}

impl Order {
    fn play_out(&self, shelf: &Shelf, ground: &Ground, overtime: &Arc<Overtime>) -> Result<Finished> {
        let Ground { game, config, packed, .. } = ground;
        let entrants = self.entrants(*game, shelf, overtime)?;
        let mut played =
            Match::new(&**config, self.seed, entrants).map_err(|error| anyhow!("the config: {error}"))?.judged();
        let mut recorder = Recorder::with_config(*game, packed, &played);
        let mut cpu = CpuMeter::new(&played);
        let mut written = Written::default();
        if self.stand_in.is_some() {
            let mut noted = Noted::default();
            played.run::<Stuck>(&mut [&mut noted])?;
            written.0 = noted.0;
        } else {
            played.run::<Stuck>(&mut [&mut recorder, &mut cpu, &mut written])?;
        }
        let mut finished = Finished::default();
        let outcome = played.outcome();
        finished.rounds = outcome.rounds;
        for ((end, result), output) in finished.seats.iter_mut().zip(outcome.seats).zip(written.0) {
            end.output = output;
            end.score = result.score;
            end.rank = result.rank as i64;
            end.cpu = if result.status.is_frozen() { -1 } else { (result.status.fraction() * 1e6).round() as i64 };
            end.fault = result.fault.map(|(round, fault)| (i64::from(round), SeatFault::of(&fault)));
        }
        finished.replay = recorder.finish(&played);
        finished.cpu = cpu.finish().pack();
        Ok(finished)
    }

    fn entrants(&self, game: &'static dyn Game, shelf: &Shelf, overtime: &Arc<Overtime>) -> Result<PerSeat<Entrant>> {
        let mut entrants: Vec<Entrant> = Vec::new();
        for (seat, seated) in Seat::ALL.into_iter().zip(&self.seats) {
            let player: Box<dyn Player> = match &seated.module {
                Some(hash) => {
                    let module = shelf.load(hash).with_context(|| format!("the module of {}", seated.name))?;
                    let player = module.from_player(&seated.name);
                    let player = Box::new(player.player(self.limits.clone(), self.seed, seat));
                    let player = overtime.watch(seat, player);
                    match seated.barred_from {
                        Some(round) => barred(player, round),
                        None => player,
                    }
                }
                None => builtin(find_builtin(game, &seated.name)?, self.seed, seat),
            };
            let player = match &self.stand_in {
                Some(name) => shadow(player, builtin(find_builtin(game, name)?, self.seed, seat)),
                None => player,
            };
            entrants.push(Entrant { name: seated.name.clone(), player });
        }
        entrants.try_into().map_err(|_| anyhow!("a match has four seats"))
    }
}

fn find_builtin(game: &'static dyn Game, name: &str) -> Result<&'static ludus_games::game::Builtin> {
    let players = game.about().players;
    players.iter().find(|player| player.name == name).ok_or_else(|| anyhow!("{} has no player {name}", game.about().id))
}
