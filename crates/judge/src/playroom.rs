//! Matches in processes of their own, which can be stopped at any moment.
//!
//! The judge starts its own program again for every match, or for a few of an
//! official round, with nothing in its environment, tells it over its standard
//! input what to play, and reads what became of it from its standard output. A player that takes far more CPU than
//! its fuel stands for ends the match, not the worker; and whatever else the
//! process dies of, it dies alone, and gives back all its memory.

mod letter;

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use ludus_arena::replay::Recorder;
use ludus_arena::{Entrant, Match, Observer, Player, Players, builtin};
use ludus_games::game::Stuck;
use ludus_games::{Game, PerSeat, Seat};
use ludus_sandbox::build::Jail;
use ludus_sandbox::{Introduction, Limits, Overtime, Sandbox, Translator, cpu_time};

use crate::downloads::CpuMeter;
use crate::matches::SeatFault;
use crate::workshop::printable;
use letter::{Reader, Writer};

/// The argument with which the judge's program is started to play a match.
pub const PLAY: &str = "play-match";

/// How often the clocks of the players are looked at.
const TICK: Duration = Duration::from_millis(50);

/// The CPU time that a player has to say who it is.
const INTRODUCTION: Duration = Duration::from_secs(5);

/// What a match may take besides the CPU of its players, and how many times as
/// long all that may last on a machine with other things to do. It is there for
/// machines that are stuck.
const BESIDES: Duration = Duration::from_secs(120);
const BUSY: u32 = 4;

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
    pub seats: PerSeat<Seated>,
}

/// A name, and a module unless the player comes with the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seated {
    pub name: String,
    pub module: Option<Vec<u8>>,
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

/// A match that was given up, because the player in a seat took more CPU than
/// it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overran {
    pub seat: Seat,
    pub allowed: Duration,
}

impl std::error::Error for Overran {}

impl fmt::Display for Overran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the player in seat {} took more than {:?} of CPU", self.seat.index(), self.allowed)
    }
}

/// The program that plays, and where compiled modules are.
#[derive(Clone, Debug)]
pub struct Playroom {
    pub program: PathBuf,
    pub cache: PathBuf,
}

impl Playroom {
    /// Plays a match. An error is an [`Overran`], or trouble of the machine.
    pub fn play(&self, order: &Order) -> Result<Finished> {
        self.play_all(std::slice::from_ref(order)).pop().unwrap_or_else(|| Err(anyhow!("{NO_ANSWER}")))
    }

