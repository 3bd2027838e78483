//! Lines for whoever runs the judge, on standard error.

use crate::secrets;

pub fn error(message: &str) {
    line("error", message);
}

pub fn note(message: &str) {
    line("note", message);
}

fn line(kind: &str, message: &str) {
    let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    eprintln!("{time} {kind}: {}", plain(message));
}

/// A message as one line, whatever is in it: words of strangers begin no other
/// and command no terminal, and addresses keep their passwords to themselves.
fn plain(message: &str) -> String {
    let message = secrets::without_passwords(message);
    let mut line = String::new();
    for c in message.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(plain("a\nerror: b\u{1b}[2J s3://K:secret@h"), "a\\nerror: b\\u{1b}[2J s3://…@h");
    }
}
