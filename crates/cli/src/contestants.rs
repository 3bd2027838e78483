//! From the words of a command line to players: built in, compiled, or native.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::{Entrant, Player, builtin};
use ludus_games::game::Builtin;
use ludus_games::{Game, PerSeat, Seat};
use ludus_sandbox::build::{Builder, Built, Language};
use ludus_sandbox::{Limits, NativePlayer, PlayerModule, Refused, Sandbox};

use crate::names::suggestion;

/// A player of the command line.
pub struct Contestant {
    pub name: String,
    kind: Kind,
    /// The file it comes from, if any.
    source: Option<PathBuf>,
}

enum Kind {
    Builtin(&'static Builtin),
    Module(PlayerModule),
    Native { program: PathBuf, debugger: Vec<OsString> },
}

/// Players that are to run as native processes, and under which debugger.
#[derive(Default)]
pub struct Debugging {
    pub native: Vec<String>,
    pub debugger: Vec<OsString>,
}

impl Contestant {
    pub fn is_builtin(&self) -> bool {
        matches!(self.kind, Kind::Builtin(_))
    }

    /// The player in a seat of a match.
    pub fn enter(&self, limits: &Limits, seed: i32, seat: Seat) -> Entrant {
        let player: Box<dyn Player> = match &self.kind {
            Kind::Builtin(player) => builtin(player, seed, seat),
            Kind::Module(module) => Box::new(module.player(limits.clone(), seed, seat)),
            Kind::Native { program, debugger } => {
                Box::new(NativePlayer::new(program.clone(), debugger.clone(), seed, seat))
            }
        };
        Entrant { name: self.name.clone(), player }
    }
}

/// Finds, compiles and loads the four players of a match.
pub fn resolve(game: &'static dyn Game, words: &[String], debugging: &Debugging) -> Result<PerSeat<Contestant>> {
    let files = words.iter().map(|word| find(game, word)).collect::<Result<Vec<_>>>()?;
    if files.len() != Seat::COUNT {
        bail!(
            "a match has exactly {} players, got {}; try 'ludus play {} Demo Demo Demo Demo'",
            Seat::COUNT,
            files.len(),
            game.about().id
        );
    }
    let mut loader = Loader { game, debugging, sandbox: None, builder: None };
    let mut contestants: Vec<Contestant> = Vec::new();
    for (word, found) in words.iter().zip(files) {
        let contestant = loader.load(word, found)?;
        if let Some(other) =
            contestants.iter().find(|other| other.name == contestant.name && other.source != contestant.source)
        {
            bail!("two different players are called '{}'; rename one, or use one of them twice", other.name);
        }
        contestants.push(contestant);
    }
    let is_native = |name: &&String| {
        let mut of_that_name =
            words.iter().zip(&contestants).filter(|(word, one)| *word == *name || one.name == **name);
        of_that_name.any(|(_, contestant)| matches!(contestant.kind, Kind::Native { .. }))
    };
    if let Some(name) = debugging.native.iter().find(|name| !is_native(name)) {
        bail!("--native {name}: no seat has a player of that name with a source file");
    }
    Ok(contestants.try_into().unwrap_or_else(|_| unreachable!("there are as many as seats")))
}

enum Found {
    Builtin(&'static Builtin),
    File(PathBuf),
}

/// What a word stands for: a file, a player of this folder, or a built-in one.
fn find(game: &dyn Game, word: &str) -> Result<Found> {
    let path = Path::new(word);
    if path.components().count() > 1
        || Language::of(path).is_some()
        || path.extension().is_some_and(|ending| ending == "wasm")
    {
        if !path.is_file() {
            bail!("there is no player file {word}");
        }
        return Ok(Found::File(path.to_owned()));
    }
    let longest = game.about().longest_name;
    if word.len() > longest {
        bail!("the player name '{}' is too long: use at most {longest} characters", word.escape_debug());
    }
    let in_folder = [format!("AI{word}.cc"), format!("{word}.rs"), format!("{word}.wasm")];
    if let Some(file) = in_folder.iter().map(PathBuf::from).find(|file| file.is_file()) {
        return Ok(Found::File(file));
    }
    let about = game.about();
    about.players.iter().find(|player| player.name == word).map(Found::Builtin).ok_or_else(|| {
        let mut known: Vec<String> = about.players.iter().map(|player| player.name.to_owned()).collect();
        known.extend(in_this_folder());
        anyhow!("there is no player '{}' for {}{}", word.escape_debug(), about.id, suggestion(word, &known))
    })
}

/// Names of the players whose files are in the current folder, as `play` takes
/// them.
pub fn in_this_folder() -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(".") else { return Vec::new() };
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let name = match file.rsplit_once('.')? {
                (stem, "cc") => stem.strip_prefix("AI")?,
                (stem, "rs" | "wasm") => stem,
                _ => return None,
            };
            Some(name.to_owned())
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Makes what loading needs only when it is needed: a match between built-in
/// players pays for none of it.
struct Loader<'a> {
    game: &'static dyn Game,
    debugging: &'a Debugging,
    sandbox: Option<Sandbox>,
    builder: Option<Builder>,
}

impl Loader<'_> {
    fn load(&mut self, word: &str, found: Found) -> Result<Contestant> {
        match found {
            Found::Builtin(player) => {
                Ok(Contestant { name: player.name.to_owned(), kind: Kind::Builtin(player), source: None })
            }
            Found::File(path) => self.load_file(word, &path).with_context(|| path.display().to_string()),
        }
    }

