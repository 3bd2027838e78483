//! Scenes as pixels: the ground, what is on it, and a caption.

use std::collections::HashMap;

use ludus_scenes::{Item, Legend, Scene};
use tiny_skia::{Color, IntRect, Pixmap, PixmapPaint, Rect, Transform};

use super::caption::Caption;
use super::path::{draw_layer, layer_path, paint, resolve};

/// Around the board, in pixels.
pub const MARGIN: u32 = 10;
/// Captions need so much room.
const NARROWEST: u32 = 300;
const BACKGROUND: [u8; 3] = [0x1d, 0x1f, 0x24];
/// Below this size of a cell lines between cells would be most of the picture.
const SMALLEST_WITH_GRID: u32 = 6;

/// The size of a picture: pixels per cell, then all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub cell: u32,
    pub board: [u32; 2],
    pub whole: [u32; 2],
}

impl Size {
    pub fn new(rows: u32, cols: u32, cell: u32) -> Size {
        let board = [cols * cell, rows * cell];
        let width = (board[0] + 2 * MARGIN).max(NARROWEST);
        Size { cell, board, whole: [width, board[1] + MARGIN + Caption::height(width)] }
    }

    /// The upper left corner of the board.
    fn origin(&self) -> [u32; 2] {
        [(self.whole[0] - self.board[0]) / 2, MARGIN]
    }
}

/// Draws scenes of one match. What rarely changes is kept: the ground, and
/// every sprite in the size of a cell.
pub struct Painter {
    legend: &'static Legend,
    size: Size,
    caption: Caption,
    ground: Pixmap,
    /// The kinds that the ground shows.
    shown: Vec<u8>,
    tiles: HashMap<u8, Pixmap>,
    sprites: HashMap<Sprite, (Pixmap, [i32; 2])>,
    picture: Pixmap,
}

/// A drawing for a seat, turned by so many eighths.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sprite {
    drawing: usize,
    seat: usize,
    heading: i32,
}

impl Painter {
    /// None if the picture is too large to be held, which its maker has checked.
    pub fn new(legend: &'static Legend, size: Size, caption: Caption) -> Option<Painter> {
        Some(Painter {
            legend,
            size,
            caption,
            ground: Pixmap::new(size.board[0], size.board[1])?,
            shown: Vec::new(),
            tiles: HashMap::new(),
            sprites: HashMap::new(),
            picture: Pixmap::new(size.whole[0], size.whole[1])?,
        })
    }

    /// Draws the frame of a round.
    pub fn draw(&mut self, scene: &Scene, round: u32) -> &Pixmap {
        self.draw_in_mood(scene, scene.mood, round)
    }

    /// The board of the frame that was drawn last, with nothing around it.
    pub fn board(&self) -> Pixmap {
        let ([x, y], [width, height]) = (self.size.origin(), self.size.board);
        let board = IntRect::from_xywh(x as i32, y as i32, width, height);
        board.and_then(|board| self.picture.clone_rect(board)).expect("the board lies in the picture")
    }

    fn draw_in_mood(&mut self, scene: &Scene, mood: usize, round: u32) -> &Pixmap {
        let [red, green, blue] = BACKGROUND;
        self.picture.fill(Color::from_rgba8(red, green, blue, 255));
        self.draw_ground(scene);
        if let Some(tint) = self.legend.moods.get(mood).and_then(|mood| mood.tint) {
            let ([x, y], [width, height]) = (self.size.origin(), self.size.board);
            let board = Rect::from_xywh(x as f32, y as f32, width as f32, height as f32);
            let colour = paint(resolve(tint, 0, self.legend));
            board.into_iter().for_each(|board| self.picture.fill_rect(board, &colour, Transform::identity(), None));
        }
        for &(kind, cell) in &scene.overlays {
            let drawing = self.legend.overlays[usize::from(kind)].drawing;
            self.draw_sprite(Sprite { drawing, seat: 0, heading: 0 }, cell, scene.cols);
        }
        self.draw_items(scene);
        self.caption.draw(scene, round, self.legend, &mut self.picture);
        &self.picture
    }

