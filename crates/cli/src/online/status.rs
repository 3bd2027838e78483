//! `ludus status`: how submissions stand.

use std::process::ExitCode;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::{Client, ListPart};
use super::follow::{Look, follow};
use crate::interrupt;
use crate::output::plain;

/// Show how submissions stand, or one of them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludus status                 seasons, your latest submissions, how the judge is doing
  ludus status 12              submission 12
  ludus status 12 --wait       the same, until there is a verdict

Exit status with a number: 0 accepted or under way; 1 rejected or retired; 2 not done.")]
pub struct Args {
    /// The number of a submission
    submission: Option<i64>,
    /// Wait for the verdict
    #[arg(long, requires = "submission")]
    wait: bool,
    /// Print what the judge says as JSON
    #[arg(long)]
    json: bool,
}

/// A submission in a list.
#[derive(Deserialize)]
struct Submission {
    id: i64,
    name: String,
    season: String,
    stage: String,
    created_at: String,
}

/// A submission and how far it is.
#[derive(Deserialize)]
struct Progress {
    submission: Submission,
    is_decided: bool,
    verdict: String,
    reason: Option<Why>,
    steps: Vec<Step>,
    is_delayed: bool,
    /// Submissions that are decided before it; an older judge does not say.
    #[serde(default)]
    ahead: i64,
    #[serde(default)]
    expected_wait_ms: Option<i64>,
}

#[derive(Deserialize)]
struct Why {
    text: String,
    messages: Option<String>,
    cause: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Deserialize)]
struct Step {
    label: String,
    state: String,
    #[serde(default)]
    scores: Vec<i64>,
}

/// How the judge is doing.
#[derive(Deserialize)]
struct Judge {
    is_good: bool,
    trouble: Option<String>,
    workers: i64,
    expected_wait_ms: Option<i64>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let client = Client::find()?;
    match args.submission {
        None => overview(&client, args.json),
        Some(id) if args.wait => wait(&client, id, args.json),
        Some(id) => {
            let (found, text) = look(&client, id)?;
            for step in &found.steps {
                eprintln!("{}", line(step));
            }
            show(&client, &found, &text, args.json);
            Ok(exit(&found))
        }
    }
}

fn overview(client: &Client, json: bool) -> Result<ExitCode> {
    if json {
        #[derive(Serialize)]
        struct All {
            seasons: Value,
            submissions: Value,
            judge: Value,
        }
        let (seasons, submissions) = (client.get("/seasons")?, client.get("/submissions?limit=10")?);
        println!("{}", serde_json::to_string_pretty(&All { seasons, submissions, judge: client.get("/status")? })?);
        return Ok(ExitCode::SUCCESS);
    }
    for season in client.seasons()? {
        let until: String = season.taken_until.chars().take(16).collect();
        let until = if season.may_submit {
            format!("takes players until {} UTC", until.replace('T', " "))
        } else {
            season.phase
        };
        println!("{}  {}, {}: {}", plain(&season.slug), plain(&season.title), plain(&season.game), plain(&until));
    }
    for one in client.get::<ListPart<Submission>>("/submissions?limit=10")?.items {
        let day: String = one.created_at.chars().take(16).collect();
        let day = day.replace('T', " ");
        println!(
            "{:>6}  {:<12} {:<9} {}  {}",
            one.id,
            plain(&one.name),
            plain(&one.stage),
            plain(&day),
            plain(&one.season)
        );
    }
    let judge: Judge = client.get("/status")?;
    let wait =
        judge.expected_wait_ms.map_or(String::new(), |ms| format!(", a verdict takes about {} s", (ms + 999) / 1000));
    let works =
        if judge.is_good { "works".to_owned() } else { format!("is in trouble {}", judge.trouble.unwrap_or_default()) };
    println!("the judge {}, {} workers{wait}", plain(works.trim()), judge.workers);
    Ok(ExitCode::SUCCESS)
}

fn look(client: &Client, id: i64) -> Result<(Progress, Value)> {
    let value: Value = client.get(&format!("/submissions/{id}"))?;
    Ok((serde_json::from_value(value.clone())?, value))
}

/// Shows every step as it is taken, then the verdict.
pub fn wait(client: &Client, id: i64, json: bool) -> Result<ExitCode> {
    let mut known: Vec<Step> = Vec::new();
    let (mut was_delayed, mut ahead) = (false, 0);
    let over = follow(|| {
        let (found, text) = look(client, id)?;
        let changed = known != found.steps || ahead != found.ahead;
        if ahead != found.ahead {
            eprintln!("{}", place(&found));
        }
        ahead = found.ahead;
        for (at, step) in found.steps.iter().enumerate() {
            if known.get(at) != Some(step) && !["waiting", "skipped"].contains(&step.state.as_str()) {
                eprintln!("{}", line(step));
            }
        }
        if found.is_delayed && !was_delayed {
            eprintln!("the judge is in trouble; it goes on when that is over");
        }
        was_delayed = found.is_delayed;
        known.clone_from(&found.steps);
        Ok(if found.is_decided { Look::Over((found, text)) } else { Look::NotYet { changed } })
    })?;
    let Some((found, text)) = over else {
        eprintln!("stopped waiting; the judge goes on: ludus status {id} --wait");
        return Ok(ExitCode::from(interrupt::STOPPED));
    };
    show(client, &found, &text, json);
    Ok(exit(&found))
}

/// How many come first, and how long it takes.
fn place(found: &Progress) -> String {
    let wait =
        found.expected_wait_ms.map_or(String::new(), |ms| format!(", a verdict in about {} s", (ms + 999) / 1000));
    format!("  submissions before yours: {}{wait}", found.ahead)
}

fn line(step: &Step) -> String {
    let scores: Vec<String> = step.scores.iter().map(ToString::to_string).collect();
    format!("  {:<8} {} {}", plain(&step.state), plain(&step.label), scores.join(" – ")).trim_end().to_owned()
}

fn exit(found: &Progress) -> ExitCode {
    ExitCode::from(u8::from(["rejected", "retired"].contains(&found.submission.stage.as_str())))
}

fn show(client: &Client, found: &Progress, text: &Value, json: bool) {
    if json {
        println!("{text:#}");
        return;
    }
    println!("{}: {}", plain(&found.submission.name), plain(&found.verdict));
    let Some(why) = &found.reason else { return };
    println!("{}", plain(&why.text));
    for line in why.messages.iter().flat_map(|messages| messages.lines()) {
        println!("{}", plain(line));
    }
    if let Some(cause) = why.cause {
        println!("ludus fetch {cause} gets the match, or watch it: {}", client.page(&format!("/matches/{cause}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_is_told_how_many_come_first() {
        let mut told = serde_json::json!({
            "submission": { "id": 1, "name": "Ana", "season": "spring", "stage": "waiting", "created_at": "" },
            "is_decided": false, "verdict": "", "steps": [], "is_delayed": false,
        });
        let place = |told: &Value| place(&serde_json::from_value(told.clone()).unwrap());
        assert_eq!(place(&told), "  submissions before yours: 0", "an older judge");
        told["ahead"] = 3.into();
        told["expected_wait_ms"] = 4200.into();
        assert_eq!(place(&told), "  submissions before yours: 3, a verdict in about 5 s");
    }
}
