//! Players as native processes, for finding mistakes: under a debugger if
//! wanted, and without limits. Never used by a judge.

use std::ffi::OsString;
use std::io::{PipeReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use ludus_arena::{Fault, Player, Turn};
use ludus_games::{Orders, Seat};

use crate::build::TemporaryFolder;
use crate::player::read_orders;

/// What a program writes after everything else it writes in a round, so that
/// its output is not taken for that of another (`native.cc`, `native.rs`).
const END_OF_ROUND: &[u8] = b"\x1eludus\x1e";

/// How long the rest of a program's output is waited for once it has answered
/// or ended. It is nearly always there; a child of it may keep the pipe open.
const PATIENCE: Duration = Duration::from_secs(2);

/// A program in a seat, as a process of its own. Its crash freezes its seat.
pub struct NativePlayer {
    program: PathBuf,
    debugger: Vec<OsString>,
    seed: i32,
    seat: Seat,
    process: Option<Process>,
}

struct Process {
    child: Child,
    stream: UnixStream,
    output: Arc<Output>,
    _folder: TemporaryFolder,
}

impl NativePlayer {
    /// `debugger` is a command before the program, such as `gdb --args`; none
    /// starts the program itself.
    pub fn new(program: PathBuf, debugger: Vec<OsString>, seed: i32, seat: Seat) -> NativePlayer {
        NativePlayer { program, debugger, seed, seat, process: None }
    }

    fn start(&self) -> std::io::Result<Process> {
        let folder = TemporaryFolder::new(&std::env::temp_dir()).map_err(std::io::Error::other)?;
        let path = folder.path().join("match.socket");
        let listener = UnixListener::bind(&path)?;
        listener.set_nonblocking(true)?;
        let mut command = match self.debugger.split_first() {
            Some((debugger, rest)) => {
                let mut command = Command::new(debugger);
                command.args(rest).arg(&self.program);
                command
            }
            None => Command::new(&self.program),
        };
        let output = Arc::new(Output::default());
        // A debugger has the terminal for itself.
        if self.debugger.is_empty() {
            let (reader, writer) = std::io::pipe()?;
            command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).env("LUDUS_MARKS", "1");
            let output = output.clone();
            std::thread::spawn(move || output.collect(reader));
        } else {
            output.finish();
        }
        // Checks of the library abort and name a line of theirs; the author wants to
        // know which function of the player led there.
        for (name, value) in [("ASAN_OPTIONS", "handle_abort=1"), ("UBSAN_OPTIONS", "print_stacktrace=1")] {
            if std::env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        let mut child = command.env("LUDUS_SOCKET", &path).spawn()?;
        // It holds the writing ends of the pipe, which must end with the child.
        drop(command);
        let stream = accept(&listener, &mut child)?;
        Ok(Process { child, stream, output, _folder: folder })
    }
}

impl Process {
    fn introduce(&mut self, settings: &[u8], seat: Seat, seed: i32) -> std::io::Result<()> {
        for number in [1, settings.len() as i32, seat.index() as i32, seed] {
            self.stream.write_all(&number.to_le_bytes())?;
        }
        self.stream.write_all(settings)?;
        self.answer().map(drop)
    }

    fn answer(&mut self) -> std::io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length)?;
        let mut answer = Vec::new();
        (&self.stream).take(u64::from(u32::from_le_bytes(length))).read_to_end(&mut answer)?;
        Ok(answer)
    }

    fn play(&mut self, view: &[u8]) -> std::io::Result<Vec<u8>> {
        self.stream.write_all(&2i32.to_le_bytes())?;
        self.stream.write_all(&(view.len() as i32).to_le_bytes())?;
        self.stream.write_all(view)?;
        let answer = self.answer()?;
        self.output.wait_for_a_mark();
        Ok(answer)
    }

    /// How the process ended, once it has.
    fn end(&mut self) -> String {
        let ended = self.child.wait();
        self.output.wait_for_the_end();
        match ended {
            Ok(status) => format!("the process ended: {status}"),
            Err(error) => format!("the process is lost: {error}"),
        }
    }
}