    fn draw_ground(&mut self, scene: &Scene) {
        let cell = self.size.cell;
        self.shown.resize(scene.cells.len(), u8::MAX);
        for (at, &kind) in scene.cells.iter().enumerate().filter(|(at, kind)| self.shown[*at] != **kind) {
            let tile = self.tiles.entry(kind).or_insert_with(|| tile(self.legend, kind, cell));
            let (column, row) = (at % scene.cols as usize, at / scene.cols as usize);
            blit(tile, &mut self.ground, [column * cell as usize, row * cell as usize]);
        }
        self.shown.copy_from_slice(&scene.cells);
        let [x, y] = self.size.origin();
        blit(&self.ground, &mut self.picture, [x as usize, y as usize]);
    }

    /// Items by layer, low ones first.
    fn draw_items(&mut self, scene: &Scene) {
        let layer_of = |item: &Item| self.legend.kinds[item.kind as usize].layer;
        let mut items: Vec<&Item> = scene.items.iter().collect();
        items.sort_by_key(|item| layer_of(item));
        for item in items {
            let kind = &self.legend.kinds[item.kind as usize];
            let seat = item.seat.max(0) as usize;
            let heading = if kind.turns { item.heading.max(0) } else { 0 };
            self.draw_sprite(Sprite { drawing: kind.drawing, seat, heading }, item.cell, scene.cols);
            let badges = self.legend.badges.iter().enumerate().filter(|(bit, _)| item.badges >> bit & 1 == 1);
            for (_, badge) in badges {
                self.draw_sprite(Sprite { drawing: badge.drawing, seat, heading: 0 }, item.cell, scene.cols);
            }
        }
    }

    fn draw_sprite(&mut self, sprite: Sprite, cell: i32, cols: i32) {
        let size = self.size;
        let (pixels, [left, top]) =
            self.sprites.entry(sprite).or_insert_with(|| render(self.legend, sprite, size.cell));
        let [x, y] = size.origin().map(|corner| corner as i32);
        let (column, row) = (cell % cols, cell / cols);
        let (x, y) = (x + column * size.cell as i32 + *left, y + row * size.cell as i32 + *top);
        let plain = PixmapPaint::default();
        self.picture.draw_pixmap(x, y, pixels.as_ref(), &plain, Transform::identity(), None);
    }

    /// Samples of everything that may ever be seen: a frame in each mood, and
    /// each kind of item for each seat on each ground. For choosing colours.
    pub fn samples(&mut self, scene: &Scene) -> Vec<Pixmap> {
        let legend = self.legend;
        let moods = 0..legend.moods.len().max(1);
        let mut samples: Vec<Pixmap> = moods.map(|mood| self.draw_in_mood(scene, mood, 0).clone()).collect();
        let mut fills: Vec<&str> = legend.cells.iter().map(|kind| kind.fill).collect();
        fills.sort_unstable();
        fills.dedup();
        let tints: Vec<Option<&str>> = match legend.moods {
            [] => vec![None],
            moods => moods.iter().map(|mood| mood.tint).collect(),
        };
        for (fill, tint) in fills.iter().flat_map(|fill| tints.iter().map(move |tint| (fill, tint))) {
            let mut ground = Pixmap::new(1, 1).expect("one pixel is not too many");
            ground.fill(resolve(fill, 0, legend));
            if let (Some(tint), Some(all)) = (tint, Rect::from_xywh(0.0, 0.0, 1.0, 1.0)) {
                ground.fill_rect(all, &paint(resolve(tint, 0, legend)), Transform::identity(), None);
            }
            let colour = ground.pixels()[0].demultiply();
            samples.extend(strips(
                legend,
                Color::from_rgba8(colour.red(), colour.green(), colour.blue(), 255),
                self.size.cell,
            ));
        }
        samples
    }
}

