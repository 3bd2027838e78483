//! What the compiler does not say about a source and its author should know.

use super::Language;
use crate::source::tokens::{Token, tokens};

/// Names of the standard library that there are not, because a match asks one
/// player at a time.
const THREADS: [&str; 6] = ["thread", "jthread", "async", "mutex", "condition_variable", "pthread_create"];

/// Lines in the form of the compiler about what compiles and does not do what it
/// says.
pub fn warnings(source: &[u8], language: Language) -> String {
    let text = String::from_utf8_lossy(source);
    if language != Language::Cpp {
        return String::new();
    }
    let tokens = tokens(&text, language);
    let catches = tokens.windows(2).filter(|pair| pair[0].text == "catch" && pair[1].text == "(");
    catches.map(|pair| warning(&pair[0], "this never catches anything: an exception ends the player")).collect()
}

fn warning(token: &Token<'_>, text: &str) -> String {
    format!("{}:{}: warning: {text}\n", Language::Cpp.file(), token.line)
}

/// One clear line for a source that the compiler refused because it wants
/// threads.
pub fn refusal(messages: &str) -> Option<String> {
    let file = Language::Cpp.file();
    THREADS.into_iter().find_map(|name| {
        let forms = [format!("named '{name}' in namespace 'std'"), format!("undeclared identifier '{name}'")];
        let refused = messages.lines().find(|line| forms.iter().any(|form| line.contains(form)))?;
        let line = refused.strip_prefix(file)?.strip_prefix(':')?.split(':').next()?;
        Some(format!("{file}:{line}: error: '{name}': players have no threads, a match asks one player at a time\n"))
    })
}

/// What to add to the messages of a compiler that refused a source.
pub fn advice(messages: &str) -> &'static str {
    let draws = messages.contains("use of undeclared identifier 'draw'");
    if draws { "note: drawing needs a line #include \"draw.hh\"\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catches_are_told_by_line() {
        let source = b"// catch (x)\ntry { f(); }\ncatch (...) {}\nint catch_it; auto s = \"catch (\";\n";
        let told = "player.cc:3: warning: this never catches anything: an exception ends the player\n";
        assert_eq!(warnings(source, Language::Cpp), told);
        assert_eq!(warnings(source, Language::Rust), "");
    }

    #[test]
    fn whoever_draws_is_told_what_it_needs() {
        assert!(advice("player.cc:2:6: error: use of undeclared identifier 'draw'\n").contains("draw.hh"));
        assert_eq!(advice("player.cc:2:6: error: use of undeclared identifier 'drawn'\n"), "");
    }

    #[test]
    fn threads_get_one_line() {
        let messages = "player.cc:2:6: error: no member named 'thread' in namespace 'std'\nmore\n";
        let told = "player.cc:2: error: 'thread': players have no threads, a match asks one player at a time\n";
        assert_eq!(refusal(messages).as_deref(), Some(told));
        assert_eq!(refusal("player.cc:1:1: error: no member named 'list' in namespace 'std'"), None);
    }
}
