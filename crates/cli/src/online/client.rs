//! Calls to a judge.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::http::{Method, Request};

use super::account::Account;
use crate::output::plain;

/// The largest answer that is taken.
const LARGEST: u64 = 256 << 20;
/// How long a call may take: long enough for a file over a slow line.
const PATIENCE: Duration = Duration::from_secs(150);

pub struct Client {
    agent: ureq::Agent,
    account: Account,
}

/// What a judge says went wrong.
#[derive(Debug, Deserialize)]
pub struct Problem {
    #[serde(default)]
    pub status: u16,
    #[serde(default)]
    pub code: String,
    title: String,
    line: Option<usize>,
}

/// Why a call gave nothing.
#[derive(Debug)]
pub struct Failed {
    url: String,
    why: String,
    pub problem: Option<Box<Problem>>,
    /// When it may be tried again, if trying again makes sense.
    pub later: Option<Duration>,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.url, self.why)
    }
}

impl std::error::Error for Failed {}

impl Client {
    pub fn new(account: Account) -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            // Whoever is sent elsewhere would take the token there.
            .max_redirects(0)
            .timeout_global(Some(PATIENCE))
            .user_agent(concat!("ludus/", env!("CARGO_PKG_VERSION")))
            .build();
        Client { agent: config.into(), account }
    }

    pub fn find() -> Result<Client> {
        Ok(Client::new(Account::find()?))
    }

    /// An address on the pages of the judge.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.account.url)
    }

    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.read(path, &self.send(Method::GET, path, "", &[])?)
    }

    pub fn get_file(&self, path: &str) -> Result<Vec<u8>> {
        Ok(self.send(Method::GET, path, "", &[])?)
    }

    pub fn post<T: DeserializeOwned>(&self, path: &str, kind: &str, body: &[u8]) -> Result<T> {
        self.read(path, &self.send(Method::POST, path, kind, body)?)
    }

    pub fn delete(&self, path: &str) -> Result<()> {
        self.send(Method::DELETE, path, "", &[])?;
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, path: &str, bytes: &[u8]) -> Result<T> {
        let not_ludus = || format!("{}: this is no answer of a judge of Ludus", self.url(path));
        serde_json::from_slice(bytes).with_context(not_ludus)
    }

    fn url(&self, path: &str) -> String {
        format!("{}/api/v1{path}", self.account.url)
    }

    fn send(&self, method: Method, path: &str, kind: &str, body: &[u8]) -> Result<Vec<u8>, Failed> {
        let url = self.url(path);
        let failed = |why: String, problem: Option<Box<Problem>>, later: Option<Duration>| Failed {
            url: url.clone(),
            why,
            problem,
            later,
        };
        let soon = Some(Duration::from_secs(2));
        let mut request = Request::builder().method(method).uri(&url);
        request = request.header("authorization", format!("Bearer {}", self.account.token));
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        let request = request.body(body).map_err(|error| failed(error.to_string(), None, None))?;
        let mut answer = self.agent.run(request).map_err(|error| failed(error.to_string(), None, soon))?;
        let status = answer.status();
        let later = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
        let bytes = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        let bytes = bytes.map_err(|error| failed(error.to_string(), None, soon))?;
        if status.is_success() {
            return Ok(bytes);
        }
        let later = later.map(Duration::from_secs).or(if status.is_server_error() { soon } else { None });
        match serde_json::from_slice::<Problem>(&bytes) {
            Ok(problem) => Err(failed(told(&problem), Some(Box::new(problem)), later)),
            Err(_) => Err(failed(format!("the answer is {status}; is there a judge of Ludus?"), None, later)),
        }
    }
}

fn told(problem: &Problem) -> String {
    let line = problem.line.map_or(String::new(), |line| format!("line {line}: "));
    format!("{line}{} ({})", plain(&problem.title), plain(&problem.code))
}

/// A part of a list.
#[derive(Deserialize)]
pub struct ListPart<T> {
    pub items: Vec<T>,
}

/// A season, as far as commands need it.
#[derive(Deserialize)]
pub struct Season {
    pub slug: String,
    pub title: String,
    pub game: String,
    pub phase: String,
    pub taken_until: String,
    pub may_submit: bool,
}

impl Client {
    pub fn seasons(&self) -> Result<Vec<Season>> {
        Ok(self.get::<ListPart<Season>>("/seasons")?.items)
    }

    /// The season that is named, or the only one that takes players.
    pub fn season(&self, named: Option<&str>) -> Result<String> {
        if let Some(slug) = named {
            return Ok(slug.to_owned());
        }
        let all = self.seasons()?;
        let open: Vec<&str> = all.iter().filter(|one| one.may_submit).map(|one| one.slug.as_str()).collect();
        match open.as_slice() {
            [only] => Ok((*only).to_owned()),
            [] => bail!("no season takes players now"),
            several => bail!("which season? --season {}", several.join(", --season ")),
        }
    }
}

/// A word as part of an address.
pub fn encoded(word: &str) -> String {
    let mut text = String::new();
    for byte in word.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => text.push(byte.into()),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
