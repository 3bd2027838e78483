//! What can be made of a replay: downloads, what the viewer shows, and who used
//! how much CPU when.
//!
//! Records and scenes are made by playing the match again. Whoever has a link
//! may ask for them, so that few are made at a time, each within a time, each
//! once for all who wait for it; what was made lately is kept, packed, in a
//! bounded room.

mod cpu;

use std::io::{Cursor, Read as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use axum::body::{Body, Bytes};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use futures_util::stream;
use ludus_arena::replay::Replay;
use ludus_arena::{MatchFile, OpenError};
use ludus_view::Links;
use ludus_view::picture::PngWriter;
use tokio::sync::{OnceCell, Semaphore};

use crate::matches::KeptReplay;
use crate::web::Visitor;

pub use cpu::{CpuMeter, CpuUse, cpu_use};

/// The page with the viewer as a visitor wants it, for a match at an address.
pub fn viewer(address: &str, visitor: &Visitor) -> String {
    let scene = format!("{address}/scene.json");
    ludus_view::page(&Links {
        assets: "/viewer/",
        scene: Some(&scene),
        language: Some(visitor.language.code()),
        theme: Some(visitor.theme.word()),
        ..Links::default()
    })
}

/// What is made by playing a match again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    Record,
    Scene,
    /// The board at the end.
    Picture,
}

impl Product {
    /// The product in a file with this name.
    pub fn of(name: &str) -> Option<Product> {
        match name {
            "record.txt" => Some(Product::Record),
            "scene.json" => Some(Product::Scene),
            "picture.png" => Some(Product::Picture),
            _ => None,
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Product::Record => "text/plain; charset=utf-8",
            Product::Scene => "application/json",
            Product::Picture => "image/png",
        }
    }
}

/// Why there is no product, though the replay is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    #[error("too many matches are being played again")]
    Busy,
    #[error("the match takes too long to play again, or is too large")]
    TooMuch,
}

/// A product, packed with gzip, which all who read it share.
pub type Packed = Bytes;

/// Matches that are played again at a time.
static ROOM: Semaphore = Semaphore::const_new(2);

/// How long somebody waits for room, and how long playing a match again may take.
const PATIENCE: Duration = Duration::from_secs(20);
const LONGEST: Duration = Duration::from_secs(30);

/// The largest record, which is larger than any scene.
const LARGEST_RECORD: usize = 256 << 20;

/// What is unpacked at a time.
const PART: usize = 64 << 10;

/// What was made lately.
static SHELF: Mutex<Shelf> = Mutex::new(Shelf { places: Vec::new() });

/// The record or the scene of the replay with a hash, which is read if it is needed.
pub async fn product(hash: &str, product: Product, replay: KeptReplay) -> Result<Packed> {
    let shelf = || SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let place = shelf().place(hash, product);
    let made = place.get_or_try_init(|| async {
        let room = tokio::time::timeout(PATIENCE, ROOM.acquire()).await;
        let room = room.map_err(|_| Unavailable::Busy)??;
        let made = tokio::task::spawn_blocking(move || {
            // Whoever asked may leave meanwhile; the room is taken until it is made.
            let _room = room;
            make(&replay.read()?, product, Instant::now() + LONGEST)
        });
        made.await?
    });
    let made = made.await?.clone();
    shelf().tidy();
    Ok(made?)
}

/// Makes a product. What takes too long once does so for all who ask.
fn make(replay: &[u8], product: Product, deadline: Instant) -> Result<Made> {
    let go_on = || Instant::now() < deadline;
    let made = (|| -> Result<Vec<u8>, OpenError> {
        let file = MatchFile::of_replay(Replay::read(replay)?)?;
        match product {
            Product::Scene => Ok(packed(&ludus_view::document_while(&file, go_on)?.json)),
            Product::Record => record(&file, go_on),
            Product::Picture => Ok(packed(&picture(&file, go_on)?)),
        }
    })();
    match made {
        Ok(packed) => Ok(Ok(packed.into())),
        Err(OpenError::TooSlow) => Ok(Err(Unavailable::TooMuch)),
        Err(error) => Err(error.into()),
    }
}

