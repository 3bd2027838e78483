//! Lines for whoever runs the judge, on standard error.

use std::io::Write as _;

use crate::secrets;

/// The longest message, in characters; more of it tells nobody anything.
const LONGEST: usize = 2000;

pub fn error(message: &str) {
    line("error", message);
}

pub fn note(message: &str) {
    line("note", message);
}

fn line(kind: &str, message: &str) {
    let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    // Where nothing can be written, work goes on without a log.
    let _ = writeln!(std::io::stderr(), "{time} {kind}: {}", escaped(message));
}

/// A message as one line that shows what it holds. Strangers' text is in some:
/// it must not end the line, command the terminal or turn the writing around,
/// and addresses keep their passwords to themselves.
pub fn escaped(message: &str) -> String {
    let message = secrets::without_passwords(message);
    let mut line = String::new();
    for c in message.chars().take(LONGEST) {
        if is_plain(c) {
            line.push(c);
        } else {
            line.extend(c.escape_default());
        }
    }
    if message.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

/// Whether a character is seen as what it is: no control, nothing invisible,
/// nothing that changes the direction of what follows.
pub fn is_plain(c: char) -> bool {
    let hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}');
    !c.is_control() && !hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_and_hides_nothing() {
        let forged = "x\n2026-01-01T00:00:00Z note: all is well\r\u{1b}[2J\u{202e}\u{200b}\u{2028}\u{0}\u{9b}";
        let shown = escaped(forged);
        assert_eq!(
            shown,
            "x\\n2026-01-01T00:00:00Z note: all is well\\r\\u{1b}[2J\\u{202e}\\u{200b}\\u{2028}\\u{0}\\u{9b}"
        );
        assert_eq!(escaped("s3://K:secret@h"), "s3://…@h");
        assert_eq!(escaped("Núria “ñ” 日本"), "Núria “ñ” 日本");
        assert_eq!(escaped(&"x".repeat(5000)).chars().count(), LONGEST + 1);
    }
}