impl Player for NativePlayer {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if self.process.is_none() {
            let started = self.start().map_err(|error| Fault::Trap(format!("the process did not start: {error}")))?;
            let mut settings = Vec::new();
            turn.state.game().write_settings(turn.state, &mut settings);
            let process = self.process.insert(started);
            process.introduce(&settings, self.seat, self.seed).map_err(|_| Fault::Trap(process.end()))?;
        }
        let process = self.process.as_mut().expect("it has just been started");
        let answer = turn.with_view(|view| process.play(view)).map_err(|_| Fault::Trap(process.end()))?;
        read_orders(&answer, 0, orders).map_err(|failure| failure.fault())
    }

    fn take_output(&mut self, output: &mut Vec<u8>) {
        if let Some(process) = &mut self.process
            && let Ok(mut collected) = process.output.collected.lock()
        {
            output.append(&mut collected.bytes);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The player ends by itself when its stream does; one that hangs is killed.
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
        let deadline = Instant::now() + Duration::from_secs(2);
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the program to connect, or to end without doing so.
fn accept(listener: &UnixListener, child: &mut Child) -> std::io::Result<UnixStream> {
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                return Ok(stream);
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if let Some(status) = child.try_wait()? {
            return Err(std::io::Error::other(format!("it ended first: {status}")));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What a program has written and nobody has taken yet.
#[derive(Default)]
struct Output {
    collected: Mutex<Collected>,
    changed: Condvar,
}

#[derive(Default)]
struct Collected {
    bytes: Vec<u8>,
    /// Marks that were read and not waited for.
    marks: u32,
    ended: bool,
}

impl Output {
    fn collect(&self, mut from: PipeReader) {
        let mut piece = [0; 8192];
        // A mark may come in two pieces, so its beginning is held back.
        let mut pending = Vec::new();
        while let Ok(count @ 1..) = from.read(&mut piece) {
            pending.extend_from_slice(&piece[..count]);
            let Ok(mut collected) = self.collected.lock() else { return };
            while let Some(at) = pending.windows(END_OF_ROUND.len()).position(|window| window == END_OF_ROUND) {
                collected.bytes.extend(pending.drain(..at));
                pending.drain(..END_OF_ROUND.len());
                collected.marks += 1;
            }
            let held = (0..END_OF_ROUND.len()).rev().find(|&len| pending.ends_with(&END_OF_ROUND[..len])).unwrap_or(0);
            collected.bytes.extend(pending.drain(..pending.len() - held));
            self.changed.notify_all();
        }
        if let Ok(mut collected) = self.collected.lock() {
            collected.bytes.append(&mut pending);
        }
        self.finish();
    }

    fn finish(&self) {
        if let Ok(mut collected) = self.collected.lock() {
            collected.ended = true;
            self.changed.notify_all();
        }
    }

    /// Waits until everything is there that was written before an answer.
    fn wait_for_a_mark(&self) {
        let Ok(collected) = self.collected.lock() else { return };
        let waited = self.changed.wait_timeout_while(collected, PATIENCE, |now| now.marks == 0 && !now.ended);
        if let Ok((mut collected, _)) = waited {
            collected.marks = collected.marks.saturating_sub(1);
        }
    }

    fn wait_for_the_end(&self) {
        if let Ok(collected) = self.collected.lock() {
            // What comes later is not worth waiting for.
            let _ = self.changed.wait_timeout_while(collected, PATIENCE, |now| !now.ended);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_cut_at_the_marks() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        for piece in [&b"one\x1elud"[..], b"us\x1etwo", b"\x1eludus\x1e\x1elu"] {
            writer.write_all(piece).unwrap();
        }
        drop(writer);
        let output = Output::default();
        output.collect(reader);
        let collected = output.collected.lock().unwrap();
        assert_eq!((&*collected.bytes, collected.marks), (&b"onetwo\x1elu"[..], 2));
    }
}
