//! What is kept of a match: its record, its case, its replay.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use ludus_arena::Match;
use ludus_arena::replay::Recorder;

use crate::case::CaseWriter;
use crate::output::Output;

/// Where the record goes.
pub enum Sink {
    File(Output),
    Stdout,
    Nowhere,
}

impl Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Sink::File(output) => output.write(bytes),
            Sink::Stdout => {
                std::io::stdout().lock().write_all(bytes).context("cannot write the record to standard output")
            }
            Sink::Nowhere => Ok(()),
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Sink::File(output) => output.finish(),
            Sink::Stdout => std::io::stdout().flush().context("cannot write the record to standard output"),
            Sink::Nowhere => Ok(()),
        }
    }
}

/// Everything that is kept of a match while it is played.
pub struct Keeping {
    record: Sink,
    case: Option<CaseWriter>,
    replay: Option<(Output, Recorder)>,
    /// The part of the record that has not been handed on.
    buffer: Vec<u8>,
}

impl Keeping {
    const BUFFER: usize = 1 << 17;

    pub fn new(record: Sink, case: Option<CaseWriter>) -> Keeping {
        Keeping { record, case, replay: None, buffer: Vec::with_capacity(Keeping::BUFFER) }
    }

    /// Keeps a replay too.
    pub fn keep_replay(&mut self, path: &Path, recorder: Recorder) -> Result<()> {
        self.replay = Some((Output::create(path)?, recorder));
        Ok(())
    }

    fn wants_record(&self) -> bool {
        self.case.is_some() || !matches!(self.record, Sink::Nowhere)
    }

    /// Before the first round.
    pub fn begin(&mut self, game: &Match) {
        if self.wants_record() {
            game.write_header(&mut self.buffer);
        }
    }

    /// After every round.
    pub fn round(&mut self, game: &Match) -> Result<()> {
        if self.wants_record() {
            game.write_round(&mut self.buffer);
        }
        if let Some(case) = &mut self.case {
            case.orders(game)?;
        }
        if let Some((_, recorder)) = &mut self.replay {
            recorder.round(game);
        }
        if self.buffer.len() >= Keeping::BUFFER / 2 {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.record.write(&self.buffer)?;
        if let Some(case) = &mut self.case {
            case.record(&self.buffer)?;
        }
        self.buffer.clear();
        Ok(())
    }

    /// After the match. Says whether the record went to standard output.
    pub fn finish(mut self, game: &Match) -> Result<bool> {
        self.flush()?;
        if let Some(case) = self.case {
            case.finish()?;
        }
        if let Some((mut output, recorder)) = self.replay {
            output.write(&recorder.finish(game))?;
            output.finish()?;
        }
        let on_stdout = matches!(self.record, Sink::Stdout);
        self.record.finish()?;
        Ok(on_stdout)
    }
}
