//! The mail server: where it is, who may use it, and one letter handed to it.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::response::{Category, Code, Detail, Severity};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use percent_encoding::percent_decode_str;

use crate::letters::Words;
use crate::secrets;

/// For how long a server may keep us waiting with one answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A mail server that takes letters of this course.
#[derive(Clone)]
pub struct Mail {
    server: AsyncSmtpTransport<Tokio1Executor>,
    from: Address,
    /// What people see: the host and nothing else.
    host: String,
    /// The time between two letters.
    pace: Duration,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mail({} by {})", self.from, self.host)
    }
}

/// What a server says to a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Taken(String),
    Refused(String),
    /// Not now.
    Later(String),
    /// It cannot be asked, or refuses us and not the letter.
    Trouble(String),
}

/// The parts of an address like `smtps://USER:PASSWORD@HOST:PORT`.
#[derive(Debug, PartialEq, Eq)]
struct Server {
    encryption: Encryption,
    user: Option<String>,
    password: Option<String>,
    host: String,
    port: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encryption {
    /// From the first byte.
    Whole,
    /// From the greeting on, or nothing is sent.
    StartTls,
    None,
}

impl Server {
    fn read(url: &str) -> Result<Server> {
        // The address may hold a password, so that no message repeats it.
        let wrong = || anyhow!("--smtp must be smtps://USER:PASSWORD@HOST, or smtp://… for STARTTLS");
        let (scheme, rest) = url.split_once("://").ok_or_else(wrong)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (who, place) =
            rest.trim_end_matches('/').rsplit_once('@').map_or((None, rest), |(who, at)| (Some(who), at));
        let place = place.trim_end_matches('/');
        let encryption = match (scheme, query) {
            ("smtps", "") => Encryption::Whole,
            ("smtp", "") => Encryption::StartTls,
            ("smtp", "tls=none") => Encryption::None,
            _ => return Err(wrong()),
        };
        let usual = if encryption == Encryption::Whole { 465 } else { 587 };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| wrong())?),
            None => (place, usual),
        };
        ensure!(!host.is_empty() && !host.contains(['/', ':']), wrong());
        let decoded = |text: &str| Ok::<_, anyhow::Error>(percent_decode_str(text).decode_utf8()?.into_owned());
        let (user, password) = match who {
            None => (None, None),
            Some(who) => match who.split_once(':') {
                Some((user, password)) => (Some(decoded(user)?), Some(decoded(password)?)),
                None => (Some(decoded(who)?), None),
            },
        };
        Ok(Server { encryption, user, password, host: host.to_owned(), port })
    }
}

impl Mail {
    /// The server of an address. A password that is not in the address is given apart,
    /// and so are the authorities that are believed besides the public ones.
    pub fn open(
        url: &str,
        password: Option<String>,
        authorities: Option<Certificate>,
        from: &str,
        pace: Duration,
    ) -> Result<Mail> {
        let server = Server::read(url)?;
        let from: Address = from.parse().map_err(|error| anyhow!("--mail-from {from}: {error}"))?;
        let tls = || {
            let known = TlsParameters::builder(server.host.clone());
            let known = authorities.into_iter().fold(known, |known, more| known.add_root_certificate(more));
            known.build().context("TLS for --smtp, with --smtp-ca if there is one")
        };
        let tls = match server.encryption {
            Encryption::Whole => Tls::Wrapper(tls()?),
            Encryption::StartTls => Tls::Required(tls()?),
            Encryption::None => Tls::None,
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.host)
            .port(server.port)
            .tls(tls)
            .timeout(Some(PATIENCE));
        match (server.user, password.or(server.password)) {
            (Some(user), Some(password)) => builder = builder.credentials(Credentials::new(user, password)),
            (Some(_), None) => bail!("--smtp names a user without a password: give one with --smtp-password-file"),
            (None, Some(_)) => bail!("there is a password for --smtp, but no user in its address"),
            (None, None) => {}
        }
        Ok(Mail { server: builder.build(), from, host: server.host, pace })
    }

    pub fn pace(&self) -> Duration {
        self.pace
    }

    pub fn host(&self) -> &str {
        &self.host
    }

    /// Hands a letter to the server and waits for its answer.
    pub async fn send(&self, course: &str, name: &str, email: &str, words: Words) -> Answer {
        let message = match self.message(course, name, email, words) {
            Ok(message) => message,
            Err(error) => return Answer::Refused(error.to_string()),
        };
        match self.server.send(message).await {
            Ok(response) => Answer::Taken(response.message().collect::<Vec<_>>().join(" ")),
            Err(error) => {
                // The whole chain: the first words are only "permanent error".
                let said = secrets::without_passwords(&format!("{:#}", anyhow!(clone_of(&error))));
                match error.status() {
                    Some(code) if is_about_us(code) => Answer::Trouble(said),
                    Some(_) if error.is_permanent() => Answer::Refused(said),
                    Some(_) => Answer::Later(said),
                    None => Answer::Trouble(said),
                }
            }
        }
    }

