//! `ludus new`: a folder in which a student can live.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ludus_games::Game;
use ludus_sandbox::build::{Language, sdk_files};
use ludus_sandbox::source;

use crate::contestants::check_name;

include!(concat!(env!("OUT_DIR"), "/content.rs"));

/// Make a folder with a starter player, examples, a config and an API reference
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludus new ants Marta                 a folder Marta with AIMarta.cc to edit
  ludus new purge Joan --lang rust     the same with Joan.rs
  ludus new requiem Pau --dir players/pau

Then: cd Marta && ludus play ants Marta Demo Dummy Demo")]
pub struct Args {
    /// The game; `ludus list` shows them
    game: String,
    /// The player's name: at most 12 letters, digits or underscores
    name: String,
    /// The language of the player
    #[arg(long, value_enum, default_value_t = Lang::Cpp)]
    lang: Lang,
    /// The folder to make or to fill, instead of one with the player's name
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Lang {
    Cpp,
    Rust,
}

impl Lang {
    fn player_file(self, name: &str) -> String {
        match self {
            Lang::Cpp => format!("AI{name}.cc"),
            Lang::Rust => format!("{name}.rs"),
        }
    }

    fn language(self) -> Language {
        match self {
            Lang::Cpp => Language::Cpp,
            Lang::Rust => Language::Rust,
        }
    }

    fn api_page(self) -> &'static str {
        match self {
            Lang::Cpp => "api.cpp.md",
            Lang::Rust => "api.rust.md",
        }
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let game = crate::names::game(&args.game)?;
    check_name(game, &args.name)?;
    if game.about().players.iter().any(|player| player.name == args.name) {
        bail!("the name '{}' belongs to a player that comes with the game; choose another", args.name);
    }
    // It becomes the name of a type.
    if args.name.starts_with(|first: char| first.is_ascii_digit()) {
        bail!("the player name '{}' begins with a digit; begin with a letter", args.name);
    }
    let folder = args.dir.clone().unwrap_or_else(|| PathBuf::from(&args.name));
    let files = files(game, args)?;
    let cannot = || format!("cannot make the folder {}", folder.display());
    if std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("there is something in the folder {} already; choose an empty or a new one", folder.display());
    }
    std::fs::create_dir_all(&folder).with_context(cannot)?;
    for (name, text) in files {
        let path = folder.join(&name);
        let parent = path.parent().unwrap_or(&folder);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        if name == "Game" {
            make_executable(&path)?;
        }
    }
    let file = args.lang.player_file(&args.name);
    println!("made {} with {file} to edit; try:", folder.display());
    let enter = if folder == Path::new(".") { String::new() } else { format!("cd {} && ", folder.display()) };
    println!("  {enter}ludus play {} {} Demo Dummy Demo", game.about().id, args.name);
    Ok(ExitCode::SUCCESS)
}

/// A file of the game's folder in `content`.
pub fn content(game: &dyn Game, name: &str) -> Option<&'static str> {
    let wanted = format!("{}/{name}", game.about().id);
    FILES.iter().find(|(name, _)| *name == wanted).map(|(_, text)| *text)
}

/// The players that come with the game as sources, by file name.
fn examples(game: &dyn Game, lang: Lang) -> impl Iterator<Item = (&'static str, &'static str)> {
    let folder = format!("{}/players/", game.about().id);
    let ending = lang.player_file("");
    let ending = ending.strip_prefix("AI").unwrap_or(&ending).to_owned();
    FILES
        .iter()
        .filter_map(move |(name, text)| Some((name.strip_prefix(&*folder)?, *text)))
        .filter(move |(name, _)| name.ends_with(&*ending))
}

/// Everything that goes into the folder.
fn files(game: &dyn Game, args: &Args) -> Result<Vec<(String, String)>> {
    let id = game.about().id;
    let null = args.lang.player_file("Null");
    let (Some(starter), Some(api)) = (content(game, &format!("players/{null}")), content(game, args.lang.api_page()))
    else {
        bail!("{id} has no starter in this language yet");
    };
    let Some(starter) = source::renamed(starter, args.lang.language(), &args.name) else {
        bail!("the starter of {id} has no name");
    };
    let mut files = vec![
        (args.lang.player_file(&args.name), starter),
        ("default.cnf".to_owned(), game.about().default_config.to_owned()),
        ("API.md".to_owned(), api.to_owned()),
        ("Game".to_owned(), launcher(id)),
    ];
    for (name, text) in examples(game, args.lang) {
        if files.iter().any(|(own, _)| own == name) {
            bail!("the name '{}' belongs to a player that comes with the game; choose another", args.name);
        }
        files.push((name.to_owned(), text.to_owned()));
    }
    // A copy of its own, so that the folder works wherever it is moved to.
    let parts: &[String] = match args.lang {
        Lang::Cpp => &[format!("cpp/{id}/"), "cpp/shared/".to_owned()],
        Lang::Rust => &["rust/".to_owned()],
    };
    let sdk = sdk_files().filter(|(name, _)| parts.iter().any(|part| name.starts_with(&**part)));
    files.extend(sdk.map(|(name, text)| (format!("sdk/{name}"), text.to_owned())));
    match args.lang {
        Lang::Cpp => files.push(("compile_flags.txt".to_owned(), compile_flags(id))),
        Lang::Rust => files.push(("Cargo.toml".to_owned(), manifest(&args.name))),
    }
    Ok(files)
}

/// Takes the command line of the reference executable.
fn launcher(id: &str) -> String {
    format!(
        "#!/bin/sh\n# Plays a match the way the original executable does:\n#   ./Game -s 30 Demo Demo Demo Demo < default.cnf > default.res\nexec ludus play {id} \"$@\"\n"
    )
}

/// What editors need to know for completion.
fn compile_flags(id: &str) -> String {
    format!("-xc++\n-std=gnu++17\n-Isdk/cpp/{id}\n-Isdk/cpp/shared\n")
}

/// For rust-analyzer only; `ludus` compiles the file itself.
fn manifest(name: &str) -> String {
    format!(
        "# For editors; `ludus play` and `ludus build` do not read this file.\n[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\npath = \"{name}.rs\"\n\n[dependencies]\nludus-player = {{ path = \"sdk/rust\" }}\n",
        name.to_lowercase(),
    )
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", path.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}
