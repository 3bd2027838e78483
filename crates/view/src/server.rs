//! A match shown on this machine, to its user and to nobody else.
//!
//! The server listens on the loopback address. Other users of the machine and
//! pages of other sites can reach that too, so everything lies under a secret
//! word, and requests for another host (a name that was made to point here) are refused.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ludus_arena::Film;

use crate::assets::asset;
use crate::document::{LARGEST_FILE, document};
use crate::http::{Request, Response, read_request};
use crate::page::{Links, POLICY, page};

/// Connections served at a time; more than any browser opens.
const MOST_CONNECTIONS: usize = 32;

/// How long a request may take to arrive, and its answer to be taken.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is shown: a match, or the invitation to open one.
#[derive(Debug)]
pub struct Site {
    scene: Option<Vec<u8>>,
    token: String,
}

impl Site {
    pub fn new(scene: Option<Vec<u8>>) -> Site {
        Site { scene, token: secret() }
    }

    /// What a request to a server on this port asks for, if whoever asks may know.
    fn name<'a>(&self, request: &'a Request, port: u16) -> Result<&'a str, Response> {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        if !hosts.contains(&request.host) {
            return Err(Response::text(403, "this server answers only to its own address"));
        }
        let path = request.target.split('?').next().unwrap_or_default();
        let name = path.strip_prefix('/').and_then(|path| path.strip_prefix(&*self.token)?.strip_prefix('/'));
        name.ok_or_else(|| Response::text(404, "nothing here: use the address that 'ludus view' printed"))
    }

    /// Nothing is kept for those who do not know the secret.
    fn largest_body(&self, request: &Request, port: u16) -> u64 {
        if self.name(request, port).is_ok() { LARGEST_FILE } else { 0 }
    }

    /// The response to a request to a server on this port.
    fn answer(&self, request: &Request, port: u16) -> Response {
        let name = match self.name(request, port) {
            Ok(name) => name,
            Err(refusal) => return refusal,
        };
        match (request.method.as_str(), name) {
            ("POST", "open") => opened(&request.body),
            ("GET" | "HEAD", "") => Response {
                status: 200,
                content_type: "text/html; charset=utf-8",
                cache_control: "no-store",
                body: page(&Links { assets: "", scene: Some("scene.json"), open: Some("open"), ..Links::default() })
                    .into_bytes()
                    .into(),
            },
            ("GET" | "HEAD", "scene.json") => {
                self.scene.as_ref().map_or_else(|| scene(204, Vec::new()), |text| scene(200, text.clone()))
            }
            ("GET" | "HEAD", name) => asset(name).map_or_else(
                || Response::text(404, "nothing here"),
                |asset| Response {
                    status: 200,
                    content_type: asset.content_type,
                    cache_control: asset.cache_control,
                    body: asset.body.into(),
                },
            ),
            _ => Response::text(405, "this cannot be done here"),
        }
    }
}

fn scene(status: u16, text: Vec<u8>) -> Response {
    Response { status, content_type: "application/json", cache_control: "no-store", body: text.into() }
}

fn opened(file: &[u8]) -> Response {
    match Film::open(file) {
        Ok(film) => scene(200, document(&film)),
        Err(error) => Response::text(422, error.to_string()),
    }
}

/// A word that nobody can guess. The keys of the standard library's hash maps
/// come from the system's source of randomness.
fn secret() -> String {
    (0..2).map(|_| format!("{:016x}", RandomState::new().build_hasher().finish())).collect()
}

/// Listens on this machine.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    site: Arc<Site>,
}

impl Server {
    /// On this port, or on any that is free for 0.
    pub fn start(site: Site, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port, site: Arc::new(site) })
    }

    /// What to type into a browser.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.site.token)
    }

    /// Answers until the process ends.
    pub fn run(&self) -> io::Result<()> {
        let busy = Arc::new(AtomicUsize::new(0));
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else {
                // Gone before it was accepted, or too many files are open: others may have better luck in a moment.
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Some(place) = Place::take(&busy) else { continue };
            let (site, port) = (Arc::clone(&self.site), self.port);
            let started = std::thread::Builder::new().name("connection".to_owned()).spawn(move || {
                // Whoever hangs up or dawdles gets no answer, and needs none.
                let _ = serve(stream, &site, port);
                drop(place);
            });
            // Without a thread the connection is closed, and the browser tries again.
            drop(started);
        }
        Ok(())
    }
}

