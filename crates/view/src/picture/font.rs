//! Letters drawn with a pen of even width, so that captions need no font file.
//!
//! Every glyph is a few polylines on a grid: the first digit of a point is its
//! column, the second its row, from 0 at the top of capitals over 6, the base
//! line, to 8 for what hangs below it.

use tiny_skia::{Color, PathBuilder, PixmapMut, Transform};

use super::path::{paint, stroke};

/// From the space, character by character, to the tilde.
const GLYPHS: [&str; 95] = [
    "",
    "0004 06",
    "0001 2021",
    "1016 3036 0242 0444",
    "413010010213334445361605 2026",
    "0640 01 45",
    "46020110210405162644",
    "0001",
    "10010516",
    "00111506",
    "0123 2103 1014",
    "0343 2125",
    "1607",
    "0333",
    "06",
    "0630",
    "103041453616050110 1432",
    "011016 0626",
    "01103041420646",
    "01103041423323 334445361605",
    "36300444",
    "400002324345361605",
    "413010010516364544331304",
    "004016",
    "103041423313020110 1304051636454433",
    "051636454130100102133342",
    "03 06",
    "13 1607",
    "310335",
    "0232 0434",
    "013305",
    "01103041422324 26",
    "3616050110304144242242",
    "0602204246 0444",
    "06003041423303 3344453606",
    "4130100105163645",
    "00063645413000",
    "40000646 0333",
    "400006 0333",
    "41301001051636454323",
    "0006 4046 0343",
    "0020 1016 0626",
    "4045361605",
    "0006 400346",
    "000646",
    "0600234046",
    "06004640",
    "103041453616050110",
    "06003041423303",
    "103041453616050110 2446",
    "06003041423303 2346",
    "413010010213334445361605",
    "0040 2026",
    "000516364540",
    "002640",
    "0016233640",
    "0046 4006",
    "002340 2326",
    "00400646",
    "10000616",
    "0036",
    "00101606",
    "021022",
    "0747",
    "0011",
    "0222333616051434",
    "00062635332202",
    "321203051636",
    "30361605031232",
    "043433221203051636",
    "30201116 0232",
    "361605031232372808",
    "0006 02223336",
    "00 0206",
    "10 121708",
    "0006 320436",
    "000516",
    "0602122326 23324346",
    "0602223336",
    "122233352616050312",
    "08022233352606",
    "38321203051636",
    "0602 031222",
    "3212031424352606",
    "101526 0222",
    "0205163632",
    "022642",
    "0216233642",
    "0236 3206",
    "02051636 32372808",
    "02320636",
    "20111203141526",
    "0007",
    "00111223141506",
    "03122332",
];

/// For characters that have no glyph.
const BOX: &str = "0040460600";

/// Between two letters, and for a space, in columns of the grid.
const GAP: f32 = 1.8;
const SPACE: f32 = 2.2;

/// Letters with an accent are drawn without it: better than a box.
fn glyph(letter: char) -> &'static str {
    let plain = match letter {
        'À'..='Å' => 'A',
        'Ç' => 'C',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ñ' => 'N',
        'Ò'..='Ö' => 'O',
        'Ù'..='Ü' => 'U',
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        '·' => '.',
        other => other,
    };
    let number = (plain as usize).wrapping_sub(' ' as usize);
    GLYPHS.get(number).copied().unwrap_or(BOX)
}

/// The polylines of a glyph, as points of the grid.
fn lines(glyph: &str) -> impl Iterator<Item = impl Iterator<Item = (f32, f32)>> {
    glyph.split(' ').map(|line| {
        let (points, _) = line.as_bytes().as_chunks::<2>();
        points.iter().map(|&[column, row]| (f32::from(column - b'0'), f32::from(row - b'0')))
    })
}

fn columns(letter: char) -> f32 {
    match glyph(letter) {
        "" => SPACE,
        glyph => GAP + lines(glyph).flatten().fold(0.0, |widest, (column, _)| column.max(widest)),
    }
}

/// The width of a text whose capitals are `height` pixels high.
pub fn width(text: &str, height: f32) -> f32 {
    (text.chars().map(columns).sum::<f32>() - GAP).max(0.0) * height / 6.0
}

/// As much of a text as fits, with two dots in place of the rest.
pub fn fitting(text: &str, height: f32, room: f32) -> String {
    if width(text, height) <= room {
        return text.to_owned();
    }
    let mut fitting = String::new();
    for letter in text.chars() {
        if width(&format!("{fitting}{letter}.."), height) > room {
            break;
        }
        fitting.push(letter);
    }
    fitting + ".."
}

/// Writes a text with its upper left corner at (x, y).
pub fn write(text: &str, [x, y]: [f32; 2], height: f32, colour: Color, target: &mut PixmapMut<'_>) {
    let unit = height / 6.0;
    let mut builder = PathBuilder::new();
    let mut left = x;
    for letter in text.chars() {
        for line in lines(glyph(letter)) {
            for (k, (column, row)) in line.enumerate() {
                let (x, y) = (left + column * unit, y + row * unit);
                match k {
                    // A dot is a line that goes nowhere; it needs some length to be seen.
                    0 => {
                        builder.move_to(x, y);
                        builder.line_to(x + 0.01, y);
                    }
                    _ => builder.line_to(x, y),
                }
            }
        }
        left += columns(letter) * unit;
    }
    if let Some(path) = builder.finish() {
        let pen = stroke((unit * 0.85).max(1.0));
        target.stroke_path(&path, &paint(colour), &pen, Transform::identity(), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_on_the_grid() {
        for (number, glyph) in GLYPHS.iter().enumerate() {
            let letter = char::from(b' ' + number as u8);
            for line in glyph.split(' ').filter(|line| !line.is_empty()) {
                assert!(line.len() % 2 == 0, "{letter}: {line}");
                let points: Vec<&[u8]> = line.as_bytes().chunks(2).collect();
                let is_inside = |point: &&[u8]| (b'0'..=b'4').contains(&point[0]) && (b'0'..=b'8').contains(&point[1]);
                assert!(points.iter().all(is_inside), "{letter}: {line}");
            }
            assert!(GLYPHS.iter().filter(|other| *other == glyph).count() == 1, "{letter} looks like another letter");
        }
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(fitting("Demo", 10.0, 100.0), "Demo");
        let cut = fitting("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 10.0, 100.0);
        assert!(cut.starts_with("ABCD") && cut.ends_with(".."), "{cut}");
        assert!(width(&cut, 10.0) <= 100.0);
        assert_eq!(glyph('ñ'), glyph('n'));
        assert_eq!(glyph('語'), BOX);
        assert_eq!(glyph('\n'), BOX);
    }
}
