//! What a player wrote in a match, with the rounds in which it did.
//!
//! Kept as it was written, with a mark before the first byte of each round that
//! has any: a control character that no player can write, the round, and the end
//! of the line. Matches of the first judges have no marks.

use serde::Serialize;

use crate::invisible::shown;

const MARK: u8 = 0x1e;

/// Adds what was written in a round.
pub fn add(kept: &mut Vec<u8>, round: u32, written: &[u8]) {
    if written.is_empty() {
        return;
    }
    kept.push(MARK);
    kept.extend_from_slice(round.to_string().as_bytes());
    kept.push(b'\n');
    kept.extend(written.iter().map(|&byte| if byte == MARK { b'?' } else { byte }));
}

/// What was written in one round, or in all of them if nobody noted which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    pub round: Option<u32>,
    pub text: String,
}

/// What was kept, round by round.
pub fn pieces(kept: &[u8]) -> Vec<Piece> {
    let text = |bytes| shown(&String::from_utf8_lossy(bytes)).into_owned();
    let mut parts = kept.split(|&byte| byte == MARK);
    let before = parts.next().filter(|part| !part.is_empty());
    let unmarked = before.map(|part| Piece { round: None, text: text(part) });
    let marked = parts.map(|part| {
        let end = part.iter().position(|&byte| byte == b'\n').unwrap_or(part.len());
        let round = std::str::from_utf8(&part[..end]).ok().and_then(|round| round.parse().ok());
        Piece { round, text: text(part.get(end + 1..).unwrap_or_default()) }
    });
    unmarked.into_iter().chain(marked).collect()
}

/// The pieces in the first bytes of it, so many at most, and whether anything is
/// left out. Nobody works on what nobody sees.
pub fn first_pieces(kept: &[u8], most: usize) -> (Vec<Piece>, bool) {
    (pieces(&kept[..kept.len().min(most)]), kept.len() > most)
}

/// The same as a text for people, in the form of `ludus play --log`.
pub fn readable(kept: &[u8]) -> String {
    let mut all = String::new();
    for Piece { round, text } in pieces(kept) {
        if let Some(round) = round {
            all.push_str(&format!("round {round}\n"));
        }
        all.push_str(&text);
        if round.is_some() && !text.ends_with('\n') {
            all.push('\n');
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_come_back() {
        let mut kept = Vec::new();
        add(&mut kept, 0, b"begun\n");
        add(&mut kept, 1, b"");
        add(&mut kept, 12, b"a\x1e7\nb");
        let piece = |round, text: &str| Piece { round: Some(round), text: text.to_owned() };
        assert_eq!(pieces(&kept), [piece(0, "begun\n"), piece(12, "a?7\nb")]);
        assert_eq!(readable(&kept), "round 0\nbegun\nround 12\na?7\nb\n");
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let mut kept = Vec::new();
        add(&mut kept, 1, b"abcd");
        let piece = |text: &str| Piece { round: Some(1), text: text.to_owned() };
        assert_eq!(first_pieces(&kept, 7), (vec![piece("abcd")], false));
        assert_eq!(first_pieces(&kept, 5), (vec![piece("ab")], true));
        assert!(first_pieces(&kept, 0).1);
    }

    #[test]
    fn what_has_no_rounds_is_shown_too() {
        assert_eq!(pieces(b"hello"), [Piece { round: None, text: "hello".to_owned() }]);
        assert_eq!(readable(b"hello"), "hello");
        assert_eq!(pieces(b""), []);
        // Nothing that is stored makes it stumble.
        assert_eq!(pieces(b"\x1e").len(), 1);
        assert_eq!(readable(b"\x1ex\n\xff"), "\u{fffd}");
    }
}
