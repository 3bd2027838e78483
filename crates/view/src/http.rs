//! Just enough HTTP/1.1 to show a match to the browser on this machine: one
//! request per connection, everything bounded, nothing decoded that is not used.

use std::io::{self, Read, Write};

/// The longest request line and headers.
const LARGEST_HEAD: usize = 16 << 10;

#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// The path and what follows it, as sent.
    pub target: String,
    pub host: String,
    pub body: Vec<u8>,
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub cache_control: &'static str,
    pub body: std::borrow::Cow<'static, [u8]>,
}

impl Response {
    /// A short message in plain text.
    pub fn text(status: u16, message: impl Into<String>) -> Response {
        Response {
            status,
            content_type: "text/plain; charset=utf-8",
            cache_control: "no-store",
            body: message.into().into_bytes().into(),
        }
    }

    /// Writes the response; without the body if only the head was asked for.
    pub fn write(&self, policy: &str, head_only: bool, out: &mut impl Write) -> io::Result<()> {
        // No content has no length either.
        let length =
            if self.status == 204 { String::new() } else { format!("Content-Length: {}\r\n", self.body.len()) };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{length}Cache-Control: {}\r\n\
             Content-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
            self.status,
            reason(self.status),
            self.content_type,
            self.cache_control,
        );
        out.write_all(head.as_bytes())?;
        if !head_only {
            out.write_all(&self.body)?;
        }
        out.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    }
}

/// Reads one request. `largest_body` says, by its head, how many bytes its body
/// may have. An inner error is a request that can be answered, but not with what
/// it asked for.
pub fn read_request(
    stream: &mut impl Read,
    largest_body: impl Fn(&Request) -> u64,
) -> io::Result<Result<Request, Response>> {
    let mut head = Vec::new();
    let end = loop {
        if let Some(end) = find(&head, b"\r\n\r\n") {
            break end;
        }
        if head.len() > LARGEST_HEAD {
            return Ok(Err(Response::text(431, "the request is too long")));
        }
        let mut chunk = [0; 4096];
        let len = stream.read(&mut chunk)?;
        if len == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&chunk[..len]);
    };
    let body = head.split_off(end + 4);
    let Some(parsed) = parse_head(&head[..end]) else {
        return Ok(Err(Response::text(400, "this is no HTTP request")));
    };
    let largest = largest_body(&parsed.request);
    read_body(stream, parsed, body, largest)
}

/// The lines of a request that matter here.
struct Head {
    request: Request,
    length: Option<u64>,
    chunked: bool,
}

fn parse_head(bytes: &[u8]) -> Option<Head> {
    let mut lines = std::str::from_utf8(bytes).ok()?.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return None;
    }
    let (mut host, mut length, mut chunked) = (None, None, false);
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            // Said twice, nobody knows what counts.
            "host" if host.is_some() => return None,
            "content-length" if length.is_some() => return None,
            "host" => host = Some(value.to_ascii_lowercase()),
            "content-length" => length = Some(value.parse().ok()?),
            "transfer-encoding" => chunked = true,
            _ => (),
        }
    }
    let host = host.unwrap_or_default();
    let request = Request { method: method.to_owned(), target: target.to_owned(), host, body: Vec::new() };
    Some(Head { request, length, chunked })
}

fn read_body(
    stream: &mut impl Read,
    head: Head,
    mut body: Vec<u8>,
    largest: u64,
) -> io::Result<Result<Request, Response>> {
    let mut request = head.request;
    let length = match head.length {
        _ if head.chunked => return Ok(Err(Response::text(411, "the request does not say how long it is"))),
        Some(length) if length > largest => return Ok(Err(Response::text(413, "the file is too large"))),
        Some(length) => length,
        None => 0,
    };
    body.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    let missing = length - body.len() as u64;
    // Grows with what arrives, not with what was announced.
    if stream.take(missing).read_to_end(&mut body)? as u64 != missing {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    request.body = body;
    Ok(Ok(request))
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use ludus_arena::spoil::{inputs, spoil};

    use super::*;

    /// What becomes of a request, in one word: its target or the status of the refusal.
    fn check(request: &str, expected: &str) {
        let found = match read_request(&mut request.as_bytes(), |_| 10) {
            Err(error) => format!("{:?}", error.kind()),
            Ok(Err(response)) => response.status.to_string(),
            Ok(Ok(request)) => format!("{} {} {}", request.method, request.target, request.body.len()),
        };
        assert_eq!(found, expected, "{request:.60}");
    }

    #[test]
    fn requests_are_read_or_refused() {
        check("GET /a?b=1 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a?b=1 0");
        check("POST /open HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "POST /open 3");
        check("POST /open HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcdef", "POST /open 3");
        check("POST /open HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", "UnexpectedEof");
        check("POST /open HTTP/1.1\r\nContent-Length: 11\r\n\r\n", "413");
        check("POST /open HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", "400");
        check("POST /open HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "411");
        check("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "400");
        check("POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "400");
        check("GET a HTTP/1.1\r\n\r\n", "400");
        check("GET / SPDY/3\r\n\r\n", "400");
        check("GET / HTTP/1.1\r\nnonsense\r\n\r\n", "400");
        check("\r\n\r\n", "400");
        check("GET / HTTP/1.1\r\n", "UnexpectedEof");
        check(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000)), "431");
    }

    #[test]
    fn responses_carry_the_policy() {
        let mut out = Vec::new();
        Response::text(404, "nothing here").write("default-src 'none'", false, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n"));
        assert!(out.contains("\r\nContent-Length: 12\r\n"));
        assert!(out.contains("\r\nContent-Security-Policy: default-src 'none'\r\n"));
        assert!(out.ends_with("\r\n\r\nnothing here"));
    }

    #[test]
    fn spoilt_requests_are_read_or_refused() {
        let text = b"POST /open?a=%20b HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Length: 3\r\nX-Name: 42\r\n\r\nabc";
        let mut generator = ludus_games::Generator::new(4);
        for _ in 0..inputs(20_000) {
            if let Ok(Ok(request)) = read_request(&mut &spoil(text, &mut generator)[..], |_| 10) {
                assert!(request.body.len() <= 10 && request.target.starts_with('/'));
            }
        }
    }
}