/// One of the connections that are served at a time.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(busy: &Arc<AtomicUsize>) -> Option<Place> {
        let place = Place(Arc::clone(busy));
        (busy.fetch_add(1, Ordering::Relaxed) < MOST_CONNECTIONS).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn serve(mut stream: TcpStream, site: &Site, port: u16) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut request = Impatient { stream: &stream, until: Instant::now() + PATIENCE };
    let (response, head_only) = match read_request(&mut request, |head| site.largest_body(head, port))? {
        Ok(request) => (site.answer(&request, port), request.method == "HEAD"),
        Err(refusal) => (refusal, false),
    };
    response.write(POLICY, head_only, &mut io::BufWriter::new(&mut stream))?;
    stream.flush()?;
    stream.shutdown(Shutdown::Write)
}

/// A request that must be complete by then, so that nobody keeps a place by
/// sending a letter now and then.
struct Impatient<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl io::Read for Impatient<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site { scene: Some(b"{}".to_vec()), token: "secret".to_owned() }
    }

    /// The status and the type of the answer to a request.
    fn check(method: &str, target: &str, host: &str, expected: &str) {
        let request =
            Request { method: method.to_owned(), target: target.to_owned(), host: host.to_owned(), body: Vec::new() };
        let response = site().answer(&request, 80);
        assert_eq!(format!("{} {}", response.status, response.content_type), expected, "{method} {target} {host}");
    }

    #[test]
    fn everything_lies_under_the_secret() {
        check("GET", "/secret/", "localhost:80", "200 text/html; charset=utf-8");
        check("GET", "/secret/scene.json", "127.0.0.1:80", "200 application/json");
        check("GET", "/secret/viewer.js?v=1", "127.0.0.1:80", "200 text/javascript; charset=utf-8");
        check("HEAD", "/secret/viewer.css", "127.0.0.1:80", "200 text/css; charset=utf-8");
        check("GET", "/secret/../../etc/passwd", "127.0.0.1:80", "404 text/plain; charset=utf-8");
        check("GET", "/", "127.0.0.1:80", "404 text/plain; charset=utf-8");
        check("GET", "/secre/", "127.0.0.1:80", "404 text/plain; charset=utf-8");
        check("GET", "/secretscene.json", "127.0.0.1:80", "404 text/plain; charset=utf-8");
        check("PUT", "/secret/open", "127.0.0.1:80", "405 text/plain; charset=utf-8");
        check("POST", "/secret/open", "127.0.0.1:80", "422 text/plain; charset=utf-8");
    }

    #[test]
    fn bodies_are_for_those_who_know_the_secret() {
        for (target, host, expected) in [
            ("/secret/open", "localhost:80", LARGEST_FILE),
            ("/guess/open", "localhost:80", 0),
            ("/secret/open", "x", 0),
        ] {
            let (target, host) = (target.to_owned(), host.to_owned());
            let request = Request { method: "POST".to_owned(), target, host, body: Vec::new() };
            assert_eq!(site().largest_body(&request, 80), expected);
        }
    }

    #[test]
    fn other_hosts_are_refused() {
        for host in ["", "evil.example:80", "127.0.0.1", "127.0.0.1:8080", "localhost.evil.example:80"] {
            check("GET", "/secret/", host, "403 text/plain; charset=utf-8");
        }
    }

    #[test]
    fn no_more_connections_than_there_are_places() {
        let busy = Arc::new(AtomicUsize::new(0));
        let mut places: Vec<_> = (0..MOST_CONNECTIONS).map(|_| Place::take(&busy).unwrap()).collect();
        assert!(Place::take(&busy).is_none());
        places.pop();
        assert!(Place::take(&busy).is_some());
    }

    #[test]
    fn dawdlers_are_left_alone() {
        use std::io::Read as _;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        sender.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        let (stream, _) = listener.accept().unwrap();
        let mut late = Impatient { stream: &stream, until: Instant::now() };
        assert_eq!(late.read(&mut [0; 8]).unwrap_err().kind(), io::ErrorKind::TimedOut);
        let mut early = Impatient { stream: &stream, until: Instant::now() + PATIENCE };
        assert!(early.read(&mut [0; 8]).unwrap() > 0);
    }

    #[test]
    fn secrets_differ() {
        assert_eq!(secret().len(), 32);
        assert_ne!(secret(), secret());
    }

    #[test]
    fn a_server_answers_over_the_loopback() {
        use std::io::Read as _;
        let server = Server::start(site(), 0).unwrap();
        assert!(server.address().ends_with("/secret/"));
        let port = server.port;
        std::thread::spawn(move || server.run());
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        write!(stream, "GET /secret/scene.json HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\n{}"), "{answer}");
    }
}
