//! Answers in fewer bytes, for browsers that take them so. Pages are left as they are:
//! what is packed must hold nothing secret beside what a stranger chose.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::header;
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Whether the browser takes packed answers: it says so, and not that it does not.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty());
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// A file of the program.
pub fn file(asked: &HeaderMap, kind: &'static str, kept: &'static str, content: &'static [u8]) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept), (header::VARY, "accept-encoding")];
    if takes_gzip(asked) {
        return (headers, [(header::CONTENT_ENCODING, "gzip")], packed(content)).into_response();
    }
    (headers, content).into_response()
}

/// What the program holds, packed by whoever asks first; where it is in memory tells
/// one from another.
fn packed(content: &'static [u8]) -> Bytes {
    static PACKED: LazyLock<Mutex<HashMap<usize, Bytes>>> = LazyLock::new(Mutex::default);
    let mut all = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry(content.as_ptr().addr()).or_insert_with(|| pack(content)).clone()
}

fn pack(content: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("a list takes all bytes");
    encoder.finish().expect("a list takes all bytes").into()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::http::HeaderValue;
    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn only_whoever_takes_packed_answers_gets_them() {
        for (accepted, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.8, *;q=0.1", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000, identity", false),
            ("x-gzipped", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(takes_gzip(&headers), takes, "{accepted}");
            let answer = file(&headers, "text/css", "no-store", b"a a a a a a");
            assert_eq!(answer.headers().contains_key(header::CONTENT_ENCODING), takes, "{accepted}");
            assert_eq!(answer.headers()[header::VARY], "accept-encoding");
        }
    }

    #[test]
    fn what_is_packed_is_what_was_there() {
        let content = include_bytes!("../../assets/site.css");
        let (once, again) = (packed(content), packed(content));
        assert!(once.len() * 3 < content.len() && once.as_ptr() == again.as_ptr(), "it is packed once");
        let mut unpacked = Vec::new();
        GzDecoder::new(once.as_ref()).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, content);
    }
}
