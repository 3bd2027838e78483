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

/// The sources that come with every course.
pub fn sources() -> Vec<Source> {
    let files = players::FILES.iter().chain(sdk::FILES);
    files
        .filter_map(|(name, text)| {
            let language = Language::of_file(name)?;
            let text = text.as_bytes().to_vec();
            Some(Source { name: (*name).to_owned(), author: String::new(), language, text, time: None })
        })
        .collect()
}

/// Templates of what comes with every course, and of sources of one's own.
pub fn templates(more: Vec<Source>) -> Templates {
    static OURS: LazyLock<Collection> = LazyLock::new(|| Collection::of(sources()));
    let mut templates = Templates::default();
    for template in OURS.analysed.iter().chain(&Collection::of(more).analysed) {
        templates.add(template);
    }
    templates
}
