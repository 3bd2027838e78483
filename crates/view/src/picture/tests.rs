//! Pictures and animations show the same board, and refuse what is too large.

use std::ops::RangeInclusive;

use gif::{ColorOutput, DecodeOptions};
use ludus_arena::Match;
use ludus_games::{GAMES, Game, Past};
use ludus_scenes::Opening;

use super::painter::Size;
use super::{GifWriter, PictureError, PngWriter};

/// Plays a match of Demo and Dummy, as far as somebody looks.
fn play(game: &dyn Game, config: &str, mut look: impl FnMut(&Match, Option<&Past<'_>>) -> bool) {
    let config = game.read_config(config.as_bytes()).unwrap();
    let player = |name: &str| game.about().player(name).unwrap();
    let mut played = Match::between(&*config, 1, ["Demo", "Dummy", "Demo", "Dummy"].map(player)).unwrap();
    if !look(&played, None) {
        return;
    }
    loop {
        let before = played.engine().snapshot();
        played.play_round().unwrap();
        let past = Past { before: before.state(), done: played.engine().done(), asked: Some(played.accepted()) };
        if !look(&played, Some(&past)) || played.is_over() {
            return;
        }
    }
}

fn png(game: &dyn Game, config: &str, round: u32, scale: Option<u32>) -> Result<Vec<u8>, PictureError> {
    let mut writer = None;
    play(game, config, |played, past| {
        let opening = Opening { game, header: played.header(), cpu: false };
        match (past, &mut writer) {
            (Some(past), Some(Ok(writer))) => PngWriter::frame(writer, played.state(), past),
            _ => writer = Some(PngWriter::new(&opening, played.state(), Some(round), scale)),
        }
        writer.as_ref().is_some_and(|writer| writer.as_ref().is_ok_and(|writer| !writer.is_done()))
    });
    writer.unwrap()?.finish()
}

fn gif(
    game: &dyn Game,
    config: &str,
    rounds: RangeInclusive<u32>,
    scale: Option<u32>,
) -> Result<Vec<u8>, PictureError> {
    let mut writer = None;
    play(game, config, |played, past| {
        let opening = Opening { game, header: played.header(), cpu: false };
        match (past, &mut writer) {
            (Some(past), Some(Ok(writer))) => GifWriter::frame(writer, played.state(), past),
            _ => writer = Some(GifWriter::new(&opening, played.state(), rounds.clone(), scale)),
        }
        writer.as_ref().is_some_and(|writer| writer.as_ref().is_ok_and(|writer| !writer.is_done()))
    });
    writer.unwrap()?.finish()
}

/// Width, height and the colours of a PNG file of ours.
fn read_png(file: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let (width, height, length) = (number(16), number(20), number(33));
    assert_eq!((&file[12..16], &file[37..41]), (&b"IHDR"[..], &b"IDAT"[..]));
    let mut sum = flate2::Crc::new();
    sum.update(&file[37..41 + length]);
    assert_eq!(sum.sum() as usize, number(41 + length));
    let mut data = Vec::new();
    std::io::copy(&mut flate2::read::ZlibDecoder::new(&file[41..41 + length]), &mut data).unwrap();
    let rows = data.chunks(1 + 3 * width);
    (width, height, rows.flat_map(|row| row[1..].as_chunks::<3>().0.to_vec()).collect())
}

/// The whole pictures of an animation, one after another.
fn read_gif(file: &[u8]) -> (usize, Vec<Vec<[u8; 3]>>) {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut picture = vec![[0; 3]; width * height];
    let mut pictures = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (at, &[red, green, blue, alpha]) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let (column, row) = (at % usize::from(frame.width), at / usize::from(frame.width));
            if alpha > 0 {
                picture[(top + row) * width + left + column] = [red, green, blue];
            }
        }
        pictures.push(picture.clone());
    }
    (width, pictures)
}

#[test]
fn animations_show_what_pictures_show() {
    for game in GAMES {
        let (id, config) = (game.about().id, game.about().default_config);
        let file = gif(*game, config, 30..=36, None).unwrap();
        let (width, frames) = read_gif(&file);
        assert_eq!(frames.len(), 7, "{id}");
        for (round, frame) in (30..).zip(&frames) {
            let (png_width, height, pixels) = read_png(&png(*game, config, round, None).unwrap());
            assert_eq!((png_width, pixels.len()), (width, frame.len()), "{id}");
            assert!(width.max(height) > 450 && width.max(height) < 700, "{id}: {width} by {height}");
            let off = |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).max();
            let errors: Vec<u32> = pixels.iter().zip(frame).filter_map(off).collect();
            let exact = errors.iter().filter(|error| **error == 0).count();
            assert!(exact * 10 > errors.len() * 8, "{id} round {round}: {exact} of {} exact", errors.len());
            let worst = errors.iter().max().unwrap();
            assert!(*worst < 96, "{id} round {round}: off by {worst}");
        }
    }
}

#[test]
fn the_same_match_gives_the_same_file() {
    for game in GAMES {
        let config = game.about().default_config;
        assert_eq!(gif(*game, config, 0..=3, Some(5)), gif(*game, config, 0..=3, Some(5)));
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let game = GAMES[0];
    let config = game.about().default_config;
    assert_eq!(png(game, config, 0, Some(0)), Err(PictureError::Scale(0)));
    assert_eq!(png(game, config, 0, Some(101)), Err(PictureError::Scale(101)));
    assert_eq!(png(game, config, 251, Some(4)), Err(PictureError::NoRound { wanted: 251, last: 250 }));
    assert_eq!(gif(game, config, 260..=270, Some(4)), Err(PictureError::NoRound { wanted: 260, last: 250 }));
    assert_eq!(gif(game, config, RangeInclusive::new(9, 8), Some(4)), Err(PictureError::EmptyRange(9, 8)));
    assert!(matches!(gif(game, config, 0..=250, Some(60)), Err(PictureError::TooMuch { frames: 251, .. })));
    let large: String = config
        .lines()
        .map(|line| match line.split_whitespace().next() {
            Some("BOARD_ROWS") => "BOARD_ROWS 500\n".to_owned(),
            Some("BOARD_COLS") => "BOARD_COLS 500\n".to_owned(),
            _ => format!("{line}\n"),
        })
        .collect();
    assert!(matches!(png(game, &large, 0, Some(9)), Err(PictureError::TooLarge(4520, _))));
    let (width, _, _) = read_png(&png(game, &large, 1, None).unwrap());
    assert_eq!(width, 520);
}

#[test]
fn small_boards_leave_room_for_the_caption() {
    let size = Size::new(20, 20, 1);
    assert_eq!(size.whole[0], 300);
    assert!(size.whole[1] > 20 + 50);
}
