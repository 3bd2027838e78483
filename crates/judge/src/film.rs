//! What can be made of a replay: downloads, what the viewer shows, and who used
//! how much CPU when.

use std::io::Write as _;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use ludus_arena::replay::Replay;
use ludus_arena::{Film, Program};
use ludus_games::{PerSeat, Seat};
use ludus_view::Links;

use crate::texts::Language;

/// A file made of a replay.
pub struct File {
    pub content_type: &'static str,
    pub content: Vec<u8>,
    /// The content packed with gzip, where that saves much.
    pub packed: Option<Vec<u8>>,
}

/// The file with this name, or none if there is no such file.
pub fn make(replay: &[u8], name: &str) -> Result<Option<File>> {
    let file = |content_type, content| File { content_type, content, packed: None };
    let made = match name {
        "replay.ludus" => file("application/octet-stream", replay.to_owned()),
        "record.txt" => packed(file("text/plain; charset=utf-8", Film::open(replay)?.record()))?,
        "scene.json" => packed(file("application/json", Film::open(replay)?.scene()))?,
        _ => return Ok(None),
    };
    Ok(Some(made))
}

fn packed(file: File) -> Result<File> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&file.content)?;
    Ok(File { packed: Some(encoder.finish()?), ..file })
}

/// The page with the viewer in a language, for a match at an address.
pub fn viewer(address: &str, language: Language) -> String {
    let scene = format!("{address}/scene.json");
    ludus_view::page(&Links {
        assets: "/viewer/",
        scene: Some(&scene),
        language: Some(language.code()),
        ..Links::default()
    })
}

/// How much of its CPU each seat used in each round, in millionths of its limit
/// of the match; none for a seat that is not metered.
pub type CpuUse = PerSeat<Option<Vec<u64>>>;

pub fn cpu_use(replay: &[u8]) -> Result<CpuUse> {
    let replay = Replay::read(replay)?;
    let limits: PerSeat<Option<u64>> = Seat::ALL.map(|seat| limit(&replay.setup.programs[seat]));
    let mut used: CpuUse = limits.map(|limit| limit.map(|_| Vec::new()));
    let mut rounds = replay.rounds();
    while let Some(Ok(round)) = rounds.next_round() {
        for seat in Seat::ALL {
            if let (Some(limit), Some(used)) = (limits[seat], &mut used[seat]) {
                used.push((u128::from(round.fuel[seat]) * 1_000_000 / u128::from(limit)) as u64);
            }
        }
    }
    Ok(used)
}

/// The fuel that a program may use in a match, if it is metered.
fn limit(program: &Program) -> Option<u64> {
    match program {
        Program::Module { allowance, .. } => Some(allowance.fuel).filter(|fuel| *fuel > 0),
        _ => None,
    }
}
