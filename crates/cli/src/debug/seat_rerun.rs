//! A match in which three seats give recorded orders and one is asked again.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use ludus_arena::replay::{Broken, Replay, Rounds};
use ludus_arena::{Fault, Halt, OrderSource, Player, Turn, Views};
use ludus_games::{Engine, Orders, PerSeat, Seat};

use crate::output::plain;

/// The most words of orders that are shown of one answer.
const MOST_SHOWN: usize = 40;

/// Recorded orders, and a player that is asked again.
pub struct SeatRerun<'a> {
    replay: &'a Replay,
    rounds: Rounds<'a>,
    seat: Seat,
    player: Box<dyn Player>,
    views: Views,
    asked: Orders,
    as_recorded: bool,
    report: Report,
}

/// Why it went no further.
pub enum Ended {
    NoMoreRounds,
    Broken(Broken),
    Died(u32, Fault),
    Failed(anyhow::Error),
    Stuck(u32, String),
}

impl From<Halt<Ended>> for Ended {
    fn from(halt: Halt<Ended>) -> Ended {
        match halt {
            Halt::NoOrders(ended) => ended,
            Halt::Stuck { round, error } => Ended::Stuck(round, error.to_string()),
        }
    }
}

impl<'a> SeatRerun<'a> {
    pub fn new(
        replay: &'a Replay,
        seat: Seat,
        player: Box<dyn Player>,
        as_recorded: bool,
        report: Report,
    ) -> SeatRerun<'a> {
        let (views, asked, rounds) = (Views::default(), Orders::new(), replay.rounds());
        SeatRerun { replay, rounds, seat, player, views, asked, as_recorded, report }
    }

    /// Says what came of it all.
    pub fn finish(mut self, ended: Result<(), Ended>) -> Result<ExitCode> {
        self.report.flush()?;
        let recorded = &self.replay.ending.faults[self.seat];
        match ended {
            Ok(()) | Err(Ended::NoMoreRounds) => {}
            Err(Ended::Broken(broken)) => return Err(broken.into()),
            Err(Ended::Failed(error)) => return Err(error),
            Err(Ended::Stuck(round, error)) => eprintln!("round {round}: the rules find no way to go on: {error}"),
            Err(Ended::Died(round, fault)) => {
                eprintln!("round {round}: the player is frozen: {}", plain(&fault.to_string()));
                match recorded {
                    Some((then, why)) if *then == round => eprintln!("as recorded: {}", plain(&why.to_string())),
                    Some((then, why)) => eprintln!("recorded is round {then}: {}", plain(&why.to_string())),
                    None => eprintln!("the recorded player was not frozen"),
                }
                return Ok(ExitCode::from(1));
            }
        }
        let text = match (self.report.first, self.report.count) {
            (None, rounds) => format!("every answer of {rounds} rounds is as recorded"),
            (Some(first), _) => format!("the answers begin to differ in round {first}, {} differ", self.report.differ),
        };
        writeln!(std::io::stdout(), "{text}")?;
        Ok(ExitCode::from(u8::from(self.report.first.is_some())))
    }
}

impl OrderSource for SeatRerun<'_> {
    type Error = Ended;

    fn orders(&mut self, engine: &dyn Engine, orders: &mut PerSeat<Orders>) -> Result<(), Ended> {
        let round = self.rounds.next_round().ok_or(Ended::NoMoreRounds)?.map_err(Ended::Broken)?;
        orders.clone_from(&round.orders);
        let (number, seat) = (engine.state().round(), self.seat);
        self.views.clear();
        self.asked.clear();
        let before = self.player.fuel();
        let done = self.player.play(Turn { state: engine.state(), seat, views: &self.views }, &mut self.asked);
        let mut output = Vec::new();
        self.player.take_output(&mut output);
        self.report.output(number, &output).map_err(Ended::Failed)?;
        done.map_err(|fault| Ended::Died(number, fault))?;
        let mut accepted = Orders::new();
        engine.accept(seat, &self.asked, &mut accepted).map_err(|fault| Ended::Died(number, fault.into()))?;
        self.report.answer(number, self.player.fuel() - before, &round.orders[seat], &accepted);
        if !self.as_recorded {
            orders[seat] = accepted;
        }
        Ok(())
    }
}

/// What is told of the rounds.
pub struct Report {
    label: String,
    /// Whether every round is told of, from which one on.
    every_round: bool,
    from: u32,
    log: Option<BufWriter<File>>,
    /// The first round whose answer differs, how many do, and how many there are.
    first: Option<u32>,
    differ: u32,
    count: u32,
}

impl Report {
    pub fn new(replay: &Replay, seat: Seat, every_round: bool, from: u32, folder: Option<&Path>) -> Result<Report> {
        let name = plain(&replay.setup.header.names[seat]);
        let create = |folder: &Path| {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
            let path = folder.join(format!("{}-debug.log", seat.ordinal()));
            let file = File::create(&path).with_context(|| format!("cannot write to {}", path.display()))?;
            Ok::<_, anyhow::Error>(BufWriter::new(file))
        };
        let log = folder.map(create).transpose()?;
        let label = format!("{name}[{}]", seat.ordinal());
        Ok(Report { label, every_round, from, log, first: None, differ: 0, count: 0 })
    }

    fn output(&mut self, round: u32, output: &[u8]) -> Result<()> {
        if output.is_empty() {
            return Ok(());
        }
        if let Some(log) = &mut self.log {
            writeln!(log, "round {round}").and_then(|()| log.write_all(output)).context("cannot write the log")?;
        } else if round >= self.from {
            for line in String::from_utf8_lossy(output).lines() {
                eprintln!("{}: {}", self.label, plain(line));
            }
        }
        Ok(())
    }

    fn answer(&mut self, round: u32, fuel: u64, recorded: &Orders, given: &Orders) {
        self.count += 1;
        let differs = recorded != given;
        self.differ += u32::from(differs);
        if differs && self.first.is_none() {
            self.first = Some(round);
            eprintln!("round {round}: the answer differs from the recorded one");
            eprintln!("  recorded: {}", shown(recorded));
            eprintln!("  now:      {}", shown(given));
        } else if self.every_round && round >= self.from {
            let same = if differs { "other than recorded" } else { "as recorded" };
            eprintln!("round {round}: {fuel} units of fuel, {} orders, {same}: {}", given.iter().count(), shown(given));
        }
    }

    fn flush(&mut self) -> Result<()> {
        self.log.as_mut().map_or(Ok(()), std::io::Write::flush).context("cannot write the log")
    }
}

fn shown(orders: &Orders) -> String {
    let mut text = String::new();
    let mut words = 0;
    for order in orders.iter() {
        words += order.len();
        if words > MOST_SHOWN {
            text.push_str(" ...");
            break;
        }
        let order: Vec<String> = order.iter().map(i32::to_string).collect();
        text.push_str(&format!("{}({})", if text.is_empty() { "" } else { " " }, order.join(" ")));
    }
    if text.is_empty() { "none".to_owned() } else { text }
}
