//! From the bytes of a match file to its scene.

use ludus_arena::{Film, FilmError};

/// Files above this size are not read.
pub const LARGEST_FILE: u64 = 64 << 20;

/// The scene of the match in a file, as JSON.
pub fn scene_of(file: &[u8]) -> Result<Vec<u8>, FilmError> {
    Ok(Film::open(file)?.scene())
}
