//! `ludus verify` of a round file: signature, draw, elimination, every match.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::season::file::{self, Failure, Manifest, Reason, RoundFile, is_round_file};
use ludus_arena::season::{Decision, Hash, MatchId, Round};
use ludus_arena::{Allowance, Player, in_order};
use ludus_games::{PerSeat, Seat};
use ludus_sandbox::build::Builder;
use ludus_sandbox::{LIMITS_VERSION, Limits, PlayerModule, Sandbox};

use crate::output::plain;

/// What only the file of a round can be asked.
#[derive(clap::Args)]
pub struct RoundArgs {
    /// The public key of the course: 64 hexadecimal digits, or a file with them
    #[arg(long, value_name = "FILE|HEX")]
    key: Option<String>,
    /// The commitment that was published before the round
    #[arg(long, value_name = "HEX")]
    commitment: Option<Hash>,
    /// A folder with the modules (.wasm) of everybody in the round, to play
    /// every match again
    #[arg(long, value_name = "DIR")]
    modules: Option<PathBuf>,
}

impl RoundArgs {
    /// The first option that was given.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--key", self.key.is_some()),
            ("--commitment", self.commitment.is_some()),
            ("--modules", self.modules.is_some()),
        ];
        options.into_iter().find_map(|(option, given)| given.then_some(option))
    }

    fn key(&self) -> Result<Option<Hash>> {
        let Some(word) = &self.key else { return Ok(None) };
        if let Ok(key) = word.parse() {
            return Ok(Some(key));
        }
        let mut text = String::new();
        let file =
            File::open(word).with_context(|| format!("--key is neither 64 hexadecimal digits nor a file: {word}"))?;
        file.take(1024).read_to_string(&mut text).with_context(|| format!("cannot read {word}"))?;
        Ok(Some(text.trim().parse().with_context(|| word.clone())?))
    }
}

/// Whether a file claims to be of a round.
pub fn is_round(path: &Path) -> bool {
    let mut beginning = Vec::new();
    // What cannot be read is no round, and whoever reads it next says why.
    let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut beginning));
    read.is_ok() && is_round_file(&beginning)
}

pub fn run(path: &Path, args: &RoundArgs) -> Result<ExitCode> {
    let name = path.display();
    let key = args.key()?;
    let bytes = read(path)?;
    let mut out = std::io::stdout().lock();
    match prove(&bytes, key, args) {
        Ok(proof) => proof.write(&mut out)?,
        Err(Trouble::NotDone(error)) => return Err(error.context(name.to_string())),
        Err(Trouble::No(failure)) if is_no_round(&failure.reason) => bail!("{name}: {failure}"),
        Err(Trouble::No(failure)) => {
            writeln!(out, "{}", plain(&failure.to_string()))?;
            return Ok(ExitCode::from(1));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A file that is not whole is no answer to the question whether it is true.
fn is_no_round(reason: &Reason) -> bool {
    matches!(reason, Reason::NoRoundFile | Reason::Newer(_) | Reason::Length)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let name = path.display();
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    file.take(file::LARGEST + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > file::LARGEST {
        bail!("{name} is too large to be a round: it has more than {} MB", file::LARGEST >> 20);
    }
    Ok(bytes)
}

enum Trouble {
    /// The round is not as the file tells.
    No(Failure),
    /// It is not known whether it is.
    NotDone(anyhow::Error),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::No(failure)
    }
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Trouble {
        Trouble::NotDone(error)
    }
}

/// A round that holds, and how far that was proved.
struct Proof<'a> {
    file: RoundFile<'a>,
    round: Round,
    key_was_given: bool,
    commitment_was_given: bool,
    /// Why players were not asked, if they could not be.
    hindrance: Option<String>,
    /// Seats of players and of reserves: how many there are, how many were asked again.
    players: (usize, usize),
    reserves: (usize, usize),
    /// Seats of players that were frozen for having run past their CPU time before.
    barred: Vec<String>,
}

fn prove<'a>(bytes: &'a [u8], key: Option<Hash>, args: &RoundArgs) -> Result<Proof<'a>, Trouble> {
    let file = RoundFile::read(bytes)?;
    if let Some(key) = &key {
        file.check_key(key)?;
    }
    if let Some(commitment) = &args.commitment {
        file.check_commitment(commitment)?;
    }
    let round = file.check()?;
    let jobs = std::thread::available_parallelism().map_or(1, NonZero::get);
    let found = find_modules(&file, &round, args.modules.as_deref())?;
    let version = file.manifest.limits.version;
    let hindrance = (version != LIMITS_VERSION && !found.is_empty()).then(|| {
        format!("the round was played under version {version} of the limits, and this is version {LIMITS_VERSION}")
    });
    if let (Some(hindrance), Some(_)) = (&hindrance, &args.modules) {
        return Err(anyhow!("{hindrance}: players cannot be asked again").into());
    }
    let modules = if hindrance.is_some() { BTreeMap::new() } else { load(&file.manifest, &found, jobs)? };
    let mut proof = Proof {
        round,
        key_was_given: key.is_some(),
        commitment_was_given: args.commitment.is_some(),
        hindrance,
        players: (0, 0),
        reserves: (0, 0),
        barred: Vec::new(),
        file,
    };
    proof.play(&modules, jobs)?;
    Ok(proof)
}

