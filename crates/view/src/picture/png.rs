//! One picture as a PNG file: forty lines over flate2, which packs pages too,
//! instead of a crate with four more behind it.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use tiny_skia::Pixmap;

/// An opaque picture as a file of 8-bit colours.
pub fn encode(picture: &Pixmap) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend_from_slice(&picture.width().to_be_bytes());
    head.extend_from_slice(&picture.height().to_be_bytes());
    // Eight bits, red, green and blue, and the only ways to compress, filter and order there are.
    head.extend_from_slice(&[8, 2, 0, 0, 0]);
    chunk(b"IHDR", &head, &mut file);
    chunk(b"IDAT", &compress(picture), &mut file);
    chunk(b"IEND", &[], &mut file);
    file
}

fn compress(picture: &Pixmap) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let mut row = Vec::new();
    for pixels in picture.data().chunks(4 * picture.width() as usize) {
        row.clear();
        // Areas of one colour are best left unfiltered.
        row.push(0);
        row.extend(pixels.as_chunks::<4>().0.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]));
        encoder.write_all(&row).expect("writing to memory cannot fail");
    }
    encoder.finish().expect("writing to memory cannot fail")
}

fn chunk(name: &[u8; 4], data: &[u8], file: &mut Vec<u8>) {
    file.extend_from_slice(&(data.len() as u32).to_be_bytes());
    let mut sum = Crc::new();
    for part in [&name[..], data] {
        sum.update(part);
        file.extend_from_slice(part);
    }
    file.extend_from_slice(&sum.sum().to_be_bytes());
}
