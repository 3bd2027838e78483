//! Players as native processes, for finding mistakes: with debug information,
//! under a debugger if wanted, and without limits. Never used by a judge.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ludus_arena::{Fault, Player, Turn};
use ludus_games::{Orders, Seat};

use super::jail::which;
use super::{BuildError, Builder, TemporaryFolder, hash, sdk};
use crate::player::{Failure, read_orders};

const FLAGS: [&str; 11] = [
    "-ftrivial-auto-var-init=zero",
    "-fno-lifetime-dse",
    "-g",
    "-O1",
    "-std=gnu++17",
    "-fno-omit-frame-pointer",
    "-fno-strict-aliasing",
    "-Wall",
    "-Wno-unused-variable",
    "-Wno-register",
    "-w",
];

impl Builder {
    /// Compiles a C++ player for this machine; the program is kept in the cache,
    /// so that a debugger finds it again.
    pub fn build_native(&self, game: &str, source: &Path) -> Result<PathBuf, BuildError> {
        let compiler = ["g++", "clang++", "clang++-19"].into_iter().find_map(which).ok_or_else(|| {
            BuildError::Missing { what: "a native C++ compiler".to_owned(), install: "apt-get install g++".to_owned() }
        })?;
        let source = source.canonicalize().map_err(BuildError::io(source.display().to_string()))?;
        let text = std::fs::read(&source).map_err(BuildError::io(source.display().to_string()))?;
        let sdk = sdk::unpack(self.cache())?.join("cpp");
        let key =
            hash(&[sdk.as_os_str().as_encoded_bytes(), source.as_os_str().as_encoded_bytes(), game.as_bytes(), &text]);
        let program = self.cache().join("native").join(&key);
        if program.is_file() {
            return Ok(program);
        }
        let folder = TemporaryFolder::new(self.cache())?;
        let out = folder.path().join("player");
        let own = sdk.join(game);
        let shared = sdk.join("shared");
        let mut command = Command::new(compiler);
        command.args(FLAGS).arg(format!("-DLUDUS_GAME=\"{game}\"")).arg("-I").arg(&own).arg("-I").arg(&shared);
        command.arg(&source).args(["runtime.cc", "native.cc"].map(|name| shared.join(name)));
        if own.join("Player.hh").is_file() {
            command.args(["registry.cc", "glue.cc"].map(|name| shared.join(name)));
        } else {
            command.arg(own.join("glue.cc"));
        }
        let output = command.arg("-o").arg(&out).output().map_err(BuildError::io("cannot start the compiler"))?;
        if !output.status.success() {
            return Err(BuildError::Compiler(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let keep = || {
            std::fs::create_dir_all(self.cache().join("native"))?;
            std::fs::rename(&out, &program)
        };
        keep().map_err(BuildError::io("cannot write to the cache"))?;
        Ok(program)
    }
}

/// The compiler for native players.
pub fn compiler() -> Result<PathBuf, BuildError> {
    ["g++", "clang++", "clang++-19"].into_iter().find_map(which).ok_or_else(|| BuildError::Missing {
        what: "a native C++ compiler".to_owned(),
        install: "apt-get install g++".to_owned(),
    })
}

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
    output: Arc<Mutex<Vec<u8>>>,
    _folder: TemporaryFolder,
}

impl NativePlayer {
    /// `debugger` is a command before the program, such as `gdb --args`; none
    /// starts the program itself.
    pub fn new(program: PathBuf, debugger: Vec<OsString>, seed: i32, seat: Seat) -> NativePlayer {
        NativePlayer { program, debugger, seed, seat, process: None }
    }

    fn start(&self, turn: Turn<'_>) -> std::io::Result<Process> {
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
            None => {
                let mut command = Command::new(&self.program);
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
                command
            }
        };
        let mut child = command.env("LUDUS_SOCKET", &path).spawn()?;
        let output = Arc::new(Mutex::new(Vec::new()));
        if let Some(stderr) = child.stderr.take() {
            let output = output.clone();
            std::thread::spawn(move || collect(stderr, &output));
        }
        let mut stream = accept(&listener, &mut child)?;
        let mut settings = Vec::new();
        turn.state.write_settings(&mut settings);
        let seat = self.seat.index() as i32;
        for number in [1, settings.len() as i32, seat, self.seed] {
            stream.write_all(&number.to_le_bytes())?;
        }
        stream.write_all(&settings)?;
        let mut process = Process { child, stream, output, _folder: folder };
        process.answer()?;
        Ok(process)
    }
}

impl Process {
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
        self.answer()
    }

    /// How the process ended, once it has.
    fn end(&mut self) -> String {
        match self.child.wait() {
            Ok(status) => format!("the process ended: {status}"),
            Err(error) => format!("the process is lost: {error}"),
        }
    }
}

impl Player for NativePlayer {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if self.process.is_none() {
            let started =
                self.start(turn).map_err(|error| Fault::Trap(format!("the process did not start: {error}")))?;
            self.process = Some(started);
        }
        let process = self.process.as_mut().expect("it has just been started");
        let answer = turn.with_view(|view| process.play(view)).map_err(|_| Fault::Trap(process.end()))?;
        read_orders(&answer, 0, orders).map_err(Failure::into_fault)
    }

    fn take_output(&mut self, output: &mut Vec<u8>) {
        if let Some(process) = &mut self.process
            && let Ok(mut collected) = process.output.lock()
        {
            output.append(&mut collected);
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

fn collect(mut from: impl Read, into: &Mutex<Vec<u8>>) {
    let mut piece = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        if let Ok(mut into) = into.lock() {
            into.extend_from_slice(&piece[..count]);
        }
    }
}
