//! Drawings of a legend as paths and paints of the rasteriser.

use ludus_scenes::{Colour, Layer, Legend};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, PixmapMut, Stroke, Transform};

/// The path data of `docs/scenes.md`. Nothing comes of data that is malformed,
/// which a legend does not have.
pub fn parse(data: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let mut words = data.split([' ', ',']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let command = word.chars().next()?;
        let count = match command {
            'M' | 'L' => 2,
            'Q' => 4,
            'C' => 6,
            'Z' => 0,
            _ => return None,
        };
        let mut numbers = [0.0_f32; 6];
        for (k, number) in numbers[..count].iter_mut().enumerate() {
            *number = if k == 0 { word[1..].parse().ok()? } else { words.next()?.parse().ok()? };
        }
        let [a, b, c, d, e, f] = numbers;
        match command {
            'M' => builder.move_to(a, b),
            'L' => builder.line_to(a, b),
            'Q' => builder.quad_to(a, b, c, d),
            'C' => builder.cubic_to(a, b, c, d, e, f),
            _ => builder.close(),
        }
    }
    builder.finish()
}

/// The path of a layer and, with its stroke, how far it reaches: left, top,
/// right, bottom, in hundredths of a cell.
pub fn layer_path(layer: &Layer) -> Option<(Path, [f32; 4])> {
    let mut data = Vec::new();
    layer.shape.write_path(&mut data);
    let path = parse(std::str::from_utf8(&data).ok()?)?;
    let reach = layer.stroke.map_or(0.0, |(_, width)| width as f32 / 2.0);
    let bounds = path.bounds();
    let bounds = [bounds.left() - reach, bounds.top() - reach, bounds.right() + reach, bounds.bottom() + reach];
    Some((path, bounds))
}

pub fn draw_layer(layer: &Layer, seat: usize, legend: &Legend, transform: Transform, target: &mut PixmapMut<'_>) {
    let Some((path, _)) = layer_path(layer) else { return };
    if let Some(fill) = layer.fill {
        target.fill_path(&path, &paint(resolve(fill, seat, legend)), FillRule::Winding, transform, None);
    }
    if let Some((colour, width)) = layer.stroke {
        target.stroke_path(&path, &paint(resolve(colour, seat, legend)), &stroke(width as f32), transform, None);
    }
}

pub fn stroke(width: f32) -> Stroke {
    Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() }
}

pub fn paint(colour: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour);
    paint
}

/// A colour of a legend, for an item of this seat. Whatever is not one is black.
pub fn resolve(colour: Colour, seat: usize, legend: &Legend) -> Color {
    let seat_of = |number: &str| number.parse().unwrap_or(seat).min(3);
    let hex = if let Some(number) = colour.strip_prefix("seat") {
        legend.seats[seat_of(number)].strong
    } else if let Some(number) = colour.strip_prefix("pale") {
        legend.seats[seat_of(number)].pale
    } else {
        colour
    };
    let byte = |at: usize| hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let [red, green, blue] = [1, 3, 5].map(|at| byte(at).unwrap_or(0));
    Color::from_rgba8(red, green, blue, byte(7).unwrap_or(255))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read() {
        let path = parse("M0 0 L100 0 Q100 50.5 100,100 C-10 0 5 5 0 100 Z").unwrap();
        assert_eq!(path.len(), 5);
        for bad in ["", "M0", "M0 0 L1 x", "A1 2", "M0 0 L1 é", "10 20"] {
            assert!(parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn colours_are_resolved() {
        let legend = ludus_scenes::SCENERIES[0].legend;
        assert_eq!(resolve("#102030", 0, legend), Color::from_rgba8(0x10, 0x20, 0x30, 255));
        assert_eq!(resolve("#10203080", 0, legend), Color::from_rgba8(0x10, 0x20, 0x30, 0x80));
        assert_eq!(resolve("seat", 1, legend), resolve("seat1", 3, legend));
        assert_eq!(resolve("pale2", 0, legend), resolve(legend.seats[2].pale, 0, legend));
    }
}
