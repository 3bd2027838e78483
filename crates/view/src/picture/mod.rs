//! Pictures of matches: one round as PNG, some rounds as an animated GIF.
//!
//! Both are fed like a [`SceneWriter`](ludus_scenes::SceneWriter): the
//! first state, then every round. Nothing is drawn for rounds that are not
//! wanted. Pictures have limits, because boards come from anybody:
//! [`MOST_PIXELS`] and, for all frames together, [`MOST_MOVING_PIXELS`].

mod animation;
mod caption;
mod font;
mod painter;
mod palette;
mod path;
mod png;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use ludus_games::{Game, Past, State};
use ludus_scenes::{Frames, Opening, scenery};

pub use animation::GifWriter;

use caption::Caption;
use painter::{Painter, Size};

/// The most pixels of one picture.
pub const MOST_PIXELS: u64 = 16_000_000;
/// The most pixels of all frames of an animation.
pub const MOST_MOVING_PIXELS: u64 = 400_000_000;
/// Pixels per cell.
pub const SCALES: RangeInclusive<u32> = 1..=100;

/// The longer side of the board where nobody asks for a scale.
const USUAL_SIDE: u32 = 500;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("the scale must be from {least} to {most} pixels per cell, got {0}", least = SCALES.start(), most = SCALES.end())]
    Scale(u32),
    #[error("a picture of {0} by {1} pixels is too large, ask for a smaller scale")]
    TooLarge(u32, u32),
    #[error("{frames} frames of {width} by {height} pixels are too much, ask for fewer rounds or a smaller scale")]
    TooMuch { frames: u32, width: u32, height: u32 },
    #[error("there is no round {wanted}, the match has rounds 0 to {last}")]
    NoRound { wanted: u32, last: u32 },
    #[error("the rounds must be from a smaller to a greater number, got {0}..{1}")]
    EmptyRange(u32, u32),
}

/// The frames of a match, drawn as they are wanted.
struct Pictures {
    frames: Frames,
    painter: Painter,
    size: Size,
    round: u32,
}

impl Pictures {
    fn new(opening: &Opening<'_>, first: &dyn State, scale: Option<u32>) -> Result<Pictures, PictureError> {
        let scenery = scenery(opening.game);
        let mut frames = Frames::new(scenery);
        frames.advance(first, None);
        let (rows, cols) = (frames.now().rows as u32, frames.now().cols as u32);
        let cell = scale.unwrap_or_else(|| (USUAL_SIDE / rows.max(cols).max(1)).clamp(*SCALES.start(), *SCALES.end()));
        if !SCALES.contains(&cell) {
            return Err(PictureError::Scale(cell));
        }
        let size = Size::new(rows, cols, cell);
        let [width, height] = size.whole;
        let too_large = PictureError::TooLarge(width, height);
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(too_large);
        }
        let caption = caption(opening.game, opening, first);
        let painter = Painter::new(scenery.legend, size, caption).ok_or(too_large)?;
        Ok(Pictures { frames, painter, size, round: 0 })
    }

    fn advance(&mut self, state: &dyn State, past: &Past<'_>) {
        self.frames.advance(state, Some(past));
        self.round += 1;
    }
}

fn caption(game: &dyn Game, opening: &Opening<'_>, first: &dyn State) -> Caption {
    Caption { title: game.about().title.to_owned(), names: opening.header.names.clone(), rounds: first.rounds() }
}

/// Draws one round of a match.
pub struct PngWriter {
    pictures: Pictures,
    /// None for the last one there is.
    wanted: Option<u32>,
    is_bare: bool,
    file: Option<Vec<u8>>,
}

impl PngWriter {
    /// For the board after so many rounds or after the last one, with so many
    /// pixels per cell.
    pub fn new(
        opening: &Opening<'_>,
        first: &dyn State,
        round: Option<u32>,
        scale: Option<u32>,
    ) -> Result<PngWriter, PictureError> {
        let pictures = Pictures::new(opening, first, scale)?;
        let mut writer = PngWriter { pictures, wanted: round, is_bare: false, file: None };
        writer.draw_if(round == Some(0));
        Ok(writer)
    }

    /// Without margin and caption, for places that say beside it what it shows.
    #[must_use]
    pub fn bare(mut self) -> PngWriter {
        self.is_bare = true;
        self.draw_if(self.file.is_some());
        self
    }

    pub fn frame(&mut self, state: &dyn State, past: &Past<'_>) {
        if !self.is_done() {
            self.pictures.advance(state, past);
            self.draw_if(self.wanted == Some(self.pictures.round));
        }
    }

    fn draw_if(&mut self, wanted: bool) {
        if wanted {
            let painter = &mut self.pictures.painter;
            let picture = painter.draw(self.pictures.frames.now(), self.pictures.round);
            self.file = Some(if self.is_bare { png::encode(&painter.board()) } else { png::encode(picture) });
        }
    }

    /// Whether further rounds make no difference.
    pub fn is_done(&self) -> bool {
        self.file.is_some()
    }

    /// The file, if the round has come.
    pub fn finish(mut self) -> Result<Vec<u8>, PictureError> {
        self.draw_if(self.wanted.is_none());
        let wanted = self.wanted.unwrap_or_default();
        self.file.ok_or(PictureError::NoRound { wanted, last: self.pictures.round })
    }
}
