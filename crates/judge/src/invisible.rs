//! Characters that nobody sees and that change what everybody sees: those that turn
//! the direction of writing, join, part or hide. In what strangers wrote they are
//! shown by their numbers.

use std::borrow::Cow;

fn is_invisible(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text in which everything can be seen.
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_invisible(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_or_hides_text_is_shown_by_its_number() {
        assert_eq!(shown("plain\ttext\nñ 名 🐜"), "plain\ttext\nñ 名 🐜");
        assert_eq!(shown("a\u{202e}b\u{2066}"), "a\\u{202e}b\\u{2066}");
        for c in ['\u{200e}', '\u{200f}', '\u{61c}', '\u{feff}', '\u{200b}', '\u{e0041}', '\u{1b}', '\u{0}', '\u{85}'] {
            assert_eq!(shown(&c.to_string()), c.escape_unicode().to_string());
        }
        for c in ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}') {
            assert!(!shown(&format!("x{c}y")).contains(c));
        }
    }
}
