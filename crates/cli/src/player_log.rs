//! What players write for their authors: shown with their name in front, and
//! kept by round if asked for.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ludus_arena::{Match, Observer, Players};
use ludus_games::{PerSeat, Seat};

use crate::contestants::Contestant;
use crate::output::plain;

/// The most that is shown of one player's output; a file keeps more.
const MOST_SHOWN: usize = 64 << 10;

/// Takes down what the players of a match write.
pub struct PlayerLog {
    seats: PerSeat<Option<SeatLog>>,
    output: Vec<u8>,
}

/// The output of one seat.
struct SeatLog {
    label: String,
    shown: usize,
    file: Option<(PathBuf, BufWriter<File>)>,
}

impl PlayerLog {
    pub fn new(players: &PerSeat<Contestant>, folder: Option<&Path>) -> Result<PlayerLog> {
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let mut seats = [const { None }; Seat::COUNT];
        for (seat, player) in Seat::ALL.into_iter().zip(players) {
            if player.is_builtin() {
                continue;
            }
            let file = folder.map(|folder| {
                let path = folder.join(format!("{}-{}.log", seat.ordinal(), player.name));
                let file = File::create(&path).with_context(|| format!("cannot write to {}", path.display()))?;
                Ok::<_, anyhow::Error>((path, BufWriter::new(file)))
            });
            seats[seat] = Some(SeatLog {
                label: format!("{}[{}]", player.name, seat.ordinal()),
                shown: 0,
                file: file.transpose()?,
            });
        }
        Ok(PlayerLog { seats, output: Vec::new() })
    }
}

impl Observer<Players, anyhow::Error> for PlayerLog {
    fn round(&mut self, played: &mut Match) -> Result<()> {
        let round = played.state().round().saturating_sub(1);
        for seat in Seat::ALL {
            let Some(log) = &mut self.seats[seat] else { continue };
            self.output.clear();
            played.take_output(seat, &mut self.output);
            if !self.output.is_empty() {
                log.take(round, &self.output)?;
            }
        }
        Ok(())
    }

    /// The last lines are still in memory, and may not find room either.
    fn end(&mut self, _: &Match) -> Result<()> {
        for (path, file) in self.seats.iter_mut().flatten().filter_map(|log| log.file.as_mut()) {
            file.flush().with_context(|| format!("cannot write to {}", path.display()))?;
        }
        Ok(())
    }
}

impl SeatLog {
    fn take(&mut self, round: u32, output: &[u8]) -> Result<()> {
        let Some((path, file)) = &mut self.file else {
            self.show(output);
            return Ok(());
        };
        let end: &[u8] = if output.ends_with(b"\n") { b"" } else { b"\n" };
        writeln!(file, "round {round}")
            .and_then(|()| file.write_all(output))
            .and_then(|()| file.write_all(end))
            .with_context(|| format!("cannot write to {}", path.display()))
    }

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
            // Columns stay columns.
            let columns: Vec<String> = line.split('\t').map(plain).collect();
            eprintln!("{}: {}", self.label, columns.join("\t"));
        }
    }
}

/// Takes down what the players of one match of many write, for files of their
/// own; who writes nothing has none.
pub struct MatchLog {
    files: PerSeat<Option<PathBuf>>,
    written: PerSeat<Vec<u8>>,
}

impl MatchLog {
    pub fn new(files: PerSeat<Option<PathBuf>>) -> MatchLog {
        MatchLog { files, written: PerSeat::default() }
    }

    /// Writes the files, once the match is over.
    pub fn finish(self) -> Result<()> {
        for (file, written) in self.files.into_iter().zip(self.written) {
            if let Some(path) = file.filter(|_| !written.is_empty()) {
                std::fs::write(&path, written).with_context(|| format!("cannot write to {}", path.display()))?;
            }
        }
        Ok(())
    }
}

impl<E> Observer<Players, E> for MatchLog {
    fn round(&mut self, played: &mut Match) -> Result<(), E> {
        let round = played.state().round().saturating_sub(1);
        let mut output = Vec::new();
        for seat in Seat::ALL.into_iter().filter(|&seat| self.files[seat].is_some()) {
            played.take_output(seat, &mut output);
            if !output.is_empty() {
                let written = &mut self.written[seat];
                written.extend_from_slice(format!("round {round}\n").as_bytes());
                written.append(&mut output);
                if !written.ends_with(b"\n") {
                    written.push(b'\n');
                }
            }
        }
        Ok(())
    }
}
