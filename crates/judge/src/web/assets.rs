//! Files that never change while the program runs, from inside the program.

use axum::Router;
use axum::extract::Path;
use axum::http::header::HeaderMap;
use axum::response::Response;
use axum::routing::get;

use super::{AppError, Site, packing};
use crate::secrets;

/// The editor, bundled beforehand: `scripts/bundle-editor` makes it.
const EDITOR: &[u8] = include_bytes!("../../assets/editor.js");

const FILES: [(&str, &str, &[u8]); 12] = [
    ("site.css", "text/css; charset=utf-8", include_bytes!("../../assets/site.css")),
    ("editor.js", "text/javascript; charset=utf-8", EDITOR),
    ("home.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/home.js")),
    ("poll.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/poll.js")),
    ("live.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/live.js")),
    ("round.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/round.js")),
    ("final.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/final.js")),
    ("match.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/match.js")),
    ("presenter.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/presenter.js")),
    ("sides.js", "text/javascript; charset=utf-8", ludus_plagiarism::SCRIPT.as_bytes()),
    ("site.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/site.js")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")),
];

pub fn is_asset(path: &str) -> bool {
    path.starts_with("/static/") || path.starts_with("/viewer/")
}

pub fn routes() -> Router<Site> {
    Router::new().route("/static/{version}/{file}", get(file)).route("/viewer/{file}", get(viewer_file))
}

/// The address of a file, which changes with what is in it.
pub fn address(name: &str) -> String {
    format!("/static/{}/{name}", version())
}

fn version() -> &'static str {
    use std::sync::OnceLock;
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let all: Vec<&[u8]> = FILES.iter().map(|(_, _, content)| *content).collect();
        secrets::token_hash(&ludus_sandbox::build::hash(&all))[..12].to_owned()
    })
}

async fn file(Path((_, name)): Path<(String, String)>, headers: HeaderMap) -> Result<Response, AppError> {
    let (_, kind, content) = FILES.iter().find(|(file, ..)| *file == name).ok_or(AppError::NotFound)?;
    Ok(packing::file(&headers, kind, "public, max-age=31536000, immutable", content))
}

async fn viewer_file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, AppError> {
    let asset = ludus_view::asset(&name).ok_or(AppError::NotFound)?;
    Ok(packing::file(&headers, asset.content_type, asset.cache_control, asset.body))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sha2::{Digest as _, Sha256};

    use super::*;

    fn hex(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The committed bundle is the one that the script made, of the sources that
    /// are beside it.
    #[test]
    fn the_editor_is_what_its_first_line_says() {
        let end = EDITOR.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let (head, body) = EDITOR.split_at(end);
        let head = std::str::from_utf8(head).unwrap();
        assert!(head.contains(&format!("what follows is {}.", hex(body))), "{head}");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("editor");
        let mut names: Vec<String> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name.ends_with(".js") || name.ends_with(".json"));
        names.sort();
        let sources: Vec<u8> = names.iter().flat_map(|name| std::fs::read(folder.join(name)).unwrap()).collect();
        assert!(head.contains(&format!("of sources {};", hex(&sources))), "run scripts/bundle-editor: {head}");
        assert!(EDITOR.len() < 400 << 10, "{} bytes", EDITOR.len());
        let text = std::str::from_utf8(EDITOR).unwrap();
        assert!(text.contains("MIT License") && text.contains("Marijn Haverbeke"), "the licence is kept");
    }
}
