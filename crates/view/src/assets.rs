//! The files of the viewer, and how they are served.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

use crate::join::join;

pub const PAGE: &str = include_str!("../../../viewer/index.html");
pub const STYLE: &str = include_str!("../../../viewer/viewer.css");
const ICON: &str = include_str!("../../../viewer/icon.svg");

// One by one, because the folder also holds tests, their pictures and packages.
macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        /// The modules of the viewer by name.
        pub const MODULES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../viewer/", $name)))),*];
    };
}

modules![
    "board.js",
    "camera.js",
    "chart.js",
    "chronicle.js",
    "clock.js",
    "controls.js",
    "dom.js",
    "drawn.js",
    "effects.js",
    "files.js",
    "frames.js",
    "ground.js",
    "host.js",
    "icons.js",
    "inspector.js",
    "keys.js",
    "legend.js",
    "log.js",
    "main.js",
    "motion.js",
    "options.js",
    "output.js",
    "palette.js",
    "players.js",
    "pointer.js",
    "scene.js",
    "settings.js",
    "show.js",
    "sprites.js",
    "texts.js",
];

/// All modules as one: a page then needs one request, or none.
pub static SCRIPT: LazyLock<String> = LazyLock::new(|| join(MODULES, "main.js"));

/// A file that pages of the viewer refer to.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    pub content_type: &'static str,
    pub body: &'static [u8],
    /// Pages name an asset together with [`version`], so a browser may keep it.
    pub cache_control: &'static str,
}

/// The asset with this name, which is its address without what follows a `?`.
pub fn asset(name: &str) -> Option<Asset> {
    let (content_type, body) = match name {
        "viewer.js" => ("text/javascript; charset=utf-8", SCRIPT.as_bytes()),
        "viewer.css" => ("text/css; charset=utf-8", STYLE.as_bytes()),
        "icon.svg" => ("image/svg+xml", ICON.as_bytes()),
        _ => return None,
    };
    Some(Asset { content_type, body, cache_control: "public, max-age=31536000, immutable" })
}

/// A word that changes whenever an asset does.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let mut hasher = Sha256::new();
        [SCRIPT.as_str(), STYLE, ICON].iter().for_each(|text| hasher.update(text));
        hasher.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    });
    &VERSION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_of_the_folder_is_inside() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../viewer");
        let mut found: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".js"))
            .collect();
        found.sort();
        assert_eq!(found, MODULES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn the_code_of_the_viewer_stays_small() {
        let modules: usize = MODULES.iter().map(|(_, text)| text.len()).sum();
        let size = modules + PAGE.len() + STYLE.len();
        assert!(size < 150_000, "{size} bytes");
    }
}
