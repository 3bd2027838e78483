//! The JSON document of `docs/scenes.md` for a match in a file.

use ludus_arena::replay::{Drawing, Replay};
use ludus_arena::{MatchFile, OpenError};
use ludus_scenes::{DrawnShape, Opening, SceneWriter};

/// Files above this size are not read.
pub const LARGEST_FILE: u64 = 64 << 20;

/// The largest document, in bytes. Those of real matches are a hundredth of it; a
/// config can ask for so many and such large boards that no browser holds them.
const LARGEST_DOCUMENT: usize = 128 << 20;

/// The document of a match.
pub struct Document {
    pub json: Vec<u8>,
    /// Where and why the match breaks, if it does.
    pub damage: Option<String>,
}

/// What stands at the head of the document of a match.
pub fn opening(file: &MatchFile) -> Opening<'_> {
    Opening { game: file.game(), header: file.header(), cpu: file.tells_cpu() }
}

/// The document of a match. One that would be too large ends early, and says so.
pub fn document(file: &MatchFile) -> Result<Document, OpenError> {
    document_while(file, || true)
}

/// The same, given up when `go_on`, which is asked before every round, says no.
pub fn document_while(file: &MatchFile, go_on: impl FnMut() -> bool) -> Result<Document, OpenError> {
    document_within(file, LARGEST_DOCUMENT, go_on)
}

fn document_within(file: &MatchFile, largest: usize, mut go_on: impl FnMut() -> bool) -> Result<Document, OpenError> {
    let mut playback = file.play()?;
    let mut writer = SceneWriter::new(&opening(file), playback.state());
    let damage = loop {
        if !go_on() {
            return Err(OpenError::TooSlow);
        }
        let Some((state, past)) = playback.next_round() else { break playback.damage().map(str::to_owned) };
        if writer.size() > largest {
            break Some(format!("the boards after round {} are too large to be shown", playback.rounds() - 1));
        }
        writer.frame(state, &past);
    };
    let drawings = file.replay().map(Replay::drawings).unwrap_or_default();
    let drawn: Vec<DrawnShape<'_>> = drawings.iter().map(shape).collect();
    Ok(Document { json: writer.finish_with(&drawn, damage.as_deref()), damage })
}

/// Something that a player drew, as the document tells it.
fn shape(Drawing { round, seat, drawn }: &Drawing) -> DrawnShape<'_> {
    let (kind, [a, b, c, d]) = drawn.shape.parts();
    let colour = drawn.colour.map_or(-1, |colour| colour as i32);
    DrawnShape { numbers: [*round as i32, seat.index() as i32, kind, colour, a, b, c, d], text: &drawn.text }
}

#[cfg(test)]
mod tests {
    use ludus_arena::Match;
    use ludus_games::GAMES;

    use super::*;

    #[test]
    fn documents_do_not_grow_for_ever() {
        let game = GAMES[0];
        let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
        let mut played = Match::between(&*config, 1, [&game.about().players[0]; 4]).unwrap();
        let mut text = Vec::new();
        let mut writer = played.begin_record(&mut text);
        while !played.is_over() {
            played.play_round().unwrap();
            played.write_round(&mut *writer, &mut text);
        }
        let file = MatchFile::open(&text).unwrap();
        let whole = document(&file).unwrap().json;
        assert_eq!(document_within(&file, whole.len(), || true).unwrap().json, whole);
        assert_eq!(document_within(&file, whole.len(), || false).err(), Some(OpenError::TooSlow));
        let cut = document_within(&file, whole.len() / 2, || true).unwrap().json;
        assert!(cut.len() > whole.len() / 3 && cut.len() < whole.len() * 2 / 3);
        let scene: serde_json::Value = serde_json::from_slice(&cut).unwrap();
        let rounds = scene["frames"].as_array().unwrap().len() - 1;
        let expected = format!("the boards after round {rounds} are too large to be shown");
        assert_eq!(scene["damage"].as_str(), Some(&*expected));
        assert_eq!(scene["rounds"], file.play_out().unwrap().rounds);
    }
}
