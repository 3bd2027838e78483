//! The lines below the board: game, round, and the four players.

use ludus_games::Seat;
use ludus_scenes::{Legend, Scene};
use tiny_skia::{Color, FillRule, PathBuilder, Pixmap, Rect, Transform};

use super::font;
use super::painter::MARGIN;
use super::path::{paint, resolve};

/// From this width on the four players stand in one row.
const WIDE: u32 = 760;

pub struct Caption {
    pub title: String,
    pub names: [String; 4],
    pub rounds: u32,
}

/// The height of capitals, and of a line.
fn letters(width: u32) -> [f32; 2] {
    let height = (width as f32 / 50.0).clamp(8.0, 13.0).round();
    [height, (height * 2.1).round()]
}

fn rows(width: u32) -> u32 {
    if width >= WIDE { 1 } else { 2 }
}

impl Caption {
    /// How high it is below a board in a picture of this width.
    pub fn height(width: u32) -> u32 {
        let [height, line] = letters(width);
        rows(width) * line as u32 + height as u32 + 2 * MARGIN
    }

    pub fn draw(&self, scene: &Scene, round: u32, legend: &Legend, picture: &mut Pixmap) {
        let width = picture.width();
        let [height, line] = letters(width);
        let top = (picture.height() - Caption::height(width) + MARGIN) as f32;
        let [left, right] = [MARGIN as f32, (width - MARGIN) as f32];
        let bright = Color::from_rgba8(0xf4, 0xf4, 0xf6, 255);
        let dim = Color::from_rgba8(0xa6, 0xaa, 0xb4, 255);
        let counter = format!("round {round} / {}", self.rounds);
        let counter_left = right - font::width(&counter, height);
        let title = font::fitting(&self.title, height, counter_left - left - height);
        font::write(&title, [left, top], height, bright, &mut picture.as_mut());
        font::write(&counter, [counter_left, top], height, dim, &mut picture.as_mut());

        let columns = 4 / rows(width);
        let gap = 2.0 * height;
        let room = (right - left - gap * (columns - 1) as f32) / columns as f32;
        for seat in Seat::ALL {
            let number = seat.index() as u32;
            let x = left + (number % columns) as f32 * (room + gap);
            let y = top + (1 + number / columns) as f32 * line;
            swatch([x, y], height, resolve(legend.seats[seat.index()].strong, 0, legend), picture);
            let score = scene.scores[seat].to_string();
            let score_left = x + room - font::width(&score, height);
            let name_left = x + 1.8 * height;
            let name = font::fitting(&self.names[seat.index()], height, score_left - name_left - height);
            font::write(&name, [name_left, y], height, dim, &mut picture.as_mut());
            font::write(&score, [score_left, y], height, bright, &mut picture.as_mut());
        }
    }
}

/// A disc in the colour of a seat, with a light edge for the dark ones.
fn swatch([x, y]: [f32; 2], side: f32, colour: Color, picture: &mut Pixmap) {
    for (inset, colour) in [(0.0, Color::from_rgba8(0xf4, 0xf4, 0xf6, 255)), (1.5, colour)] {
        let square = Rect::from_xywh(x + inset, y + inset, side - 2.0 * inset, side - 2.0 * inset);
        if let Some(path) = square.and_then(PathBuilder::from_oval) {
            picture.fill_path(&path, &paint(colour), FillRule::Winding, Transform::identity(), None);
        }
    }
}