    /// Plays matches one after the other in one process, until one cannot be
    /// played: the last result is its error then, and the others are missing.
    pub fn play_all(&self, orders: &[Order]) -> Vec<Result<Finished>> {
        let longest: Duration = orders.iter().map(|order| order.allowed * Seat::COUNT as u32).sum();
        let mut letter = Writer::new("play");
        orders.iter().for_each(|order| letter.bytes(&order.written()));
        let answers = match self.ask(letter.done(), (BESIDES + longest) * BUSY) {
            Ok(answers) => answers,
            Err(error) => return vec![Err(error)],
        };
        let mut answers = Reader::all(&answers);
        let mut finished = Vec::new();
        for order in orders {
            let answer = answers.bytes().ok_or_else(|| anyhow!("{NO_ANSWER}"));
            finished.push(answer.and_then(|answer| read_answer(&answer, order.allowed)));
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
        let answer = self.ask(letter.done(), (BESIDES + INTRODUCTION) * BUSY)?;
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
    fn ask(&self, letter: Vec<u8>, longest: Duration) -> Result<Vec<u8>> {
        let mut command = Command::new(&self.program);
        command.arg(PLAY).arg(&self.cache).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("a match cannot be started")?;
        let (mut input, mut output) = (child.stdin.take(), child.stdout.take());
        let (send, answer) = mpsc::channel();
        std::thread::spawn(move || {
            // Whoever is not there to read it has ended, which is noticed below.
            let _ = input.take().map(|mut input| input.write_all(&letter));
            let mut answer = Vec::new();
            let read = output.as_mut().map(|output| output.read_to_end(&mut answer));
            let _ = send.send(read.is_some_and(|read| read.is_ok()).then_some(answer));
        });
        let answer = answer.recv_timeout(longest);
        if answer.is_err() {
            // It may have ended by itself in the meantime.
            let _ = child.kill();
        }
        let status = child.wait().context("the end of a match is not known")?;
        match answer {
            Ok(Some(answer)) if status.success() => Ok(answer),
            Ok(_) => bail!("the process of a match ended with {status}"),
            Err(_) => bail!("a match took longer than {} s", longest.as_secs()),
        }
    }
}

/// The whole work of a program that was started with [`PLAY`].
pub fn play() -> ExitCode {
    let cache = std::env::args_os().nth(2).map(PathBuf::from).unwrap_or_default();
    let mut letter = Vec::new();
    let done = io::stdin().read_to_end(&mut letter).map_err(anyhow::Error::from).and_then(|_| {
        match Reader::of("introduce", &letter).and_then(|mut letter| letter.bytes()) {
            Some(wasm) => introduce(&wasm, &cache),
            None => Order::read_all(&letter)
                .ok_or_else(|| anyhow!("the order of a match cannot be read"))
                .and_then(|orders| carry_out(&orders, &cache)),
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut letter = Writer::new("trouble");
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
    let sandbox = translating_sandbox(1, cache)?;
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

/// A sandbox whose machine code is made in the jail.
fn translating_sandbox(instances: u32, cache: &Path) -> Result<Sandbox> {
    let sandbox = Sandbox::new(instances).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
    let translator = Translator::new(std::env::current_exe()?, Jail::Bubblewrap, cache.to_owned());
    Ok(sandbox.translated_by(translator))
}

/// What the players have written.
#[derive(Default)]
struct Written(PerSeat<Vec<u8>>);

impl<E> Observer<Players, E> for Written {
    fn round(&mut self, played: &mut Match) -> Result<(), E> {
        Seat::ALL.iter().for_each(|&seat| played.take_output(seat, &mut self.0[seat]));
        Ok(())
    }
}

/// Plays matches one after the other and sends what becomes of each.
fn carry_out(orders: &[Order], cache: &Path) -> Result<()> {
    let clock: Arc<Mutex<Option<Arc<Overtime>>>> = Arc::default();
    // Whoever has something to say first says it, and nobody else does.
    let turn_to_speak = Arc::new(Mutex::new(()));
    std::thread::spawn({
        let (clock, speaker) = (clock.clone(), turn_to_speak.clone());
        move || watch(&clock, &speaker)
    });
    let sandbox = translating_sandbox(Seat::COUNT as u32, cache)?;
    for order in orders {
        let overtime = Overtime::after(order.allowed);
        *clock.lock().unwrap_or_else(PoisonError::into_inner) = Some(overtime.clone());
        let finished = order.play_out(&sandbox, cache, &overtime)?;
        let _speaking = turn_to_speak.lock().unwrap_or_else(PoisonError::into_inner);
        finished.send().context("what became of a match cannot be told")?;
    }
    Ok(())
}

/// Ends the process when a player takes more than it may, or when nobody is
/// there any more to be told.
fn watch(clock: &Mutex<Option<Arc<Overtime>>>, speaker: &Mutex<()>) {
    let parent = std::os::unix::process::parent_id();
    loop {
        std::thread::sleep(TICK);
        let overtime = clock.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(seat) = overtime.and_then(|overtime| overtime.of()) {
            let _speaking = speaker.lock().unwrap_or_else(PoisonError::into_inner);
            let mut letter = Writer::new("overtime");
            letter.number(seat.index() as i64);
            std::process::exit(i32::from(letter.send_framed().is_err()));
        }
        if std::os::unix::process::parent_id() != parent {
            std::process::exit(1);
        }
    }
}

impl Order {
    fn play_out(&self, sandbox: &Sandbox, cache: &Path, overtime: &Arc<Overtime>) -> Result<Finished> {
        let game = ludus_games::find(&self.game).ok_or_else(|| anyhow!("there is no game {}", self.game))?;
        let mut players: Vec<Entrant> = Vec::new();
        for (seat, seated) in Seat::ALL.into_iter().zip(&self.seats) {
            let player: Box<dyn Player> = match &seated.module {
                Some(wasm) => {
                    let module =
                        sandbox.load_cached(wasm, cache).with_context(|| format!("the module of {}", seated.name))?;
                    overtime.watch(seat, Box::new(module.player(self.limits.clone(), self.seed, seat)))
                }
                None => builtin(find_builtin(game, &seated.name)?, self.seed, seat),
            };
            players.push(Entrant { name: seated.name.clone(), player });
        }
        let entrants: PerSeat<Entrant> = players.try_into().map_err(|_| anyhow!("a match has four seats"))?;
        let config = game.read_config(self.config.as_bytes()).map_err(|error| anyhow!("the config: {error}"))?;
        let mut played =
            Match::new(&*config, self.seed, entrants).map_err(|error| anyhow!("the config: {error}"))?.judged();
        let mut recorder = Recorder::new(game, self.config.as_bytes(), &played);
        let mut cpu = CpuMeter::new(&played);
        let mut written = Written::default();
        played.run::<Stuck>(&mut [&mut recorder, &mut cpu, &mut written])?;
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

    fn written(&self) -> Vec<u8> {
        let mut letter = Writer::new("match");
        letter.text(&self.game);
        letter.text(&self.config);
        letter.number(i64::from(self.seed));
        letter.number(self.limits.fuel as i64);
        letter.number(self.limits.fuel_per_round.map_or(-1, |fuel| fuel as i64));
        letter.number(self.limits.memory as i64);
        letter.number(self.limits.output as i64);
        letter.number(i64::from(self.limits.metered));
        letter.number(self.allowed.as_millis() as i64);
        for seated in &self.seats {
            letter.text(&seated.name);
            letter.bytes(seated.module.as_deref().unwrap_or_default());
        }
        letter.done()
    }

    fn read_all(letter: &[u8]) -> Option<Vec<Order>> {
        let mut letter = Reader::of("play", letter)?;
        let mut orders = Vec::new();
        while !letter.is_over() {
            orders.push(Order::read(&letter.bytes()?)?);
        }
        Some(orders)
    }

    fn read(letter: &[u8]) -> Option<Order> {
        let mut letter = Reader::of("match", letter)?;
        let (game, config) = (letter.text()?, letter.text()?);
        let seed = i32::try_from(letter.number()?).ok()?;
        let limits = Limits {
            fuel: u64::try_from(letter.number()?).ok()?,
            fuel_per_round: u64::try_from(letter.number()?).ok(),
            memory: usize::try_from(letter.number()?).ok()?,
            output: usize::try_from(letter.number()?).ok()?,
            metered: letter.number()? == 1,
        };
        let allowed = Duration::from_millis(u64::try_from(letter.number()?).ok()?);
        let mut seats: PerSeat<Seated> = PerSeat::default();
        for seated in &mut seats {
            seated.name = letter.text()?;
            // No module is empty.
            seated.module = Some(letter.bytes()?).filter(|bytes| !bytes.is_empty());
        }
        Some(Order { game, config, seed, limits, allowed, seats })
    }
}

impl Finished {
    fn send(&self) -> io::Result<()> {
        let mut letter = Writer::new("played");
        letter.number(i64::from(self.rounds));
        letter.bytes(&self.replay);
        letter.bytes(&self.cpu);
        for seat in &self.seats {
            letter.number(seat.score);
            letter.number(seat.rank);
            letter.number(seat.cpu);
            letter.number(seat.fault.as_ref().map_or(-1, |(round, _)| *round));
            letter.text(seat.fault.as_ref().map_or("", |(_, fault)| fault.stored()));
            letter.bytes(&seat.output);
        }
        letter.send_framed()
    }

    fn read(mut letter: Reader<'_>) -> Option<Finished> {
        let mut finished = Finished { rounds: u32::try_from(letter.number()?).ok()?, ..Finished::default() };
        (finished.replay, finished.cpu) = (letter.bytes()?, letter.bytes()?);
        for seat in &mut finished.seats {
            (seat.score, seat.rank, seat.cpu) = (letter.number()?, letter.number()?, letter.number()?);
            let (round, fault) = (letter.number()?, letter.text()?);
            seat.fault = (round >= 0).then_some((round, SeatFault::of_stored(fault)));
            seat.output = letter.bytes()?;
        }
        Some(finished)
    }
}

fn read_answer(answer: &[u8], allowed: Duration) -> Result<Finished> {
    if let Some(letter) = Reader::of("played", answer) {
        return Finished::read(letter).ok_or_else(|| anyhow!("what became of a match cannot be read"));
    }
    if let Some(mut letter) = Reader::of("overtime", answer) {
        let seat = letter.number().and_then(|seat| Seat::ALL.get(usize::try_from(seat).ok()?).copied());
        return Err(Overran { seat: seat.ok_or_else(|| anyhow!("no seat {answer:?}"))?, allowed }.into());
    }
    let trouble = Reader::of("trouble", answer).and_then(|mut letter| letter.text());
    bail!("a match could not be played: {}", printable(&trouble.unwrap_or_else(|| NO_ANSWER.to_owned())))
}

fn find_builtin(game: &'static dyn Game, name: &str) -> Result<&'static ludus_games::game::Builtin> {
    let players = game.about().players;
    players.iter().find(|player| player.name == name).ok_or_else(|| anyhow!("{} has no player {name}", game.about().id))
}
