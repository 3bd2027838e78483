//! `ludus build`: one source file in, one module out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ludus_games::{GAMES, Game};
use ludus_sandbox::Sandbox;
use ludus_sandbox::build::{Builder, Built, Language};

use crate::contestants::{self, build, check_name, load};
use crate::output::Output;

/// Compile a player to a .wasm file that runs on every machine
#[derive(clap::Args)]
#[command(after_help = "\
The module goes beside the source, under the source's name, and can be handed to
others without the source: `ludus play GAME friend.wasm Demo Demo Demo`.

Examples:
  ludus build AIMarta.cc
  ludus build Joan.rs -o joan.wasm")]
pub struct Args {
    /// A .cc or .rs file, or the name of a player in this folder that has one
    file: PathBuf,
    /// Where to write the module
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The game, where the source alone does not tell
    #[arg(short, long, value_name = "GAME")]
    game: Option<String>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let file = contestants::file_of(&args.file)?;
    let Some(language) = Language::of(&file) else {
        bail!("{} is neither a .cc nor a .rs file", file.display());
    };
    if !file.is_file() {
        bail!("there is no file {}", file.display());
    }
    let made = make(&file, args.game.as_deref(), language);
    let (name, Built { module, warnings }) = made.with_context(|| file.display().to_string())?;
    eprint!("{warnings}");
    // Two files may register the same name, so the module is called as its file is.
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let own = if language == Language::Cpp { stem.strip_prefix("AI").unwrap_or(&stem) } else { &stem };
    if own != name {
        eprintln!("note: {} registers the player '{name}'", file.display());
    }
    let path = args.output.clone().unwrap_or_else(|| file.with_file_name(format!("{own}.wasm")));
    let mut output = Output::create(&path)?;
    output.write(&module)?;
    output.finish()?;
    println!("{} ({} KB)", path.display(), module.len().div_ceil(1024));
    Ok(ExitCode::SUCCESS)
}

fn make(file: &Path, game: Option<&str>, language: Language) -> Result<(String, Built)> {
    let builder = Builder::local();
    let game = match game {
        Some(id) => crate::names::game(id)?,
        None => guess_game(file, language)?,
    };
    let built = build(&builder, game, language, file)?;
    let sandbox = Sandbox::new(4).map_err(|error| anyhow::anyhow!("the sandbox cannot start: {error}"))?;
    let introduction = load(&sandbox, &built.module, builder.cache(), game, Some(language))?.introduce()?;
    check_name(game, &introduction.name)?;
    Ok((introduction.name, built))
}

/// The game whose config lies beside the file, or whose name the source uses.
pub fn guess_game(file: &Path, language: Language) -> Result<&'static dyn Game> {
    if language == Language::Rust {
        let source = std::fs::read_to_string(file)?;
        let named = GAMES.iter().find(|game| source.contains(&format!("ludus_player::{}", game.about().id)));
        if let Some(game) = named {
            return Ok(*game);
        }
    }
    let config = std::fs::read(file.with_file_name("default.cnf")).unwrap_or_default();
    match GAMES.iter().find(|game| game.read_config(&config).is_ok()) {
        Some(game) => Ok(*game),
        None => bail!("which game is it for? add --game GAME, or put that game's default.cnf beside it"),
    }
}
