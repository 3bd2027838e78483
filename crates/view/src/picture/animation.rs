//! Some rounds as an animated GIF that goes on for ever.

use std::ops::RangeInclusive;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use ludus_games::{Past, State};
use ludus_scenes::{Opening, scenery};
use tiny_skia::Pixmap;

use super::palette::{Palette, UNCHANGED};
use super::{MOST_MOVING_PIXELS, PictureError, Pictures};

/// How long the last round stays, in hundredths of a second.
const LAST_DELAY: u16 = 200;

/// Draws some rounds of a match.
///
/// Every frame holds the rectangle in which something has changed, and in it
/// only the pixels that have.
pub struct GifWriter {
    pictures: Pictures,
    rounds: RangeInclusive<u32>,
    delay: u16,
    palette: Palette,
    encoder: Encoder<Vec<u8>>,
    shown: Vec<u8>,
    indices: Vec<u8>,
}

impl GifWriter {
    /// For the boards after these numbers of rounds, as far as there are any.
    pub fn new(
        opening: &Opening<'_>,
        first: &dyn State,
        rounds: RangeInclusive<u32>,
        scale: Option<u32>,
    ) -> Result<GifWriter, PictureError> {
        let (start, end) = (*rounds.start(), (*rounds.end()).min(first.rounds()));
        if start > *rounds.end() {
            return Err(PictureError::EmptyRange(start, *rounds.end()));
        }
        if start > end {
            return Err(PictureError::NoRound { wanted: start, last: end });
        }
        let mut pictures = Pictures::new(opening, first, scale)?;
        let ([width, height], frames) = (pictures.size.whole, end - start + 1);
        let too_much = PictureError::TooMuch { frames, width, height };
        if u64::from(width) * u64::from(height) * u64::from(frames) > MOST_MOVING_PIXELS {
            return Err(too_much);
        }
        let (Ok(wide), Ok(high)) = (u16::try_from(width), u16::try_from(height)) else { return Err(too_much) };
        let palette = Palette::of(&pictures.painter.samples(pictures.frames.now()));
        let mut encoder =
            Encoder::new(Vec::new(), wide, high, &palette.bytes()).expect("writing to memory cannot fail");
        encoder.set_repeat(Repeat::Infinite).expect("writing to memory cannot fail");
        let delay = (100 / scenery(opening.game).legend.ticks.max(1)).clamp(2, 100) as u16;
        let (shown, indices) = (Vec::new(), Vec::new());
        let mut writer = GifWriter { pictures, rounds: start..=end, delay, palette, encoder, shown, indices };
        writer.draw();
        Ok(writer)
    }

    pub fn frame(&mut self, state: &dyn State, past: &Past<'_>) {
        if !self.is_done() {
            self.pictures.advance(state, past);
            self.draw();
        }
    }

    /// Whether further rounds make no difference.
    pub fn is_done(&self) -> bool {
        self.pictures.round >= *self.rounds.end()
    }

    /// The file, if the first of the rounds has come.
    pub fn finish(self) -> Result<Vec<u8>, PictureError> {
        if self.shown.is_empty() {
            return Err(PictureError::NoRound { wanted: *self.rounds.start(), last: self.pictures.round });
        }
        Ok(self.encoder.into_inner().expect("writing to memory cannot fail"))
    }

    fn draw(&mut self) {
        if !self.rounds.contains(&self.pictures.round) {
            return;
        }
        let picture = self.pictures.painter.draw(self.pictures.frames.now(), self.pictures.round);
        index(picture, &mut self.palette, &mut self.indices);
        let width = picture.width() as usize;
        let delay = if self.pictures.round == *self.rounds.end() { LAST_DELAY } else { self.delay };
        let frame = changes(&self.shown, &self.indices, width, delay);
        self.encoder.write_frame(&frame).expect("writing to memory cannot fail");
        std::mem::swap(&mut self.shown, &mut self.indices);
    }
}

/// The pixels of a picture as indices of the palette.
fn index(picture: &Pixmap, palette: &mut Palette, indices: &mut Vec<u8>) {
    indices.clear();
    let mut last = ([0; 3], palette.index([0; 3]));
    indices.extend(picture.data().as_chunks::<4>().0.iter().map(|&[red, green, blue, _]| {
        let colour = [red, green, blue];
        if last.0 != colour {
            last = (colour, palette.index(colour));
        }
        last.1
    }));
}

/// The rectangle in which two pictures differ, and in it what does. A frame
/// must have a pixel, even if nothing has changed.
fn changes(before: &[u8], now: &[u8], width: usize, delay: u16) -> Frame<'static> {
    let height = now.len() / width;
    let mut frame = Frame { delay, dispose: DisposalMethod::Keep, ..Frame::default() };
    if before.is_empty() {
        (frame.width, frame.height) = (width as u16, height as u16);
        frame.buffer = now.to_vec().into();
        return frame;
    }
    let rows: Vec<(&[u8], &[u8])> = before.chunks(width).zip(now.chunks(width)).collect();
    let top = rows.iter().position(|(old, new)| old != new).unwrap_or(0);
    let bottom = rows.iter().rposition(|(old, new)| old != new).unwrap_or(0);
    let (mut left, mut right) = (width - 1, 0);
    for (old, new) in &rows[top..=bottom] {
        if let Some(first) = old.iter().zip(*new).position(|(old, new)| old != new) {
            left = left.min(first);
            right = right.max(old.iter().zip(*new).rposition(|(old, new)| old != new).unwrap_or(first));
        }
    }
    let right = right.max(left);
    (frame.left, frame.top) = (left as u16, top as u16);
    (frame.width, frame.height) = ((right - left + 1) as u16, (bottom - top + 1) as u16);
    frame.transparent = Some(UNCHANGED);
    let kept = |(old, new): (&u8, &u8)| if old == new { UNCHANGED } else { *new };
    let lines = rows[top..=bottom].iter().flat_map(|(old, new)| old[left..=right].iter().zip(&new[left..=right]));
    frame.buffer = lines.map(kept).collect::<Vec<u8>>().into();
    frame
}
