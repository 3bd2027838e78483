//! Files that `ludus play` keeps of a match, each an observer of it: the record
//! and the replay.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use ludus_arena::replay::{DrawingLayer, Recorder};
use ludus_arena::{Match, Observer, Players};
use ludus_games::record::RecordWriter;

use crate::output::Output;

/// Writes the record of a match.
pub struct RecordFile {
    /// Standard output, if there is no file.
    file: Option<Output>,
    /// There is one when the match has begun.
    writer: Option<Box<dyn RecordWriter>>,
    /// What has not been handed on.
    buffer: Vec<u8>,
}

impl RecordFile {
    const BUFFER: usize = 1 << 17;

    pub fn create(path: &Path) -> Result<RecordFile> {
        Ok(RecordFile::to(Some(Output::create(path)?)))
    }

    pub fn on_stdout() -> RecordFile {
        RecordFile::to(None)
    }

    fn to(file: Option<Output>) -> RecordFile {
        RecordFile { file, writer: None, buffer: Vec::with_capacity(RecordFile::BUFFER) }
    }

    fn flush(&mut self) -> Result<()> {
        match &mut self.file {
            Some(file) => file.write(&self.buffer)?,
            None => std::io::stdout()
                .lock()
                .write_all(&self.buffer)
                .context("cannot write the record to standard output")?,
        }
        self.buffer.clear();
        Ok(())
    }
}

impl<S> Observer<S, anyhow::Error> for RecordFile {
    fn begin(&mut self, played: &Match<S>) -> Result<()> {
        self.writer = Some(played.begin_record(&mut self.buffer));
        Ok(())
    }

    fn round(&mut self, played: &mut Match<S>) -> Result<()> {
        let writer = self.writer.as_deref_mut().expect("a match begins before its first round");
        played.write_round(writer, &mut self.buffer);
        if self.buffer.len() >= RecordFile::BUFFER / 2 {
            self.flush()?;
        }
        Ok(())
    }

    fn end(&mut self, _: &Match<S>) -> Result<()> {
        self.flush()?;
        match self.file.take() {
            Some(file) => file.finish(),
            None => std::io::stdout().flush().context("cannot write the record to standard output"),
        }
    }
}

/// Writes the replay of a match.
pub struct ReplayFile {
    file: Output,
    recorder: Recorder,
    drawing: DrawingLayer,
}

impl ReplayFile {
    pub fn create(path: &Path, recorder: Recorder) -> Result<ReplayFile> {
        Ok(ReplayFile { file: Output::create(path)?, recorder, drawing: DrawingLayer::default() })
    }

    /// Completes the file, once the match is over.
    pub fn finish(mut self, played: &Match) -> Result<()> {
        self.file.write(&self.drawing.add_to(self.recorder.finish(played)))?;
        self.file.finish()
    }
}

impl Observer<Players, anyhow::Error> for ReplayFile {
    fn round(&mut self, played: &mut Match) -> Result<()> {
        self.recorder.round(played);
        self.drawing.round(played)
    }
}
