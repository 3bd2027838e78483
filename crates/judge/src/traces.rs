//! Traces in the form of OpenTelemetry: OTLP over HTTP as JSON, sent by a thread of
//! their own to a collector (`--traces URL`).
//!
//! A span for every job, and one inside it for compiling or playing. They wait in
//! a list that has an end: when the collector is slow or away they are dropped, and
//! nothing else notices. They carry numbers and kinds, no names and no texts.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow};
use serde_json::{Value, json};
use ureq::Agent;

/// Spans that wait to be sent, at most.
const MOST_WAITING: usize = 4096;
/// Spans in one letter.
const MOST_SENT: usize = 512;
/// How long a span waits for others.
const LONGEST: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(5);

static OUTBOX: OnceLock<SyncSender<Span>> = OnceLock::new();
/// Spans that nobody took.
static DROPPED: AtomicU64 = AtomicU64::new(0);

tokio::task_local! {
    static CURRENT: Place;
}

/// Where in a trace something happens.
#[derive(Clone, Copy, Debug)]
struct Place {
    trace: [u64; 2],
    span: u64,
}

/// Something that has happened.
#[derive(Clone, Debug)]
struct Span {
    at: Place,
    parent: Option<u64>,
    name: &'static str,
    begun: Duration,
    ended: Duration,
    attributes: Vec<(&'static str, String)>,
}

/// Begins to send traces to a collector, such as `http://127.0.0.1:4318`.
pub fn send_to(url: &str) -> Result<()> {
    let url = format!("{}/v1/traces", url.trim_end_matches('/'));
    let (sender, receiver) = sync_channel(MOST_WAITING);
    OUTBOX.set(sender).map_err(|_| anyhow!("traces are sent to one collector only"))?;
    let thread = std::thread::Builder::new().name("traces".to_owned());
    thread.spawn(move || forward(&url, &receiver)).context("traces cannot be sent")?;
    Ok(())
}

/// How many spans were dropped.
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// Does something as a span, inside the one that it is a part of.
pub async fn span<T>(name: &'static str, attributes: &[(&'static str, String)], work: impl Future<Output = T>) -> T {
    let Some(outbox) = OUTBOX.get() else { return work.await };
    let outer = CURRENT.try_with(|place| *place).ok();
    let trace = outer.map_or_else(|| [number(), number()], |outer| outer.trace);
    let at = Place { trace, span: number() };
    let begun = now();
    let done = CURRENT.scope(at, work).await;
    let parent = outer.map(|outer| outer.span);
    let span = Span { at, parent, name, begun, ended: now(), attributes: attributes.to_vec() };
    if outbox.try_send(span).is_err() {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
    done
}

/// Any number but the one that stands for none.
fn number() -> u64 {
    getrandom::u64().unwrap_or(1).max(1)
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Sends what comes, some at a time, for as long as the process lives.
fn forward(url: &str, spans: &Receiver<Span>) {
    let agent: Agent = Agent::config_builder().timeout_global(Some(PATIENCE)).build().into();
    while let Ok(first) = spans.recv() {
        let mut some = vec![first];
        while some.len() < MOST_SENT {
            match spans.recv_timeout(LONGEST) {
                Ok(span) => some.push(span),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        let letter = written(&some).to_string();
        if agent.post(url).content_type("application/json").send(letter.as_bytes()).is_err() {
            DROPPED.fetch_add(some.len() as u64, Ordering::Relaxed);
        }
    }
}

fn written(spans: &[Span]) -> Value {
    let spans: Vec<Value> = spans.iter().map(Span::written).collect();
    let service = json!({ "key": "service.name", "value": { "stringValue": "ludus-judge" } });
    let version = json!({ "key": "service.version", "value": { "stringValue": env!("CARGO_PKG_VERSION") } });
    json!({ "resourceSpans": [{
        "resource": { "attributes": [service, version] },
        "scopeSpans": [{ "scope": { "name": "ludus-judge" }, "spans": spans }],
    }] })
}

impl Span {
    fn written(&self) -> Value {
        let attributes = self.attributes.iter();
        let attributes: Vec<Value> =
            attributes.map(|(key, value)| json!({ "key": key, "value": { "stringValue": value } })).collect();
        json!({
            "traceId": format!("{:016x}{:016x}", self.at.trace[0], self.at.trace[1]),
            "spanId": format!("{:016x}", self.at.span),
            "parentSpanId": self.parent.map_or(String::new(), |parent| format!("{parent:016x}")),
            "name": self.name,
            "kind": 1,
            "startTimeUnixNano": self.begun.as_nanos().to_string(),
            "endTimeUnixNano": self.ended.as_nanos().to_string(),
            "attributes": attributes,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpListener;

    use super::*;

    /// The body of the next letter to a collector.
    fn letter(collector: &TcpListener) -> Value {
        let (mut stream, _) = collector.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}").unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    #[tokio::test]
    async fn a_collector_hears_of_a_job_and_of_its_parts_and_nobody_waits_for_it() {
        let collector = TcpListener::bind("127.0.0.1:0").unwrap();
        send_to(&format!("http://{}/", collector.local_addr().unwrap())).unwrap();
        let inner = async { span("play", &[], async { 7 }).await };
        assert_eq!(span("job", &[("job", "12".to_owned())], inner).await, 7);
        let told = letter(&collector);
        let spans = &told["resourceSpans"][0]["scopeSpans"][0]["spans"];
        let (play, job) = (&spans[0], &spans[1]);
        assert_eq!((&play["name"], &job["name"]), (&"play".into(), &"job".into()));
        assert_eq!((&play["parentSpanId"], &play["traceId"]), (&job["spanId"], &job["traceId"]));
        assert_eq!(job["parentSpanId"], "");
        assert_eq!(job["attributes"][0]["value"]["stringValue"], "12");
        assert_eq!(job["traceId"].as_str().map(str::len), Some(32));
        // Nobody takes them any more: what is more than waits is dropped.
        drop(collector);
        for _ in 0..3 * MOST_WAITING {
            span("job", &[], async {}).await;
        }
        assert!(dropped() > 0);
    }
}