/// The board after the last round, for previews of links. A board that is too large
/// to be drawn is one that takes too long.
fn picture(file: &MatchFile, go_on: impl Fn() -> bool) -> Result<Vec<u8>, OpenError> {
    let mut playback = file.play()?;
    let opening = ludus_view::opening(file);
    let mut writer = PngWriter::new(&opening, playback.state(), None, None).map_err(|_| OpenError::TooSlow)?;
    while let Some((state, past)) = playback.next_round() {
        if !go_on() {
            return Err(OpenError::TooSlow);
        }
        writer.frame(state, &past);
    }
    writer.finish().map_err(|_| OpenError::TooSlow)
}

/// The record is packed part by part, as it may be long.
fn record(file: &MatchFile, go_on: impl Fn() -> bool) -> Result<Vec<u8>, OpenError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let mut left = LARGEST_RECORD;
    file.write_record(|part| {
        left = left.checked_sub(part.len()).filter(|_| go_on()).ok_or(OpenError::TooSlow)?;
        encoder.write_all(part).expect("a list takes all bytes");
        Ok::<(), OpenError>(())
    })?;
    Ok(encoder.finish().expect("a list takes all bytes"))
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("a list takes all bytes");
    encoder.finish().expect("a list takes all bytes")
}

/// For the few who do not take packed answers: unpacked while it is read.
pub fn unpacked(packed: Packed) -> Body {
    let parts = stream::try_unfold(GzDecoder::new(Cursor::new(packed)), |mut decoder| async move {
        let mut part = Vec::with_capacity(PART);
        let read = decoder.by_ref().take(PART as u64).read_to_end(&mut part)?;
        Ok::<_, std::io::Error>((read > 0).then_some((part, decoder)))
    });
    Body::from_stream(parts)
}

type Made = Result<Packed, Unavailable>;

/// Places for what is made and for what was made lately, the latest first.
struct Shelf {
    places: Vec<(String, Product, Arc<OnceCell<Made>>)>,
}

impl Shelf {
    const MOST_PLACES: usize = 256;
    const MOST_BYTES: usize = 64 << 20;

    /// The place of a product, where the first who asks makes it and all others wait.
    fn place(&mut self, hash: &str, product: Product) -> Arc<OnceCell<Made>> {
        let known = self.places.iter().position(|(of, what, _)| of == hash && *what == product);
        let found = match known {
            Some(at) => self.places.remove(at),
            None => (hash.to_owned(), product, Arc::default()),
        };
        let place = found.2.clone();
        self.places.insert(0, found);
        place
    }

