//! Lines for whoever runs the judge, on standard error: for people, or as JSON for
//! programs (`--log json`), each with the request or the job that it is about.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

use crate::ids::JobId;
use crate::secrets;

static JSON: AtomicBool = AtomicBool::new(false);

/// From now on lines are JSON.
pub fn use_json() {
    JSON.store(true, Ordering::Relaxed);
}

/// What lines are about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A request, by the id that its answer carries, too.
    Request(String),
    /// What a worker was sent.
    Order(String),
    /// A job, and how many others are done with it.
    Job { id: JobId, kind: &'static str, others: usize },
}

tokio::task_local! {
    static SUBJECT: Subject;
}

/// Does something of which all lines are about a subject.
pub async fn within<T>(subject: Subject, work: impl Future<Output = T>) -> T {
    SUBJECT.scope(subject, work).await
}

/// The longest message, in characters; more of it tells nobody anything.
const LONGEST: usize = 2000;

pub fn error(message: &str) {
    line("error", message);
}

pub fn note(message: &str) {
    line("note", message);
}

fn line(kind: &str, message: &str) {
    let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
    let subject = SUBJECT.try_with(Clone::clone).ok();
    let line = match JSON.load(Ordering::Relaxed) {
        true => as_json(&time.to_string(), kind, message, subject.as_ref()),
        false => format!("{time} {kind}: {}", escaped(message)),
    };
    // Where nothing can be written, work goes on without a log.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// One object on one line; strangers' text in it is escaped as for people, so that
/// whoever looks at it in a terminal is as safe.
fn as_json(time: &str, kind: &str, message: &str, subject: Option<&Subject>) -> String {
    let mut line = Map::new();
    let mut put = |name: &str, value: Value| line.insert(name.to_owned(), value);
    put("time", time.into());
    put("level", kind.into());
    match subject {
        Some(Subject::Request(id)) => {
            put("request", id.as_str().into());
        }
        Some(Subject::Order(id)) => {
            put("order", id.as_str().into());
        }
        Some(Subject::Job { id, kind, others }) => {
            put("job", id.0.into());
            put("kind", (*kind).into());
            if *others > 0 {
                put("others", (*others).into());
            }
        }
        None => {}
    }
    put("message", escaped(message).into());
    Value::Object(line).to_string()
}

/// A message as one line that shows what it holds. Strangers' text is in some:
/// it must not end the line, command the terminal or turn the writing around,
/// and addresses keep their passwords to themselves.
pub fn escaped(message: &str) -> String {
    let message = secrets::without_passwords(message);
    let mut line = String::new();
    for c in message.chars().take(LONGEST) {
        if is_plain(c) {
            line.push(c);
        } else {
            line.extend(c.escape_default());
        }
    }
    if message.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

/// Whether a character is seen as what it is: no control, nothing invisible,
/// nothing that changes the direction of what follows.
pub fn is_plain(c: char) -> bool {
    let hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}');
    !c.is_control() && !hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_line_of_json_says_what_it_is_about() {
        let about = async |subject| {
            let line = within(subject, async {
                as_json("t", "error", "x\n\"}\u{202e}", SUBJECT.try_with(Clone::clone).ok().as_ref())
            });
            line.await
        };
        let of_job = about(Subject::Job { id: JobId(7), kind: "match", others: 2 }).await;
        let read: Value = serde_json::from_str(&of_job).unwrap();
        assert_eq!((&read["job"], &read["kind"], &read["others"]), (&7.into(), &"match".into(), &2.into()));
        assert_eq!(read["message"], "x\\n\"}\\u{202e}");
        assert!(!of_job.contains('\n') && !of_job.contains('\u{202e}'), "{of_job}");
        let of_request: Value = serde_json::from_str(&about(Subject::Request("r".to_owned())).await).unwrap();
        assert_eq!((&of_request["request"], &of_request["job"]), (&"r".into(), &Value::Null));
        let of_nothing: Value = serde_json::from_str(&as_json("t", "note", "y", None)).unwrap();
        assert_eq!((&of_nothing["level"], &of_nothing["request"]), (&"note".into(), &Value::Null));
    }

    #[test]
    fn a_message_is_one_line_and_hides_nothing() {
        let forged = "x\n2026-01-01T00:00:00Z note: all is well\r\u{1b}[2J\u{202e}\u{200b}\u{2028}\u{0}\u{9b}";
        let shown = escaped(forged);
        assert_eq!(
            shown,
            "x\\n2026-01-01T00:00:00Z note: all is well\\r\\u{1b}[2J\\u{202e}\\u{200b}\\u{2028}\\u{0}\\u{9b}"
        );
        assert_eq!(escaped("s3://K:secret@h"), "s3://…@h");
        assert_eq!(escaped("Núria “ñ” 日本"), "Núria “ñ” 日本");
        assert_eq!(escaped(&"x".repeat(5000)).chars().count(), LONGEST + 1);
    }
}
