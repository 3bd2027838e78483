//! What comes with a course: the starters, the examples and the SDK.

use std::sync::LazyLock;

use crate::collect::Collection;
use crate::compare::{Source, Templates};
use crate::language::Language;

mod players {
    include!(concat!(env!("OUT_DIR"), "/players.rs"));
}
mod sdk {
    include!(concat!(env!("OUT_DIR"), "/sdk.rs"));
}

/// The sources in a language that come with every course.
fn sources(language: Language) -> Vec<Source> {
    let files = players::FILES.iter().chain(sdk::FILES).filter(|(name, _)| Language::of_file(name) == Some(language));
    let source = |(name, text): &(&str, &str)| Source {
        name: (*name).to_owned(),
        author: String::new(),
        language,
        text: text.as_bytes().to_vec(),
        time: None,
    };
    files.map(source).collect()
}

/// Templates of what comes with every course in some languages, and of sources
/// of one's own.
pub fn templates(languages: &[Language], more: Vec<Source>) -> Templates {
    static CPP: LazyLock<Collection> = LazyLock::new(|| Collection::of(sources(Language::Cpp)));
    static RUST: LazyLock<Collection> = LazyLock::new(|| Collection::of(sources(Language::Rust)));
    let more = Collection::of(more);
    let mut templates = Templates::default();
    for (language, ours) in [(Language::Cpp, &CPP), (Language::Rust, &RUST)] {
        // What is in no source need not be known.
        if languages.contains(&language) {
            ours.analysed.iter().for_each(|template| templates.add(template));
        }
    }
    more.analysed.iter().for_each(|template| templates.add(template));
    templates
}