/// Every drawing of an item or a mark for the four seats, on ground of a colour.
fn strips(legend: &Legend, ground: Color, cell: u32) -> Vec<Pixmap> {
    let marks = legend.badges.iter().map(|badge| badge.drawing);
    let marks = marks.chain(legend.overlays.iter().map(|overlay| overlay.drawing));
    let drawings = legend.kinds.iter().map(|kind| kind.drawing).chain(marks);
    let strip = |drawing: usize| {
        let mut strip = Pixmap::new(4 * cell, cell)?;
        strip.fill(ground);
        for seat in 0..4 {
            let (pixels, [left, top]) = render(legend, Sprite { drawing, seat, heading: 0 }, cell);
            let (x, plain) = ((seat as u32 * cell) as i32 + left, PixmapPaint::default());
            strip.draw_pixmap(x, top, pixels.as_ref(), &plain, Transform::identity(), None);
        }
        Some(strip)
    };
    drawings.filter_map(strip).collect()
}

/// A cell of the ground, with a line towards the next ones.
fn tile(legend: &Legend, kind: u8, cell: u32) -> Pixmap {
    let mut pixels = Pixmap::new(cell, cell).expect("a cell has some pixels, and few");
    let kind = &legend.cells[usize::from(kind)];
    pixels.fill(resolve(kind.fill, 0, legend));
    let scale = Transform::from_scale(cell as f32 / 100.0, cell as f32 / 100.0);
    for layer in kind.drawing.into_iter().flat_map(|drawing| legend.drawings[drawing].0) {
        draw_layer(layer, 0, legend, scale, &mut pixels.as_mut());
    }
    if cell >= SMALLEST_WITH_GRID {
        let (line, side) = (paint(Color::from_rgba8(0, 0, 0, 22)), cell as f32);
        for [x, y, width, height] in [[0.0, side - 1.0, side, 1.0], [side - 1.0, 0.0, 1.0, side - 1.0]] {
            let strip = Rect::from_xywh(x, y, width, height);
            strip.into_iter().for_each(|strip| pixels.fill_rect(strip, &line, Transform::identity(), None));
        }
    }
    pixels
}

/// A drawing in the size of a cell, and where its upper left corner is from
/// that of the cell.
fn render(legend: &Legend, sprite: Sprite, cell: u32) -> (Pixmap, [i32; 2]) {
    let layers = legend.drawings[sprite.drawing].0;
    let reach = layers.iter().filter_map(layer_path).fold(50.0_f32, |reach, (_, [left, top, right, bottom])| {
        // Turned, a corner may be anywhere at its distance from the middle.
        let is_round = sprite.heading % 2 == 1;
        let far = [50.0 - left, 50.0 - top, right - 50.0, bottom - 50.0].into_iter().fold(0.0, f32::max);
        reach.max(if is_round { far * 1.4143 } else { far })
    });
    let margin = ((reach - 50.0).min(250.0) * cell as f32 / 100.0).ceil() as u32;
    let side = cell + 2 * margin;
    let mut pixels = Pixmap::new(side, side).expect("a sprite has some pixels, and few");
    let scale = cell as f32 / 100.0;
    let transform = Transform::from_row(scale, 0.0, 0.0, scale, margin as f32, margin as f32)
        .pre_concat(Transform::from_rotate_at(45.0 * sprite.heading as f32, 50.0, 50.0));
    layers.iter().for_each(|layer| draw_layer(layer, sprite.seat, legend, transform, &mut pixels.as_mut()));
    (pixels, [-(margin as i32); 2])
}

/// Copies opaque pixels to a place where they fit.
fn blit(from: &Pixmap, to: &mut Pixmap, [x, y]: [usize; 2]) {
    let (width, stride) = (4 * from.width() as usize, 4 * to.width() as usize);
    let start = y * stride + 4 * x;
    for (source, target) in from.data().chunks(width).zip(to.data_mut()[start..].chunks_mut(stride)) {
        target[..width].copy_from_slice(source);
    }
}