    /// Gives up what was asked for longest ago, where there is too much. Who
    /// waits for it still gets it.
    fn tidy(&mut self) {
        let mut left = Shelf::MOST_BYTES;
        let mut kept = 0;
        for (_, _, place) in self.places.iter().take(Shelf::MOST_PLACES) {
            let size = place.get().and_then(|made| made.as_ref().ok()).map_or(0, |packed| packed.len());
            match left.checked_sub(size) {
                Some(less) => left = less,
                None => break,
            }
            kept += 1;
        }
        self.places.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::store::Store;

    fn shelf_with(sizes: &[usize]) -> Shelf {
        let mut shelf = Shelf { places: Vec::new() };
        for (k, size) in sizes.iter().enumerate() {
            let place = shelf.place(&k.to_string(), Product::Scene);
            place.set(Ok(vec![0; *size].into())).unwrap();
        }
        shelf
    }

    fn names(shelf: &Shelf) -> Vec<&str> {
        shelf.places.iter().map(|(hash, ..)| hash.as_str()).collect()
    }

    #[test]
    fn the_shelf_keeps_what_was_asked_for_last() {
        let third = Shelf::MOST_BYTES / 3;
        let mut shelf = shelf_with(&[third, third, third, third]);
        shelf.place("1", Product::Scene);
        shelf.tidy();
        assert_eq!(names(&shelf), ["1", "3", "2"]);
        shelf.place("1", Product::Record);
        assert_eq!(shelf.places.len(), 4, "another product has a place of its own");
        let mut many = shelf_with(&[1; 2 * Shelf::MOST_PLACES]);
        many.tidy();
        assert_eq!(many.places.len(), Shelf::MOST_PLACES);
        let mut large = shelf_with(&[1, Shelf::MOST_BYTES + 1]);
        large.tidy();
        assert!(large.places.is_empty(), "what has no room on the shelf is given to those who wait, and gone");
    }

    fn replay_and_record(seed: i32) -> (Vec<u8>, Vec<u8>) {
        let game = ludus_games::GAMES[0];
        let text = game.about().default_config.as_bytes();
        let config = game.read_config(text).unwrap();
        let mut played = ludus_arena::Match::between(&*config, seed, [&game.about().players[0]; 4]).unwrap();
        let mut recorder = ludus_arena::replay::Recorder::new(game, text, &played);
        let mut record = Vec::new();
        let mut writer = played.begin_record(&mut record);
        while !played.is_over() {
            played.play_round().unwrap();
            played.write_round(&mut *writer, &mut record);
            recorder.round(&played);
        }
        (recorder.finish(&played), record)
    }

    fn kept(store: &Store, hash: &str) -> KeptReplay {
        KeptReplay::InStore(store.clone(), hash.to_owned())
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_product_is_made_once_for_all_who_ask() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_str().unwrap()).unwrap();
        let hash = store.put(&replay_and_record(7).0).unwrap();
        let asking: Vec<_> = (0..60)
            .map(|_| {
                let (store, hash) = (store.clone(), hash.clone());
                tokio::spawn(async move { product(&hash, Product::Scene, kept(&store, &hash)).await.unwrap() })
            })
            .collect();
        let mut answers = Vec::new();
        for one in asking {
            answers.push(one.await.unwrap());
        }
        assert!(answers.iter().all(|answer| answer.as_ptr() == answers[0].as_ptr()));
        // What is on the shelf needs no replay any more.
        store.remove(&hash, Duration::ZERO).unwrap();
        assert_eq!(product(&hash, Product::Scene, kept(&store, &hash)).await.unwrap().as_ptr(), answers[0].as_ptr());
        assert!(product(&hash, Product::Record, kept(&store, &hash)).await.is_err());
    }

    /// The replay is a pipe, so that it comes when the test wants it to.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn who_leaves_gives_no_room_away_before_the_match_is_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_str().unwrap()).unwrap();
        let replay = replay_and_record(11).0;
        let hash = store.put(&replay).unwrap();
        let file = folder.path().join(&hash[..2]).join(&hash[2..]);
        std::fs::remove_file(&file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
        let mut asked = Box::pin(product(&hash, Product::Scene, kept(&store, &hash)));
        while asked.as_mut().now_or_never().is_none() && ROOM.available_permits() == 2 {
            tokio::task::yield_now().await;
        }
        let pipe = tokio::task::spawn_blocking(move || std::fs::File::create(file).unwrap());
        let mut pipe = pipe.await.unwrap();
        // Somebody reads it, and then nobody waits for it any more.
        drop(asked);
        assert!(ROOM.acquire_many(2).now_or_never().is_none(), "the match is still being played");
        pipe.write_all(&replay).unwrap();
        drop(pipe);
        let room = tokio::time::timeout(Duration::from_secs(60), ROOM.acquire_many(2)).await;
        assert!(room.is_ok(), "the room is free again");
    }

    #[tokio::test]
    async fn a_product_is_made_within_its_time_or_not() {
        let (replay, expected) = replay_and_record(1);
        let late = Instant::now();
        for product in [Product::Record, Product::Scene, Product::Picture] {
            assert_eq!(make(&replay, product, late).unwrap(), Err(Unavailable::TooMuch));
        }
        let record = make(&replay, Product::Record, late + LONGEST).unwrap().unwrap();
        assert!(expected.len() > 3 * PART, "it comes in parts");
        assert_eq!(axum::body::to_bytes(unpacked(record), usize::MAX).await.unwrap(), expected);
        let picture = make(&replay, Product::Picture, late + LONGEST).unwrap().unwrap();
        let picture = axum::body::to_bytes(unpacked(picture), usize::MAX).await.unwrap();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() < 500_000, "{} bytes", picture.len());
        assert!(make(b"no replay", Product::Scene, late + LONGEST).is_err());
    }
}
