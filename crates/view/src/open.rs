//! From the bytes of a match file to its scene.

use ludus_games::GAMES;
use ludus_games::record::Record;
use ludus_games::scene::{Opening, Past, SceneWriter};
use ludus_games::tokens::TextError;

/// Files above this size are not read.
pub const LARGEST_FILE: u64 = 64 << 20;

/// Why a file cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the file is empty")]
    Empty,
    #[error("no record of a match: {0}")]
    NoMatch(TextError),
}

/// The scene of the match in a file, as JSON.
pub fn scene_of(file: &[u8]) -> Result<Vec<u8>, OpenError> {
    let mut furthest: Option<TextError> = None;
    for game in GAMES {
        match game.read_record(file) {
            Ok(record) => return Ok(write(*game, &record)),
            // The reader that got furthest knows best what is wrong.
            Err(error) if furthest.as_ref().is_none_or(|known| error.place > known.place) => furthest = Some(error),
            Err(_) => (),
        }
    }
    Err(furthest.map_or(OpenError::Empty, OpenError::NoMatch))
}

fn write(game: &'static dyn ludus_games::Game, record: &Record) -> Vec<u8> {
    let damage = record.damage.as_ref().map(TextError::to_string);
    let opening = Opening { game, header: &record.header, cpu: record.header.judged, damage: damage.as_deref() };
    let mut writer = SceneWriter::new(&opening, &*record.frames[0].state);
    for pair in record.frames.windows(2) {
        let past = Past { before: &*pair[0].state, done: &pair[1].done, asked: None };
        writer.frame(&*pair[1].state, &past);
    }
    writer.finish()
}
