//! A recorded case: a folder with a config, the orders of every seat and the
//! record that an engine made of them.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use ludus_arena::{Match, Observer, OrderSource};
use ludus_games::record::{Header, RecordWriter};
use ludus_games::tokens::Tokens;
use ludus_games::{Engine, Game, Orders, PerSeat, Seat};

/// `case.json`.
#[derive(serde::Serialize, serde::Deserialize)]
pub struct Facts {
    pub game: String,
    pub seed: i32,
    pub names: PerSeat<String>,
    #[serde(default)]
    pub note: String,
}

pub const FACTS: &str = "case.json";
pub const CONFIG: &str = "input.cnf";
pub const ORDERS: &str = "orders.txt.gz";
pub const RECORD: &str = "expected.res.gz";

/// The most bytes that a file of a case may have once unpacked.
const LARGEST_FILE: u64 = 1 << 30;

/// The content of a file of a case, unpacked if its name ends in `.gz`.
pub fn read_file(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let open = || -> std::io::Result<Vec<u8>> {
        let file = File::open(folder.join(name))?;
        let mut content = Vec::new();
        if name.ends_with(".gz") {
            GzDecoder::new(file).take(LARGEST_FILE + 1).read_to_end(&mut content)?;
        } else {
            file.take(LARGEST_FILE + 1).read_to_end(&mut content)?;
        }
        Ok(content)
    };
    let content = open().with_context(|| format!("cannot read {name}"))?;
    if content.len() as u64 > LARGEST_FILE {
        bail!("{name} is larger than {} MB", LARGEST_FILE >> 20);
    }
    Ok(content)
}

/// The orders of a case, read a round at a time.
pub struct OrdersReader<'a> {
    lines: std::slice::Split<'a, u8, fn(&u8) -> bool>,
    first: i32,
    round: i32,
}

impl<'a> OrdersReader<'a> {
    pub fn new(text: &'a [u8], game: &dyn Game) -> Self {
        let first = game.about().counts_from;
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        OrdersReader { lines: text.split(|&c| c == b'\n'), first, round: first }
    }

    fn read_seat(&mut self, header: &[u8], seat: Seat, orders: &mut Orders) -> Result<()> {
        let mut tokens = Tokens::new(header);
        tokens.expect("round")?;
        tokens.int_in("the round", self.round..=self.round)?;
        tokens.expect("player")?;
        let player = seat.index() as i32 + self.first;
        tokens.int_in("the player", player..=player)?;
        let count = tokens.int_in("the number of orders", 0..=i32::MAX)?;
        orders.clear();
        let mut order = Vec::new();
        for _ in 0..count {
            let mut tokens = Tokens::new(self.lines.next().context("there are fewer orders than announced")?);
            order.clear();
            while !tokens.at_end() {
                order.push(tokens.int("a number of an order")?);
            }
            orders.push(&order);
        }
        Ok(())
    }
}

impl OrderSource for OrdersReader<'_> {
    type Error = anyhow::Error;

    fn orders(&mut self, _: &dyn Engine, orders: &mut PerSeat<Orders>) -> Result<()> {
        for seat in Seat::ALL {
            let header = self.lines.next().with_context(|| format!("{ORDERS} ends before round {}", self.round))?;
            self.read_seat(header, seat, &mut orders[seat]).with_context(|| {
                format!("{ORDERS}: round {} player {}", self.round, seat.index() as i32 + self.first)
            })?;
        }
        self.round += 1;
        Ok(())
    }
}

/// Writes a case while its match is played.
pub struct CaseWriter {
    folder: PathBuf,
    first: i32,
    orders: GzEncoder<Vec<u8>>,
    record: GzEncoder<Vec<u8>>,
    /// There is one when the match has begun.
    writer: Option<Box<dyn RecordWriter>>,
    buffer: Vec<u8>,
}

impl CaseWriter {
    pub fn create(folder: &Path, game: &dyn Game, config: &[u8], header: &Header) -> Result<CaseWriter> {
        std::fs::create_dir(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let facts = Facts {
            game: game.about().id.to_owned(),
            seed: header.seed,
            names: header.names.clone(),
            note: String::new(),
        };
        write(folder, FACTS, format!("{}\n", serde_json::to_string_pretty(&facts)?).as_bytes())?;
        write(folder, CONFIG, config)?;
        Ok(CaseWriter {
            folder: folder.to_owned(),
            first: game.about().counts_from,
            orders: GzEncoder::new(Vec::new(), Compression::best()),
            record: GzEncoder::new(Vec::new(), Compression::best()),
            writer: None,
            buffer: Vec::new(),
        })
    }

    fn write_orders<S>(&mut self, played: &Match<S>) -> std::io::Result<()> {
        let round = played.state().round() as i32 - 1 + self.first;
        for (seat, orders) in Seat::ALL.into_iter().zip(played.accepted()) {
            writeln!(self.orders, "round {round} player {} {}", seat.index() as i32 + self.first, orders.len())?;
            for order in orders.iter() {
                let words: Vec<String> = order.iter().map(i32::to_string).collect();
                writeln!(self.orders, "{}", words.join(" "))?;
            }
        }
        Ok(())
    }
}

impl<S> Observer<S, anyhow::Error> for CaseWriter {
    fn begin(&mut self, played: &Match<S>) -> Result<()> {
        self.writer = Some(played.begin_record(&mut self.buffer));
        Ok(self.record.write_all(&self.buffer)?)
    }

    fn round(&mut self, played: &mut Match<S>) -> Result<()> {
        self.write_orders(played)?;
        self.buffer.clear();
        let writer = self.writer.as_deref_mut().expect("a match begins before its first round");
        played.write_round(writer, &mut self.buffer);
        Ok(self.record.write_all(&self.buffer)?)
    }

    fn end(&mut self, _: &Match<S>) -> Result<()> {
        for (name, packed) in [(ORDERS, &mut self.orders), (RECORD, &mut self.record)] {
            packed.try_finish()?;
            write(&self.folder, name, packed.get_ref())?;
        }
        Ok(())
    }
}

fn write(folder: &Path, name: &str, content: &[u8]) -> Result<()> {
    let path = folder.join(name);
    std::fs::write(&path, content).with_context(|| format!("cannot write to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use ludus_arena::spoil::{inputs, spoil};
    use ludus_games::Generator;

    use super::*;

    #[test]
    fn spoilt_orders_are_read_or_refused() {
        let game = ludus_games::GAMES[0];
        let engine = game.read_config(game.about().default_config.as_bytes()).unwrap().start(1).unwrap();
        let round = |k: usize| {
            let seats = (0..4).map(|seat| format!("round {k} player {seat} 2\n{seat} 0 3 -1\n{k} 1 -1 -1\n"));
            seats.collect::<String>()
        };
        let text: String = (0..20).map(round).collect();
        let mut generator = Generator::new(5);
        let (mut whole, count) = (0, inputs(5_000));
        for _ in 0..count {
            let spoilt = spoil(text.as_bytes(), &mut generator);
            let (mut orders, mut reader) = (PerSeat::default(), OrdersReader::new(&spoilt, game));
            whole += usize::from((0..20).all(|_| reader.orders(&*engine, &mut orders).is_ok()));
        }
        assert!(whole > 0 && whole < count, "{whole} of {count} are whole");
    }
}
