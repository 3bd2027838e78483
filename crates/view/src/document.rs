//! The JSON document of `docs/scenes.md` for a match in a file.

use ludus_arena::{Film, FilmError};
use ludus_scenes::{Opening, SceneWriter};

/// Files above this size are not read.
pub const LARGEST_FILE: u64 = 64 << 20;

/// The largest document, in bytes. Those of real matches are a hundredth of it; a
/// config can ask for so many and such large boards that no browser holds them.
const LARGEST_DOCUMENT: usize = 128 << 20;

/// What stands at the head of the document of a match.
pub fn opening(film: &Film) -> Opening<'_> {
    Opening { game: film.game(), header: film.header(), cpu: film.tells_cpu(), damage: film.damage() }
}

/// The document of a match. One that would be too large ends early, and says so.
pub fn document(film: &Film) -> Vec<u8> {
    document_while(film, || true).expect("it is not given up")
}

/// The same, given up when `go_on`, which is asked before every round, says no.
pub fn document_while(film: &Film, go_on: impl FnMut() -> bool) -> Result<Vec<u8>, FilmError> {
    within(film, LARGEST_DOCUMENT, go_on)
}

fn within(film: &Film, largest: usize, mut go_on: impl FnMut() -> bool) -> Result<Vec<u8>, FilmError> {
    let (document, rounds) = of_rounds(film, &opening(film), film.rounds(), largest, &mut go_on)?;
    if rounds == film.rounds() {
        return Ok(document);
    }
    // The damage stands at the head, so that the document is made again.
    let damage = format!("the boards after round {rounds} are too large to be shown");
    let opening = Opening { damage: Some(&damage), ..opening(film) };
    Ok(of_rounds(film, &opening, rounds, usize::MAX, &mut go_on)?.0)
}

/// The document of so many rounds, and how many it has before it gets too large.
fn of_rounds(
    film: &Film,
    opening: &Opening<'_>,
    rounds: u32,
    largest: usize,
    go_on: &mut impl FnMut() -> bool,
) -> Result<(Vec<u8>, u32), FilmError> {
    let mut show = film.show();
    let mut writer = SceneWriter::new(opening, show.state());
    for round in 0..rounds {
        if writer.size() > largest {
            return Ok((Vec::new(), round));
        }
        if !go_on() {
            return Err(FilmError::TooSlow);
        }
        let Some((state, past)) = show.next_round() else { break };
        writer.frame(state, &past);
    }
    Ok((writer.finish(), rounds))
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
        played.write_header(&mut text);
        while !played.is_over() {
            played.play_round().unwrap();
            played.write_round(&mut text);
        }
        let film = Film::open(&text).unwrap();
        let whole = document(&film);
        assert_eq!(within(&film, whole.len(), || true).unwrap(), whole);
        assert_eq!(within(&film, whole.len(), || false), Err(FilmError::TooSlow));
        let cut = within(&film, whole.len() / 2, || true).unwrap();
        assert!(cut.len() > whole.len() / 3 && cut.len() < whole.len() * 2 / 3);
        let scene: serde_json::Value = serde_json::from_slice(&cut).unwrap();
        let rounds = scene["frames"].as_array().unwrap().len() - 1;
        let expected = format!("the boards after round {rounds} are too large to be shown");
        assert_eq!(scene["damage"].as_str(), Some(&*expected));
        assert_eq!(scene["rounds"], film.rounds());
    }
}
