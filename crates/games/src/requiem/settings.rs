//! The settings of Requiem, read and checked.

use crate::tokens::{Result, Tokens};

/// The largest board and the longest match that are played. The reference has
/// no limits; these keep the cost of a hostile config within reason.
pub const LARGEST_DIM: i32 = 500;
pub const MOST_ROUNDS: i32 = 10_000;

/// Below this the starting areas vanish.
const SMALLEST_DIM: i32 = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub rounds: i32,
    /// The side of the board.
    pub dim: i32,
    /// Farmers and knights of each team at the start.
    pub farmers: i32,
    pub knights: i32,
}

impl Settings {
    /// Four labels, each with its value, and nothing else.
    pub fn read(text: &[u8]) -> Result<Settings> {
        let mut tokens = Tokens::new(text);
        let rounds = tokens.setting("NUMTORNS", 0..=MOST_ROUNDS)?;
        let dim = tokens.setting("DIM", SMALLEST_DIM..=LARGEST_DIM)?;
        // The starting area bounds the robots of a team; walls in it, which
        // depend on the seed, may leave less room.
        let room = start_side(dim) * start_side(dim);
        let farmers = tokens.setting("PAGESOS", 0..=room)?;
        let knights = tokens.setting("CAVALLERS", 0..=room - farmers)?;
        if !tokens.at_end() {
            tokens.word("the end of the config")?;
            return Err(tokens.error("expected the end of the config after CAVALLERS"));
        }
        Ok(Settings { rounds, dim, farmers, knights })
    }
}

/// The side of the square in which a team starts, from (1, 1) of its own view.
pub fn start_side(dim: i32) -> i32 {
    2 * dim / 5 - 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: std::result::Result<[i32; 4], &str>) {
        let found = Settings::read(text.as_bytes())
            .map(|settings| [settings.rounds, settings.dim, settings.farmers, settings.knights])
            .map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(String::from), "{text:?}");
    }

    #[test]
    fn configs() {
        check("NUMTORNS 300\nDIM 50\nPAGESOS 20\nCAVALLERS 20\n", Ok([300, 50, 20, 20]));
        check("NUMTORNS 0 DIM 11 PAGESOS 0 CAVALLERS 0", Ok([0, 11, 0, 0]));
        check("NUMTORNS -1", Err("line 1, column 10: NUMTORNS must be from 0 to 10000, found -1"));
        check("NUMTORNS 1\nDIM 9", Err("line 2, column 5: DIM must be from 10 to 500, found 9"));
        check(
            "NUMTORNS 1\nDIM 10\nPAGESOS 3\nCAVALLERS 2",
            Err("line 4, column 11: CAVALLERS must be from 0 to 1, found 2"),
        );
        check("NUMTORNS 1\nDIM 10\nPAGESOS -1", Err("line 3, column 9: PAGESOS must be from 0 to 4, found -1"));
        check("NUMTORNS 1\nPAGESOS 3", Err("line 2, column 1: expected DIM, found 'PAGESOS'"));
        check(
            "NUMTORNS 1\nDIM 10\nPAGESOS 1\nCAVALLERS 1\nx",
            Err("line 5, column 1: expected the end of the config after CAVALLERS"),
        );
    }
}
