//! From the words of a command line to players: built in, compiled, or native.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::{Entrant, Player, builtin};
use ludus_games::game::Builtin;
use ludus_games::{Game, PerSeat, Seat};
use ludus_sandbox::build::native::Purpose;
use ludus_sandbox::build::{Builder, Built, Language, hex, rust};
use ludus_sandbox::{Limits, NativePlayer, PlayerModule, Refused, Sandbox, source};

use crate::explainer;
use crate::names::suggestion;

/// Larger files are not looked into for the names of players.
const LONGEST_LOOKED_AT: u64 = 1 << 20;

/// A player of the command line.
pub struct Contestant {
    pub name: String,
    /// What tells one program from another: the hash of a module, or the name
    /// of a built-in player.
    pub program: String,
    /// The word of the command line that it was found by.
    pub word: String,
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

    /// The file that it comes from, or else the word that it was found by.
    pub fn file(&self) -> String {
        self.source.as_ref().map_or_else(|| self.word.clone(), |path| path.display().to_string())
    }

    /// The player in a seat of a match whose drawings are kept.
    pub fn enter_watched(&self, limits: &Limits, seed: i32, seat: Seat) -> Entrant {
        match &self.kind {
            Kind::Module(module) => {
                let player = Box::new(module.player(limits.clone(), seed, seat).watched());
                Entrant { name: self.name.clone(), player }
            }
            _ => self.enter(limits, seed, seat),
        }
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

/// Finds, compiles and loads the four players of a match. `NAME=PLAYER` gives a
/// player another name, so that a version can meet its predecessor.
pub fn resolve(game: &'static dyn Game, words: &[String], debugging: &Debugging) -> Result<PerSeat<Contestant>> {
    let found = find_all(game, words)?;
    if found.len() != Seat::COUNT {
        let mut four: Vec<&str> = words.iter().map(String::as_str).collect();
        four.resize(Seat::COUNT, "Demo");
        let (id, four) = (game.about().id, four.join(" "));
        bail!("a match has exactly {} players, got {}; try 'ludus play {id} {four}'", Seat::COUNT, found.len());
    }
    let mut loader = Loader { game, debugging, instances: 16, sandbox: None, builder: None };
    let mut contestants: Vec<Contestant> = Vec::new();
    for named in found {
        let contestant = loader.load(named)?;
        if let Some(Contestant { name, word, .. }) =
            contestants.iter().find(|other| other.name == contestant.name && other.source != contestant.source)
        {
            bail!("two different players are called '{name}'; give one another name, for instance {name:.10}_2={word}");
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

/// Finds, compiles and loads players for many matches, of which `at_once` are
/// played at the same time. `NAME=PLAYER` gives a player another name.
pub fn load_many(game: &'static dyn Game, words: &[String], at_once: usize) -> Result<Vec<Contestant>> {
    let found = find_all(game, words)?;
    let instances = (Seat::COUNT * at_once + 4) as u32;
    let debugging = Debugging::default();
    let mut loader = Loader { game, debugging: &debugging, instances, sandbox: None, builder: None };
    found.into_iter().map(|named| loader.load(named)).collect()
}

/// The same for players of which each must have a name of its own.
pub fn resolve_many(game: &'static dyn Game, words: &[String], at_once: usize) -> Result<Vec<Contestant>> {
    let contestants = load_many(game, words, at_once)?;
    for (k, Contestant { name, word, .. }) in contestants.iter().enumerate() {
        if contestants[..k].iter().any(|other| other.name == *name) {
            bail!("two players are called '{name}'; give one another name, for instance {name:.10}_2={word}");
        }
    }
    Ok(contestants)
}

/// A player of the command line, and its module unless it is built in: what can
/// be kept of it.
pub fn with_module(game: &'static dyn Game, word: &str) -> Result<(Contestant, Option<Vec<u8>>)> {
    let words = [word.to_owned()];
    let named = find_all(game, &words)?.remove(0);
    let debugging = Debugging::default();
    let mut loader = Loader { game, debugging: &debugging, instances: 2, sandbox: None, builder: None };
    let module = match &named.found {
        Found::Builtin(_) => None,
        Found::File(path) => Some(loader.module(path).with_context(|| path.display().to_string())?),
    };
    Ok((loader.load(named)?, module))
}

/// The name and the player of `NAME=PLAYER`. A file may have the sign in its own name.
fn split_alias(word: &str) -> (Option<&str>, &str) {
    match word.split_once('=') {
        Some((alias, player)) if !Path::new(word).is_file() => (Some(alias), player),
        _ => (None, word),
    }
}

/// The game of a player that is a file: a module says which it plays, and a
/// source may tell.
pub fn game_of(word: &str) -> Option<&'static dyn Game> {
    let (_, player) = split_alias(word);
    game_of_file(&if is_file_name(player) { PathBuf::from(player) } else { file_here(player)? })
}

fn game_of_file(file: &Path) -> Option<&'static dyn Game> {
    if let Some(language) = Language::of(file) {
        return crate::build::guess_game(file, language).ok();
    }
    let wasm = std::fs::read(file).ok()?;
    let module = Sandbox::new(1).ok()?.load_cached(&wasm, Builder::local().cache()).ok()?;
    ludus_games::find(&module.introduce().ok()?.game)
}

enum Found {
    Builtin(&'static Builtin),
    File(PathBuf),
}

/// What was found by a word, and the name that it is given there.
struct Named<'a> {
    alias: Option<&'a str>,
    word: &'a str,
    found: Found,
}

fn find_all<'a>(game: &dyn Game, words: &'a [String]) -> Result<Vec<Named<'a>>> {
    let found = words.iter().map(|word| {
        let (alias, player) = split_alias(word);
        if let Some(alias) = alias {
            check_name(game, alias).with_context(|| format!("'{}'", word.escape_debug()))?;
        }
        Ok(Named { alias, word: player, found: find(game, player)? })
    });
    found.collect()
}

/// What a word stands for: a file, a player of this folder, or a built-in one.
fn find(game: &dyn Game, word: &str) -> Result<Found> {
    if is_file_name(word) {
        let path = Path::new(word);
        if !path.is_file() {
            bail!("there is no player file {word}");
        }
        return Ok(Found::File(path.to_owned()));
    }
    let longest = game.about().longest_name;
    if word.len() > longest {
        bail!("the player name '{}' is too long: use at most {longest} characters", word.escape_debug());
    }
    let about = game.about();
    let builtin = about.player(word);
    if let Some(file) = file_here(word) {
        let other = game_of_file(&file).filter(|other| other.about().id != about.id);
        let (Some(builtin), Some(other)) = (builtin, other) else { return Ok(Found::File(file)) };
        eprintln!("{} is a player of {}: taking the built-in {word}", file.display(), other.about().id);
        return Ok(Found::Builtin(builtin));
    }
    builtin.map(Found::Builtin).or_else(|| registered_here(word).map(Found::File)).ok_or_else(|| {
        let mut known: Vec<String> = about.players.iter().map(|player| player.name.to_owned()).collect();
        known.extend(in_this_folder());
        anyhow!("there is no player '{}' for {}{}", word.escape_debug(), about.id, suggestion(word, &known))
    })
}

fn is_file_name(word: &str) -> bool {
    let path = Path::new(word);
    path.components().count() > 1
        || Language::of(path).is_some()
        || path.extension().is_some_and(|ending| ending == "wasm")
}

/// The file of a player of the current folder.
fn file_here(name: &str) -> Option<PathBuf> {
    let files = [format!("AI{name}.cc"), format!("{name}.rs"), format!("{name}.wasm")];
    files.into_iter().map(PathBuf::from).find(|file| file.is_file())
}

/// The source file of a player of the command line.
pub fn source_of(word: &str) -> Result<PathBuf> {
    let file =
        if is_file_name(word) { Some(PathBuf::from(word)) } else { file_here(word).or_else(|| registered_here(word)) };
    match file {
        Some(file) if !file.is_file() => bail!("there is no file {word}"),
        Some(file) if Language::of(&file).is_none() => {
            bail!("{} is no source: that is a .cc or .rs file", file.display())
        }
        Some(file) => Ok(file),
        None => bail!("there is no source of a player '{}' in this folder", word.escape_debug()),
    }
}

/// The file that a word means, which may be the name of a player that has a source
/// in this folder.
pub fn file_of(word: &Path) -> Result<PathBuf> {
    match word.to_str() {
        Some(name) if word.components().count() == 1 && word.extension().is_none() && !word.exists() => source_of(name),
        _ => Ok(word.to_owned()),
    }
}

/// The source in the current folder that registers a player under a name, if
/// there is one and no more.
fn registered_here(name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(".").ok()?;
    // Written without the dot, as everybody types them.
    let files = entries.flatten().map(|entry| PathBuf::from(entry.file_name()));
    let mut found = files.filter(|file| registered_names(file).iter().any(|own| own == name));
    found.next().filter(|_| found.next().is_none())
}

/// The names under which a source registers players.
pub fn registered_names(file: &Path) -> Vec<String> {
    let Some(language) = Language::of(file) else { return Vec::new() };
    let is_short = std::fs::metadata(file).is_ok_and(|found| found.len() <= LONGEST_LOOKED_AT);
    let Some(text) = is_short.then(|| std::fs::read_to_string(file).ok()).flatten() else { return Vec::new() };
    let tokens = source::tokens::tokens(&text, language);
    let names = match language {
        Language::Cpp => source::cpp_names(&tokens),
        Language::Rust => source::rust_names(&tokens),
    };
    names.into_iter().map(|(name, _)| name).collect()
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
    /// Players that may be alive at one time.
    instances: u32,
    sandbox: Option<Sandbox>,
    builder: Option<Builder>,
}

impl Loader<'_> {
    fn load(&mut self, Named { alias, word, found }: Named<'_>) -> Result<Contestant> {
        let mut contestant = match found {
            Found::Builtin(player) => {
                let (name, program) = (player.name.to_owned(), format!("built-in {}", player.name));
                Contestant { name, program, word: word.to_owned(), kind: Kind::Builtin(player), source: None }
            }
            Found::File(path) => self.load_file(word, &path).with_context(|| match self.game.about().player(word) {
                // It may be of another game, left here by chance.
                Some(_) => format!("{} (in this folder, taken instead of the built-in {word})", path.display()),
                None => path.display().to_string(),
            })?,
        };
        if let Some(alias) = alias {
            alias.clone_into(&mut contestant.name);
        }
        Ok(contestant)
    }

