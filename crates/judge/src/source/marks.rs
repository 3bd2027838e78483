//! Where in a source its compiler found something, for editors that mark it.

use serde::Serialize;

/// A message about a place of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Counted from one, as the column, which counts bytes.
    pub line: usize,
    pub column: usize,
    pub kind: Kind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Error,
    Warning,
}

/// The most marks of one source: nobody mends more at a time.
const MOST: usize = 50;

/// The marks in the messages of a compiler. What these say is written by the
/// compiler and by the source, so that it decides nothing and is only shown.
pub fn marks(messages: &str) -> Vec<Mark> {
    let lines: Vec<&str> = messages.lines().collect();
    let found = (0..lines.len()).filter_map(|k| clang(lines[k]).or_else(|| rustc(lines[k], &lines[..k])));
    found.take(MOST).collect()
}

/// `player.cc:12:5: error: …`
fn clang(line: &str) -> Option<Mark> {
    let kinds = [(": error: ", Kind::Error), (": fatal error: ", Kind::Error), (": warning: ", Kind::Warning)];
    let (place, kind, text) =
        kinds.iter().find_map(|(word, kind)| line.split_once(word).map(|(place, text)| (place, *kind, text)))?;
    let (line, column) = place_of(place)?;
    Some(Mark { line, column, kind, text: text.to_owned() })
}

/// `--> player.rs:12:5`, some lines below what it is about.
fn rustc(line: &str, before: &[&str]) -> Option<Mark> {
    let (line, column) = place_of(line.trim_start().strip_prefix("--> ")?)?;
    let about = before.iter().rev().find(|line| line.starts_with("error") || line.starts_with("warning"))?;
    let (head, text) = about.split_once(": ")?;
    let kind = if head.starts_with("error") { Kind::Error } else { Kind::Warning };
    Some(Mark { line, column, kind, text: text.to_owned() })
}

/// Line and column of a place in the player's own file: what is found in others is
/// nothing that its author could mend.
fn place_of(place: &str) -> Option<(usize, usize)> {
    let mut parts = place.splitn(3, ':');
    let is_own = matches!(parts.next()?, "player.cc" | "player.rs");
    let line = parts.next()?.parse().ok()?;
    let column = parts.next()?.parse().ok()?;
    is_own.then_some((line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(messages: &str, expected: &[(usize, usize, Kind, &str)]) {
        let found = marks(messages);
        let found: Vec<_> = found.iter().map(|mark| (mark.line, mark.column, mark.kind, mark.text.as_str())).collect();
        assert_eq!(found, expected, "{messages}");
    }

    #[test]
    fn places_that_compilers_name_are_marked() {
        check(
            "player.cc:32:29: error: expected ';' after expression\n   32 |   move(1, Up)\n      |              ^\n\
             player.cc:3:1: warning: unused variable 'x'\nplayer.cc:4:10: fatal error: 'no.h' file not found\n2 errors generated.\n",
            &[
                (32, 29, Kind::Error, "expected ';' after expression"),
                (3, 1, Kind::Warning, "unused variable 'x'"),
                (4, 10, Kind::Error, "'no.h' file not found"),
            ],
        );
        check(
            "error[E0425]: cannot find function `g` in this scope\n --> player.rs:2:10\n  |\n2 | fn f() { g() }\n\n\
             warning: unused import\n  --> player.rs:1:5\n",
            &[(2, 10, Kind::Error, "cannot find function `g` in this scope"), (1, 5, Kind::Warning, "unused import")],
        );
    }

    #[test]
    fn nothing_else_is_marked() {
        check(
            "State.hh:3:1: error: x\nplayer.cc:0x3:1: error: x\nplayer.cc:3: error: x\nerror: x\n --> player.rs\n",
            &[],
        );
        check("--> player.rs:1:1\n", &[]);
        let many = "player.cc:1:1: error: x\n".repeat(1000);
        assert_eq!(marks(&many).len(), MOST);
    }
}