    fn load_file(&mut self, word: &str, path: &Path) -> Result<Contestant> {
        let builder = self.builder.get_or_insert_with(Builder::local);
        let wasm = match Language::of(path) {
            Some(language) => build(builder, self.game, language, path)?.module,
            None => std::fs::read(path)?,
        };
        if self.sandbox.is_none() {
            self.sandbox = Some(Sandbox::new(16).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?);
        }
        let sandbox = self.sandbox.as_ref().expect("it has just been made");
        let module = load(sandbox, &wasm, builder.cache(), self.game, Language::of(path))?;
        let introduction = module.introduce()?;
        if introduction.game != self.game.about().id {
            bail!("it is a player of {}, not of {}", introduction.game, self.game.about().id);
        }
        check_name(self.game, &introduction.name)?;
        let wanted = |name: &String| name == word || *name == introduction.name;
        let kind = if Language::of(path).is_some() && self.debugging.native.iter().any(wanted) {
            let program = builder.build_native(self.game.about().id, path)?;
            Kind::Native { program, debugger: self.debugging.debugger.clone() }
        } else {
            Kind::Module(module)
        };
        Ok(Contestant { name: introduction.name, kind, source: Some(path.to_owned()) })
    }
}

/// Compiles a file, and says so to somebody who waits: it takes a few seconds.
pub fn build(builder: &Builder, game: &dyn Game, language: Language, path: &Path) -> Result<Built> {
    let source = std::fs::read(path)?;
    let id = game.about().id;
    if std::io::stderr().is_terminal() && !builder.has(id, language, &source)? {
        eprintln!("compiling {} ...", path.display());
    }
    Ok(builder.build_file(id, language, &path.to_string_lossy(), &source)?)
}

/// Loads a module that registers a player; a source that does not is told how.
pub fn load(
    sandbox: &Sandbox,
    wasm: &[u8],
    cache: &Path,
    game: &dyn Game,
    language: Option<Language>,
) -> Result<PlayerModule> {
    let registers_none = || anyhow!("it registers no player; {}", how_to_register(game, language));
    let module = match sandbox.load_cached(wasm, cache) {
        Err(Refused::Export(_)) if language.is_some() => return Err(registers_none()),
        loaded => loaded?,
    };
    if language.is_some() && module.introduce()?.name.is_empty() {
        return Err(registers_none());
    }
    Ok(module)
}

/// How a file says what its player is called: as the game's own starter does.
fn how_to_register(game: &dyn Game, language: Option<Language>) -> String {
    let id = game.about().id;
    let (file, marks) = match language {
        Some(Language::Rust) => ("Null.rs", &["player!("][..]),
        _ => ("AINull.cc", &["RegisterPlayer(", "Static_Initializer"][..]),
    };
    let starter = crate::new::content(game, &format!("players/{file}")).unwrap_or_default();
    let registers = |line: &&str| marks.iter().any(|mark| line.contains(mark));
    match starter.lines().rfind(registers) {
        Some(line) => format!("the starter of {id} does that with '{}'", line.trim()),
        None => format!("look at the starter that 'ludus new {id}' makes"),
    }
}

pub fn check_name(game: &dyn Game, name: &str) -> Result<()> {
    let longest = game.about().longest_name;
    let plain = name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    if name.is_empty() || name.len() > longest || !plain {
        bail!("the player name '{}' must be 1 to {longest} letters, digits or underscores", name.escape_debug());
    }
    Ok(())
}
