//! What players write for their authors: shown with their name in front, and
//! kept by round if asked for.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use ludus_arena::Match;
use ludus_games::{PerSeat, Seat};

use crate::contestants::Contestant;

/// The most that is shown of one player's output; a file keeps more.
const MOST_SHOWN: usize = 64 << 10;

pub struct Diary {
    seats: PerSeat<Option<Pages>>,
    output: Vec<u8>,
}

/// The output of one seat.
struct Pages {
    label: String,
    shown: usize,
    file: Option<BufWriter<File>>,
}

impl Diary {
    pub fn new(players: &PerSeat<Contestant>, folder: Option<&Path>) -> Result<Diary> {
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let mut seats = [const { None }; Seat::COUNT];
        for (seat, player) in Seat::ALL.into_iter().zip(players) {
            if player.is_builtin() {
                continue;
            }
            let file = folder.map(|folder| {
                let path = folder.join(format!("{seat}-{}.log", player.name));
                File::create(&path).map(BufWriter::new).with_context(|| format!("cannot write to {}", path.display()))
            });
            seats[seat] = Some(Pages { label: format!("{}[{seat}]", player.name), shown: 0, file: file.transpose()? });
        }
        Ok(Diary { seats, output: Vec::new() })
    }

    /// Takes down what was written in the last round.
    pub fn round(&mut self, game: &mut Match) -> Result<()> {
        let round = game.state().round().saturating_sub(1);
        for seat in Seat::ALL {
            let Some(pages) = &mut self.seats[seat] else { continue };
            self.output.clear();
            game.take_output(seat, &mut self.output);
            if self.output.is_empty() {
                continue;
            }
            match &mut pages.file {
                Some(file) => {
                    writeln!(file, "round {round}")?;
                    file.write_all(&self.output)?;
                    if !self.output.ends_with(b"\n") {
                        writeln!(file)?;
                    }
                }
                None => pages.show(&self.output),
            }
        }
        Ok(())
    }
}

impl Pages {
    fn show(&mut self, output: &[u8]) {
        if self.shown > MOST_SHOWN {
            return;
        }
        for line in String::from_utf8_lossy(output).lines() {
            self.shown += line.len() + 1;
            if self.shown > MOST_SHOWN {
                eprintln!("{}: (more is not shown; --log DIR keeps it)", self.label);
                return;
            }
            eprintln!("{}: {}", self.label, plain(line));
        }
    }
}

/// A line without anything that a terminal would obey.
fn plain(line: &str) -> String {
    line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}
