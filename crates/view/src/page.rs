//! The page of the viewer: served beside its assets, or whole in one file.

use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};

use crate::assets::{PAGE, SCRIPT, STYLE, version};

/// The Content-Security-Policy of served pages: nothing inline, nothing from elsewhere.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                          connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Scenes above this size are packed inside a self-contained page.
const LARGEST_PLAIN: usize = 300_000;

/// The addresses that a served page uses, absolute or relative to its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Links<'a> {
    /// What stands before the names of assets.
    pub assets: &'a str,
    /// Where the scene of the match is; the page starts empty without one.
    pub scene: Option<&'a str>,
    /// Where match files can be posted to get their scenes.
    pub open: Option<&'a str>,
    /// Where to go when the match is closed, instead of to an empty viewer.
    pub close: Option<&'a str>,
    /// The language of the site around, instead of the browser's.
    pub language: Option<&'a str>,
    /// The theme of the site around: `auto`, `light` or `dark`, instead of what the viewer keeps.
    pub theme: Option<&'a str>,
}

/// The page as a server gives it out, to be sent with [`POLICY`].
pub fn page(links: &Links<'_>) -> String {
    let mut body = String::from("<body");
    let mut head = String::new();
    if let Some(scene) = links.scene.map(escaped) {
        body.push_str(&format!(" data-scene=\"{scene}\""));
        head.push_str(&format!("<link rel=\"preload\" href=\"{scene}\" as=\"fetch\" crossorigin=\"anonymous\">\n"));
    }
    for (name, address) in
        [("open", links.open), ("close", links.close), ("language", links.language), ("site-theme", links.theme)]
    {
        if let Some(address) = address.map(escaped) {
            body.push_str(&format!(" data-{name}=\"{address}\""));
        }
    }
    let (assets, version) = (escaped(links.assets), version());
    // It is there before the script, so that nothing flashes.
    let theme = links.theme.filter(|theme| *theme != "auto").map(|theme| format!(" data-theme=\"{}\"", escaped(theme)));
    PAGE.replace("<html", &format!("<html{}", theme.unwrap_or_default()))
        .replace("<body data-scene=\"scene.json\" data-open=\"open\"", &body)
        .replace("src=\"main.js\"", &format!("src=\"{assets}viewer.js?v={version}\""))
        .replace("href=\"viewer.css\"", &format!("href=\"{assets}viewer.css?v={version}\""))
        .replace("href=\"icon.svg\"", &format!("href=\"{assets}icon.svg?v={version}\""))
        .replace("</head>", &format!("{head}</head>"))
}

/// One file that shows one match, from disk and without a network. Its policy
/// names the script and the style that it holds by their hashes.
pub fn self_contained(scene: &[u8]) -> Vec<u8> {
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        BASE64.encode(Sha256::digest(SCRIPT.as_bytes())),
        BASE64.encode(Sha256::digest(STYLE.as_bytes())),
    );
    let charset = "<meta charset=\"utf-8\">";
    let page = PAGE
        .replace(charset, &format!("{charset}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"))
        .replace("<link rel=\"icon\" href=\"icon.svg\" type=\"image/svg+xml\">\n", "")
        .replace(" data-scene=\"scene.json\" data-open=\"open\"", "")
        .replace("<link rel=\"stylesheet\" href=\"viewer.css\">", &format!("<style>{STYLE}</style>"))
        .replace("<script type=\"module\" src=\"main.js\"></script>\n", "");
    let (before, after) = page.split_once("</body>").expect("the page has a body");
    let mut file = Vec::with_capacity(page.len() + SCRIPT.len() + scene.len());
    file.extend_from_slice(before.as_bytes());
    write_scene(scene, &mut file);
    file.extend_from_slice(b"<script type=\"module\">");
    file.extend_from_slice(SCRIPT.as_bytes());
    file.extend_from_slice(b"</script>\n</body>");
    file.extend_from_slice(after.as_bytes());
    file
}

