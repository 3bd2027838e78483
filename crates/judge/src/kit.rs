//! What a student needs to work at home for a season, in one archive: the program,
//! config, rules, examples, what players can ask and order, and the SDK for editors.

mod program;

use std::io::Write as _;

use anyhow::{Context as _, Result, ensure};
use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use ludus_sandbox::build::sdk_files;

use crate::pages::manual::rules_of;
use crate::seasons::Season;
use crate::texts::{self, Language};
use crate::{api, content};

pub use program::{Packed, Program};

/// The folder in the archive.
pub fn folder(season: &Season) -> String {
    format!("ludus-{}", season.slug)
}

/// The archive in parts: the same for everybody who reads the same language. The
/// program is one of them as it is kept, so that nobody's download packs it again.
pub fn archive(season: &Season, language: Language, rust: bool, program: Option<&Packed>) -> Result<Vec<Bytes>> {
    let folder = folder(season);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    for (name, text) in files(season, language, rust, program.is_some())? {
        packed.write_all(&header(&format!("{folder}/{name}"), text.len(), FILE)?)?;
        packed.write_all(text.as_bytes())?;
        packed.write_all(padding(text.len()))?;
    }
    let mut parts = Vec::new();
    if let Some(program) = program {
        packed.write_all(&header(&format!("{folder}/ludus"), program.size, EXECUTABLE)?)?;
        parts.push(packed.finish()?.into());
        // Slices of what is kept, small enough for whoever reads slowly.
        parts.extend(
            (0..program.bytes.len())
                .step_by(PART)
                .map(|at| program.bytes.slice(at..(at + PART).min(program.bytes.len()))),
        );
        packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(padding(program.size))?;
    }
    packed.write_all(&[0; 2 * BLOCK])?;
    parts.push(packed.finish()?.into());
    Ok(parts)
}

fn files(season: &Season, language: Language, rust: bool, program: bool) -> Result<Vec<(String, String)>> {
    let game = season.game.as_str();
    let mut files = vec![
        ("README.txt".to_owned(), instructions(season, language, program)?),
        ("season.cnf".to_owned(), season.config.clone()),
        ("rules.md".to_owned(), rules_of(season, language).to_owned()),
        ("judge-api.json".to_owned(), api::description_text().to_owned()),
        ("compile_flags.txt".to_owned(), format!("-xc++\n-std=gnu++17\n-Isdk/cpp/{game}\n-Isdk/cpp/shared\n")),
    ];
    for (written_in, is_taken) in [("cpp", true), ("rust", rust)] {
        let page = content::api(game, written_in, language.code()).filter(|_| is_taken);
        files.extend(page.map(|page| (format!("API.{written_in}.md"), page.to_owned())));
    }
    let is_taken = |name: &str| rust || !name.ends_with(".rs");
    files.extend(
        content::players(game).filter(|(name, _)| is_taken(name)).map(|(name, text)| (name.into(), text.into())),
    );
    // Of other games nothing is needed; what Rust players use knows all of them.
    let is_wanted = |name: &str| match name.strip_prefix("cpp/") {
        Some(rest) => rest.starts_with("shared/") || rest.starts_with(&format!("{game}/")),
        None => rust,
    };
    files.extend(
        sdk_files().filter(|(name, _)| is_wanted(name)).map(|(name, text)| (format!("sdk/{name}"), text.into())),
    );
    Ok(files)
}

/// Three lines, for whoever has the program in the same folder, or installed.
pub fn instructions(season: &Season, language: Language, program: bool) -> Result<String> {
    let (example, reserve) = (content::strongest(&season.game).unwrap_or_default(), season.reserve()?);
    let text = language.of_text(texts::KIT_README);
    Ok(text
        .replace("{ludus}", if program { "./ludus" } else { "ludus" })
        .replace("{game}", &season.game)
        .replace("{season}", &season.slug)
        .replace("{example}", example)
        .replace("{reserve}", reserve))
}

const BLOCK: usize = 512;
const PART: usize = 64 << 10;

/// The modes of files.
const FILE: &str = "0000644\0";
const EXECUTABLE: &str = "0000755\0";

/// What fills the last block of a file.
fn padding(size: usize) -> &'static [u8] {
    static ZEROES: [u8; BLOCK] = [0; BLOCK];
    &ZEROES[..size.next_multiple_of(BLOCK) - size]
}

/// The head of a file in an archive as POSIX describes it (ustar).
fn header(name: &str, size: usize, mode: &str) -> Result<[u8; BLOCK]> {
    ensure!(name.len() < 100, "the name {name} is too long for an archive");
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, mode);
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{:011o}\0", u64::try_from(size).context("a file is too large")?));
    // Every file is as old as the archive is of no day.
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::{Command, Stdio};

    use super::*;

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn every_game_has_a_kit_that_tar_reads() {
        for game in ludus_games::GAMES {
            let season = Season::of_game(game.about(), "spring-2026", 0, 1);
            let program = Packed { size: 100_000, bytes: packed(&[7; 100_000]).into() };
            let whole = |program| archive(&season, Language::Catalan, true, program).unwrap().concat();
            let bytes = whole(Some(&program));
            assert_eq!(bytes, whole(Some(&program)), "the same every time");
            let folder = tempfile::tempdir().unwrap();
            let mut tar =
                Command::new("tar").arg("xzf").arg("-").current_dir(&folder).stdin(Stdio::piped()).spawn().unwrap();
            tar.stdin.take().unwrap().write_all(&bytes).unwrap();
            assert!(tar.wait().unwrap().success());
            let read =
                |name: &str| std::fs::read_to_string(folder.path().join("ludus-spring-2026").join(name)).unwrap();
            assert_eq!(read("README.txt").trim_end().lines().count(), 3);
            assert!(read("README.txt").contains("--season spring-2026") && !read("README.txt").contains('{'));
            assert_eq!(read("README.txt").matches("./ludus ").count(), 2);
            let ludus = folder.path().join("ludus-spring-2026/ludus");
            assert_eq!(std::fs::read(&ludus).unwrap(), [7; 100_000]);
            assert_eq!(std::fs::metadata(&ludus).unwrap().permissions().mode() & 0o777, 0o755);
            assert_eq!(read("season.cnf"), season.config);
            assert!(read("rules.md").starts_with("# ") && read("judge-api.json").contains("\"3.1.0\""));
            assert!(read("API.cpp.md").contains("Com funciona") && read("API.rust.md").contains("Com funciona"));
            assert!(!read(&format!("sdk/cpp/{}/Player.hh", game.about().id)).is_empty());
            for (name, text) in content::players(game.about().id) {
                assert_eq!(read(name), text);
            }
            let without = archive(&season, Language::Catalan, false, None).unwrap().concat();
            assert!(without.len() < whole(None).len() && whole(None).len() < bytes.len());
        }
    }
}
