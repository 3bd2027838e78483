//! The 255 colours of an animation.

use std::collections::HashMap;

use tiny_skia::Pixmap;

/// The index of pixels that stay as they are in the frame before.
pub const UNCHANGED: u8 = 255;

type Rgb = [u8; 3];

pub struct Palette {
    colours: Vec<Rgb>,
    /// What each colour seen so far is drawn with.
    nearest: HashMap<Rgb, u8>,
}

impl Palette {
    /// Chooses colours for pictures like these: first the one seen most, then
    /// again and again the one that is seen much and far from those chosen.
    pub fn of(samples: &[Pixmap]) -> Palette {
        let mut counts: HashMap<Rgb, u32> = HashMap::new();
        for sample in samples {
            sample.data().as_chunks::<4>().0.iter().for_each(|&[red, green, blue, _]| {
                *counts.entry([red, green, blue]).or_default() += 1;
            });
        }
        let mut seen: Vec<Candidate> =
            counts.into_iter().map(|(colour, count)| Candidate { colour, count, far: u32::MAX >> 8 }).collect();
        // The order of a hash map is not the same twice.
        seen.sort_by_key(|candidate| candidate.colour);
        let mut colours = Vec::new();
        while colours.len() < usize::from(UNCHANGED) {
            let Some(best) = seen.iter().max_by_key(|candidate| candidate.weight()).filter(|best| best.far > 0) else {
                break;
            };
            let chosen = best.colour;
            colours.push(chosen);
            seen.iter_mut().for_each(|candidate| candidate.far = candidate.far.min(distance(candidate.colour, chosen)));
        }
        Palette { colours, nearest: HashMap::new() }
    }

    pub fn index(&mut self, colour: Rgb) -> u8 {
        let Palette { colours, nearest } = self;
        *nearest.entry(colour).or_insert_with(|| {
            let by_distance = colours.iter().enumerate().min_by_key(|(_, other)| distance(colour, **other));
            by_distance.map_or(0, |(index, _)| index as u8)
        })
    }

    /// All colours in a row, as many as a file must have.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(3 * 256, 0);
        bytes
    }
}

struct Candidate {
    colour: Rgb,
    count: u32,
    /// From the nearest colour chosen.
    far: u32,
}

impl Candidate {
    fn weight(&self) -> u64 {
        // The root keeps large areas from taking all: edges matter too.
        u64::from(self.far) * u64::from(self.count.isqrt())
    }
}

/// The square of a distance, with the weights of a common eye.
fn distance(a: Rgb, b: Rgb) -> u32 {
    let [red, green, blue] = [0, 1, 2].map(|k| u32::from(a[k].abs_diff(b[k])));
    2 * red * red + 4 * green * green + 3 * blue * blue
}