    /// The module of a file, compiled if it is a source.
    fn module(&mut self, path: &Path) -> Result<Vec<u8>> {
        let builder = self.builder.get_or_insert_with(Builder::local);
        match Language::of(path) {
            Some(language) => {
                let is_new = !builder.has(self.game.about().id, language, &std::fs::read(path)?)?;
                let built = build(builder, self.game, language, path)?;
                // Told when it is compiled, as compilers do, and not in every match.
                if is_new {
                    eprint!("{}", built.warnings);
                }
                Ok(built.module)
            }
            None => Ok(std::fs::read(path)?),
        }
    }

    fn load_file(&mut self, word: &str, path: &Path) -> Result<Contestant> {
        let wasm = self.module(path)?;
        let builder = self.builder.get_or_insert_with(Builder::local);
        if self.sandbox.is_none() {
            let sandbox = Sandbox::new(self.instances);
            let sandbox = sandbox.map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
            self.sandbox = Some(explainer::explained(sandbox, builder.cache()));
        }
        let sandbox = self.sandbox.as_ref().expect("it has just been made");
        let mut module = load(sandbox, &wasm, builder.cache(), self.game, Language::of(path))?;
        if Language::of(path).is_some() {
            module = module.from_file(&path.to_string_lossy());
        }
        let introduction = module.introduce()?;
        if introduction.game != self.game.about().id {
            bail!("it is a player of {}, not of {}", introduction.game, self.game.about().id);
        }
        check_name(self.game, &introduction.name)?;
        let program = hex(&module.hash());
        let wanted = |name: &String| name == word || *name == introduction.name;
        let kind = if Language::of(path).is_some() && self.debugging.native.iter().any(wanted) {
            let program = builder.build_native(self.game.about().id, path, Purpose::Run)?;
            Kind::Native { program, debugger: self.debugging.debugger.clone() }
        } else {
            Kind::Module(module)
        };
        let word = word.to_owned();
        Ok(Contestant { name: introduction.name, program, word, kind, source: Some(path.to_owned()) })
    }
}

/// Compiles a file, and says so to somebody who waits: it takes a few seconds.
pub fn build(builder: &Builder, game: &dyn Game, language: Language, path: &Path) -> Result<Built> {
    let source = std::fs::read(path)?;
    let id = game.about().id;
    if !builder.has(id, language, &source)? && builder.finds_compiler(language) {
        let first = language == Language::Rust && rust::find().is_ok_and(|found| found.builds_std(builder.cache()));
        let more = if first { " (the first time with Rust's standard library: about a minute)" } else { "" };
        eprintln!("compiling {} ...{more}", path.display());
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
    let (file, language) = match language {
        Some(Language::Rust) => ("Null.rs", Language::Rust),
        _ => ("AINull.cc", Language::Cpp),
    };
    let starter = crate::new::content(game, &format!("players/{file}")).unwrap_or_default();
    match source::registering_line(starter, language) {
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
