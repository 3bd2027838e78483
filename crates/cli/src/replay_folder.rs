//! The folder with the replays of a run.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use ludus_arena::{Fixture, Played};
use ludus_games::Seat;

use crate::output::Output;

pub struct ReplayFolder {
    folder: PathBuf,
    /// Keep only the matches that this contestant does not win.
    losses_of: Option<usize>,
}

impl ReplayFolder {
    /// Makes the folder if need be, and sees that it can be written to.
    pub fn open(folder: &Path, losses_of: Option<usize>) -> Result<ReplayFolder> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        drop(Output::create(&folder.join("probe"))?);
        Ok(ReplayFolder { folder: folder.to_owned(), losses_of })
    }

    fn file(fixture: &Fixture) -> String {
        format!("{:06}-seed{}.ludus", fixture.number, fixture.seed)
    }

    fn keeps(&self, fixture: &Fixture, played: &Played) -> bool {
        self.losses_of.is_none_or(|loser| {
            Seat::ALL.into_iter().any(|seat| fixture.seats[seat] == loser && played.ahead_and_level(seat).0 > 0)
        })
    }

    /// Keeps a replay, if it is one of those that are wanted.
    pub fn keep(&self, fixture: &Fixture, played: &Played, replay: &[u8]) -> Result<()> {
        if self.keeps(fixture, played) {
            let mut output = Output::create(&self.folder.join(ReplayFolder::file(fixture)))?;
            output.write(replay)?;
            output.finish()?;
        }
        Ok(())
    }

    /// The replay of a match, if it is there: a run that goes on may have begun
    /// without keeping any.
    pub fn replay(&self, fixture: &Fixture) -> Option<PathBuf> {
        Some(self.folder.join(ReplayFolder::file(fixture))).filter(|path| path.is_file())
    }
}

/// How a page in the folder of `page` refers to a file.
pub fn relative_link(page: &Path, file: &Path) -> Option<String> {
    let (page, file) = (std::path::absolute(page).ok()?, std::path::absolute(file).ok()?);
    let (from, to): (Vec<Component>, Vec<Component>) =
        (page.parent()?.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let down = to[shared..].iter().map(|part| percent_encoded(&part.as_os_str().to_string_lossy()));
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

/// A part of a path as links write it: two lines, as many as a crate would ask for.
fn percent_encoded(part: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    part.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_to_the_page() {
        for (page, file, link) in [
            ("report.html", "replays/1.ludus", "replays/1.ludus"),
            ("out/report.html", "replays/1.ludus", "../replays/1.ludus"),
            ("/a/b/c.html", "/a/d e/1.ludus", "../d%20e/1.ludus"),
        ] {
            assert_eq!(relative_link(Path::new(page), Path::new(file)).unwrap(), link);
        }
    }
}