/// The scene as a block of data. A `<` inside JSON can only be in a string, where
/// it may be written as a number; so no text of the scene ends the block.
fn write_scene(scene: &[u8], file: &mut Vec<u8>) {
    if scene.len() <= LARGEST_PLAIN {
        file.extend_from_slice(b"<script type=\"application/json\" id=\"scene\">");
        for part in scene.split_inclusive(|&byte| byte == b'<') {
            match part.strip_suffix(b"<") {
                Some(text) => file.extend([text, b"\\u003c"].concat()),
                None => file.extend_from_slice(part),
            }
        }
    } else {
        file.extend_from_slice(b"<script type=\"application/octet-stream\" id=\"scene\" data-packed=\"gzip\">");
        file.extend_from_slice(BASE64.encode(packed(scene)).as_bytes());
    }
    file.extend_from_slice(b"</script>\n");
}

fn packed(scene: &[u8]) -> Vec<u8> {
    // The best is not worth waiting for where a match is far from usual.
    let effort = if scene.len() < 8 << 20 { Compression::best() } else { Compression::fast() };
    let mut encoder = GzEncoder::new(Vec::new(), effort);
    encoder.write_all(scene).expect("writing to memory cannot fail");
    encoder.finish().expect("writing to memory cannot fail")
}

/// Text that stays inside an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_served_page_names_what_it_needs() {
        let page = page(&Links {
            assets: "/viewer/",
            scene: Some("/m/1/scene.json?a=1&b=\""),
            open: None,
            close: Some("/m/1"),
            language: Some("ca"),
            theme: Some("dark"),
        });
        assert!(page.contains(&format!("src=\"/viewer/viewer.js?v={}\"", version())));
        assert!(page.contains(&format!("href=\"/viewer/viewer.css?v={}\"", version())));
        assert!(page.contains(
            "<body data-scene=\"/m/1/scene.json?a=1&amp;b=&quot;\" data-close=\"/m/1\" data-language=\"ca\" data-site-theme=\"dark\">"
        ));
        assert!(page.contains("<html data-theme=\"dark\" lang="), "before any script");
        assert!(!page.contains("data-open=") && !page.contains("main.js"));
    }

    #[test]
    fn pages_hold_nothing_inline() {
        let page = page(&Links { assets: "", scene: Some("scene.json"), open: Some("open"), ..Links::default() });
        for inline in ["<style", " style=", "<script>", " onclick", " onload", "javascript:"] {
            assert!(!page.contains(inline), "{inline}");
        }
    }

    #[test]
    fn a_self_contained_page_needs_no_other_file() {
        let file = String::from_utf8(self_contained(b"{\"scene\":1}")).unwrap();
        assert!(file.contains("<script type=\"application/json\" id=\"scene\">{\"scene\":1}</script>"));
        assert!(!file.contains(" src=") && !file.contains("<link") && !file.contains("unsafe-inline"));
        assert_eq!(file.matches("<script").count(), 2);
        assert_eq!(file.matches("</script>").count(), 2);
        assert_eq!(file.matches("<style>").count(), 1);
    }

    #[test]
    fn no_name_ends_the_data() {
        let scene = br#"{"names":["</script><img src=x>","<!--<script>"]}"#;
        let file = String::from_utf8(self_contained(scene)).unwrap();
        assert!(file.contains(r#"["\u003c/script>\u003cimg src=x>","\u003c!--\u003cscript>"]"#));
    }

    #[test]
    fn the_script_can_stand_inside_a_page() {
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</style"));
    }

    #[test]
    fn a_large_scene_is_packed() {
        use std::io::Read as _;
        let scene = vec![b'7'; LARGEST_PLAIN + 1];
        let file = String::from_utf8(self_contained(&scene)).unwrap();
        assert!(file.contains("data-packed=\"gzip\">H4sI"));
        let mut read = Vec::new();
        flate2::read::GzDecoder::new(&packed(&scene)[..]).read_to_end(&mut read).unwrap();
        assert_eq!(read, scene);
    }
}
