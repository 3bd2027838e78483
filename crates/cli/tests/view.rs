//! `ludus view` as its users meet it: a page for the browser, or in a file.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::ludus::{command, folder, ludus};

fn play(folder: &Path) {
    let output = ludus(folder, "play ants Demo Dummy Demo Null -s 30 -o match.res");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// Starts a server; its host and the path under which everything lies.
fn serve(folder: &Path, words: &str) -> (Server, String, String) {
    let mut server = Server(command(folder, words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let (host, path) = address.trim_end().strip_prefix("http://").unwrap().split_once('/').unwrap();
    (server, host.to_owned(), format!("/{path}"))
}

/// The answer to a request, headers and all.
fn ask(host: &str, method: &str, path: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n").unwrap();
    stream.write_all(body).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_page_in_one_file() {
    let folder = folder!("a_page_in_one_file");
    play(&folder);
    let output = ludus(&folder, "view match.res --html match.html");
    assert!(output.status.success() && output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("match.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("id=\"scene\""));
}

#[test]
fn a_server_for_one_match() {
    let folder = folder!("a_server_for_one_match");
    play(&folder);
    let (_server, host, root) = serve(&folder, "view match.res --no-open");
    assert!(ask(&host, "GET", &root, b"").contains("<title>Ludus</title>"));
    let scene = ask(&host, "GET", &format!("{root}scene.json"), b"");
    assert!(scene.contains("\"names\":[\"Demo\",\"Dummy\",\"Demo\",\"Null\"]"), "{scene:.300}");
    assert!(ask(&host, "GET", "/", b"").starts_with("HTTP/1.1 404 "));

    let record = std::fs::read(folder.join("match.res")).unwrap();
    let opened = ask(&host, "POST", &format!("{root}open?name=match.res"), &record);
    assert!(opened.starts_with("HTTP/1.1 200 ") && opened.contains("{\"scene\":1,"), "{opened:.300}");
    let refused = ask(&host, "POST", &format!("{root}open"), b"Hello there");
    assert!(refused.starts_with("HTTP/1.1 422 ") && refused.contains("\r\nContent-Type: text/plain"), "{refused}");
}

#[test]
fn an_empty_viewer() {
    let folder = folder!("an_empty_viewer");
    let (_server, host, root) = serve(&folder, "view --no-open");
    assert!(ask(&host, "GET", &format!("{root}scene.json"), b"").starts_with("HTTP/1.1 204 "));
}

#[test]
fn what_cannot_be_shown() {
    let folder = folder!("what_cannot_be_shown");
    std::fs::write(folder.join("rubbish.res"), "Game\n\nSeed 3\n\nChess 7\n").unwrap();
    std::fs::write(folder.join("empty.res"), "").unwrap();
    for (words, message) in [
        ("view nowhere.res", "cannot read nowhere.res"),
        ("view rubbish.res", "rubbish.res: "),
        ("view empty.res --html out.html", "empty.res: "),
        ("view --html out.html", "<FILE>"),
        ("view rubbish.res --port 70000", "70000"),
    ] {
        let output = ludus(&folder, words);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(error.starts_with("error: ") && error.contains(message), "{words}: {error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{words}: {error}");
    }
    assert!(!folder.join("out.html").exists());
}