/// The modules of the round: those that came with it, and those of a folder,
/// which must then have all.
fn find_modules(file: &RoundFile<'_>, round: &Round, folder: Option<&Path>) -> Result<BTreeMap<Hash, Vec<u8>>> {
    let mut found: BTreeMap<Hash, Vec<u8>> = file.modules().map(|(hash, module)| (hash, module.to_vec())).collect();
    let Some(folder) = folder else { return Ok(found) };
    let wanted = file.manifest.modules();
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            let module = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let hash = Hash::of(&module);
            if wanted.contains(&hash) {
                found.insert(hash, module);
            }
        }
    }
    if let Some(player) = file.manifest.players.iter().find(|player| !found.contains_key(&player.module)) {
        let first = round.matches_of(player.author).next().map(|(official, _)| official.id());
        let first: MatchId = first.expect("everybody plays in the first stage");
        bail!(
            "{first}: the module of '{}' of {} is not in {}; its SHA-256 is {}",
            plain(&player.player),
            player.author,
            folder.display(),
            player.module
        );
    }
    Ok(found)
}

fn load(manifest: &Manifest, found: &BTreeMap<Hash, Vec<u8>>, jobs: usize) -> Result<BTreeMap<Hash, PlayerModule>> {
    if found.is_empty() {
        return Ok(BTreeMap::new());
    }
    let instances = (Seat::COUNT * jobs + 4) as u32;
    let sandbox = Sandbox::new(instances).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
    let builder = Builder::local();
    let load = |(hash, wasm): (&Hash, &Vec<u8>)| {
        let player = manifest.players.iter().find(|player| player.module == *hash);
        let name = player.map_or_else(|| hash.short(), |player| format!("the module of '{}'", plain(&player.player)));
        Ok((*hash, sandbox.load_cached(wasm, builder.cache()).context(name)?))
    };
    found.iter().map(load).collect()
}

impl Proof<'_> {
    /// Plays every match again.
    fn play(&mut self, modules: &BTreeMap<Hash, PlayerModule>, jobs: usize) -> Result<(), Failure> {
        let (file, limits) = (&self.file, Limits::from_allowance(&Allowance::from(self.file.manifest.limits)));
        let enter = |hash: Hash, seed: i32, seat: Seat| {
            let module = modules.get(&hash)?;
            Some(Box::new(module.player(limits.clone(), seed, seat)) as Box<dyn Player>)
        };
        let mut asked: Vec<PerSeat<bool>> = Vec::new();
        let count = file.replays().len() as u64;
        in_order(
            jobs,
            0..count,
            &AtomicBool::new(false),
            |number| file.prove(file.replays()[number as usize].0, enter),
            |_, seats| {
                asked.push(seats);
                ControlFlow::Continue(())
            },
        )?;
        let matches = self.round.stages().iter().flat_map(|stage| stage.matches());
        for (official, asked) in matches.zip(asked) {
            let barred = self.file.barred(official.id())?;
            for seat in Seat::ALL {
                if let Some(round) = barred[seat] {
                    self.barred.push(format!(
                        "{}, seat {}: frozen from round {round} on",
                        official.id(),
                        seat.ordinal()
                    ));
                    continue;
                }
                let reserve = official.seats()[seat].author().is_none();
                let (seats, proved) = if reserve { &mut self.reserves } else { &mut self.players };
                *seats += 1;
                *proved += usize::from(asked[seat]);
            }
        }
        Ok(())
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        let manifest = &self.file.manifest;
        let stages = self.round.stages().len();
        let given = |given: bool, otherwise: &'static str| if given { "as given" } else { otherwise };
        writeln!(out, "identical")?;
        writeln!(out, "round       {} of '{}'", manifest.round, plain(&manifest.title))?;
        let (players, matches) = (manifest.players.len(), self.file.replays().len());
        writeln!(out, "played      {}: {players} players, {matches} matches, {stages} stages", plain(&manifest.game))?;
        let published = given(self.key_was_given, "compare it with the one that the course publishes");
        writeln!(out, "signed by   {}, {published}", self.file.key)?;
        let published = given(self.commitment_was_given, "compare it with the one published before the round");
        writeln!(out, "commitment  {}, {published}", manifest.commitment)?;
        writeln!(out, "draw        groups, seats and seeds are those that the seed gives")?;
        writeln!(out, "players     {}", self.players_line())?;
        for seat in &self.barred {
            writeln!(out, "overtime    {seat}, as the course says that it ran past its CPU time there")?;
        }
        if self.reserves.0 > 0 {
            writeln!(out, "reserves    {}", self.reserves_line())?;
        }
        writeln!(out, "eliminated  {}", self.eliminated())?;
        writeln!(out, "digest      {}", self.file.digest)?;
        Ok(())
    }

    fn players_line(&self) -> String {
        let (seats, asked) = self.players;
        match &self.hindrance {
            Some(hindrance) => format!("{hindrance}: their orders were taken as recorded"),
            None if asked == seats => format!("asked again in {seats} seats, with the same answers"),
            None => "their modules were not given: their orders were taken as recorded".to_owned(),
        }
    }

    fn reserves_line(&self) -> String {
        let (seats, asked) = self.reserves;
        let name = plain(&self.file.manifest.reserve);
        match asked == seats {
            true => format!("{name}, asked again in {seats} seats, with the same answers"),
            false => format!("{name}, of another version of Ludus: its orders were taken as recorded"),
        }
    }

    fn eliminated(&self) -> String {
        let out = self.file.manifest.eliminated;
        let name = self.file.manifest.player(out.author).map_or("", |player| &player.player);
        let label = self.file.manifest.player(out.author).map_or("", |player| &player.label);
        let label = if label.is_empty() { String::new() } else { format!(" ({})", plain(label)) };
        let how = match out.by {
            Decision::Behind => "behind all the others who were left",
            Decision::Alone => "all the others had saved themselves",
            Decision::Draw => "by lot, after 30 stages that changed nothing",
        };
        format!("'{}' of {}{label}: {how}", plain(name), out.author)
    }
}
