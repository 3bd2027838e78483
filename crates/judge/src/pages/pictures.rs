//! Pictures of the games, drawn once while the program runs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::routing::get;
use ludus_arena::Match;
use ludus_games::record::Header;
use ludus_games::{GAMES, Game, Past, Seat};
use ludus_scenes::Opening;
use ludus_view::picture::PngWriter;

use crate::web::{Answer, AppError, Site};

pub fn routes() -> Router<Site> {
    Router::new().route("/pictures/{file}", get(picture))
}

/// The address of the picture of a game.
pub fn address(game: &str) -> String {
    format!("/pictures/{game}.png")
}

/// Boards in the middle of a match between the strongest built-in players.
static PICTURES: LazyLock<BTreeMap<&str, Vec<u8>>> =
    LazyLock::new(|| GAMES.iter().filter_map(|game| Some((game.about().id, draw(*game)?))).collect());

async fn picture(Path(file): Path<String>) -> Answer {
    let game = file.strip_suffix(".png").ok_or(AppError::NotFound)?.to_owned();
    let picture = tokio::task::spawn_blocking(move || PICTURES.get(game.as_str())).await?.ok_or(AppError::NotFound)?;
    let headers = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")];
    Ok((headers, picture.as_slice()).into_response())
}

fn draw(game: &'static dyn Game) -> Option<Vec<u8>> {
    const SEED: i32 = 7;
    let about = game.about();
    let player = about.player("Veteran")?;
    let config = game.read_config(about.default_config.as_bytes()).ok()?;
    let mut played = Match::between(&*config, SEED, [player; Seat::COUNT]).ok()?;
    let header = Header { judged: false, seed: SEED, names: [const { String::new() }; Seat::COUNT] };
    let wanted = played.state().rounds() / 2;
    let opening = Opening { game, header: &header, cpu: false };
    let mut writer = PngWriter::new(&opening, played.state(), Some(wanted), None).ok()?.bare();
    while !writer.is_done() {
        let before = played.engine().snapshot();
        played.play_round().ok()?;
        let past = Past { before: before.state(), done: played.engine().done(), asked: None };
        writer.frame(played.state(), &past);
    }
    writer.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_picture() {
        for game in GAMES {
            let picture = &PICTURES[game.about().id];
            let id = game.about().id;
            assert!(picture.starts_with(b"\x89PNG") && picture.len() < 300_000, "{id}");
            // Nothing but the board, so that no words are cut where the picture is.
            let side = |at: usize| u32::from_be_bytes(*picture[at..].first_chunk().unwrap());
            let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
            let played = Match::between(&*config, 1, [game.about().player("Veteran").unwrap(); Seat::COUNT]).unwrap();
            let mut frames = ludus_scenes::Frames::new(ludus_scenes::scenery(*game));
            frames.advance(played.state(), None);
            let scene = frames.now();
            assert_eq!(side(16) * scene.rows as u32, side(20) * scene.cols as u32, "{id}");
        }
    }
}