    /// The letter as bytes that no name and no word can add a header to: each goes
    /// into its place by a type that encodes it.
    fn message(&self, course: &str, name: &str, email: &str, words: Words) -> Result<Message> {
        let to: Address = email.parse().with_context(|| format!("{email} is no address"))?;
        let id = format!("<{}@{}>", secrets::short_token(), self.from.domain());
        let builder: MessageBuilder = Message::builder()
            .from(Mailbox::new(Some(one_line(course)), self.from.clone()))
            .to(Mailbox::new(Some(one_line(name)), to))
            .subject(one_line(&words.subject))
            .message_id(Some(id))
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN);
        Ok(builder.body(words.body)?)
    }
}

/// The authorities of a PEM file, for `Mail::open`.
pub fn authorities(file: &Path) -> Result<Certificate> {
    let pem = std::fs::read(file).with_context(|| format!("--smtp-ca {}", file.display()))?;
    let begin = b"-----BEGIN CERTIFICATE-----";
    ensure!(
        pem.windows(begin.len()).any(|part| part == begin),
        "--smtp-ca {}: there is no certificate in it (PEM)",
        file.display()
    );
    Certificate::from_pem(&pem).with_context(|| format!("--smtp-ca {}", file.display()))
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The words of an error and of its causes.
fn clone_of(error: &lettre::transport::smtp::Error) -> String {
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        cause = inner.source();
    }
    words
}

/// Whether an answer is about who we are and not about the letter: the server goes
/// away (421), cannot check passwords (454), or refuses ours (530 to 539).
fn is_about_us(code: Code) -> bool {
    let is = |severity, category, detail: Option<Detail>| {
        code.severity == severity && code.category == category && detail.is_none_or(|detail| code.detail == detail)
    };
    is(Severity::PermanentNegativeCompletion, Category::Unspecified3, None)
        || is(Severity::TransientNegativeCompletion, Category::Connections, Some(Detail::One))
        || is(Severity::TransientNegativeCompletion, Category::MailSystem, Some(Detail::Four))
}

/// Says to other programs that nobody wrote this by hand, so that none answers it.
#[derive(Clone, Copy, Debug)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(AutoSubmitted::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_servers_are_read() {
        let read = |url: &str| Server::read(url).unwrap();
        let some = |text: &str| Some(text.to_owned());
        let server = read("smtps://marta%40upc.edu:p%3Aw@mail.upc.edu");
        assert_eq!((server.encryption, server.port, server.host.as_str()), (Encryption::Whole, 465, "mail.upc.edu"));
        assert_eq!((server.user, server.password), (some("marta@upc.edu"), some("p:w")));
        let server = read("smtp://ludus@mail.upc.edu:2525/");
        assert_eq!((server.encryption, server.port, server.password), (Encryption::StartTls, 2525, None));
        assert_eq!(read("smtp://127.0.0.1:25?tls=none").encryption, Encryption::None);
        for wrong in
            ["", "mail.upc.edu", "http://x", "smtp://", "smtp://x:y", "smtps://x?tls=none", "smtp://u:secret@/"]
        {
            let error = Server::read(wrong).unwrap_err().to_string();
            assert!(error.contains("--smtp must be") && !error.contains("secret"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_user_needs_a_password() {
        let open = |url: &str, password: Option<&str>| {
            Mail::open(url, password.map(ToOwned::to_owned), None, "a@x.edu", Duration::ZERO)
        };
        assert!(open("smtp://u@x?tls=none", Some("p")).is_ok());
        assert!(open("smtp://u:p@x?tls=none", None).is_ok());
        for (url, password) in [("smtp://u@x?tls=none", None), ("smtp://x?tls=none", Some("p"))] {
            assert!(open(url, password).is_err(), "{url}");
        }
        let told = format!("{:?}", open("smtp://u:geheim@x?tls=none", None).unwrap());
        assert!(!told.contains("geheim"), "{told}");
    }

    #[tokio::test]
    async fn nothing_adds_a_header() {
        let mail = Mail::open("smtp://127.0.0.1:1?tls=none", None, None, "course@x.edu", Duration::ZERO).unwrap();
        let evil = "x\r\nBcc: all@x.edu\r\n\r\nhello";
        let words = Words { subject: evil.to_owned(), body: "Núria\n.\nend".to_owned() };
        let message = mail.message(evil, evil, "m@x.edu", words.clone()).unwrap();
        let text = String::from_utf8(message.formatted()).unwrap();
        let head = text.split("\r\n\r\n").next().unwrap();
        assert!(!head.to_lowercase().contains("\r\nbcc"), "{head}");
        assert!(head.contains("Auto-Submitted: auto-generated") && head.contains("To: "), "{head}");
        assert!(matches!(mail.send("x", "x", "m@x.edu\r\nBcc: y@x.edu", words).await, Answer::Refused(_)));
    }
}
