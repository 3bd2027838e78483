//! The command `ludus` as students use it with a judge: the program itself, on a
//! site that listens.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ludus_judge::accounts::Role;
use ludus_judge::web::patience::Patience;
use ludus_judge::web::serve::Bounds;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt as _;

use crate::api::token_with;
use crate::harness::{Browser, Court};
use crate::on_sqlite;
use crate::slow::{BOUNDS, aside, listen};
use crate::verdicts::{GOOD, named};

on_sqlite!(a_student_works_from_the_command_line, whoever_stops_waiting_is_told_how_to_go_on);

const PATIENT: Bounds =
    Bounds { head: Duration::from_secs(3600), reading: Patience::new(Duration::from_secs(3600), 1), ..BOUNDS };

/// The program that `LUDUS` names, as in `./test`, or else as its source is now: tests
/// of this crate alone would find an old one, or none.
fn program() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        if let Some(program) = std::env::var_os("LUDUS") {
            return program.into();
        }
        let folder = Path::new(env!("CARGO_BIN_EXE_ludus-judge")).parent().unwrap();
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        // With what its own tests are built with, so that nothing is compiled twice.
        cargo.args(["test", "--no-run", "--offline", "--quiet", "--workspace", "--test", "main", "--target-dir"]);
        cargo.arg(folder.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success());
        folder.join("ludus")
    };
    BUILT.get_or_init(build).clone()
}

/// A student's machine: a folder with files and one with settings.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(program());
        command.args(words.split_whitespace()).current_dir(&self.folder).stdin(Stdio::null());
        command.env("XDG_CONFIG_HOME", self.folder.path().join("settings"));
        command.env_remove("LUDUS_URL").env_remove("LUDUS_TOKEN");
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Runs a command that ends with a status, and gives what it prints.
    fn prints(&self, words: &str, status: i32) -> String {
        let output = self.run(words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{words}: {told}{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that cannot be done, and gives the one line that says why.
    fn refuses(&self, words: &str) -> String {
        let output = self.run(words);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{words}: {told}");
        assert!(output.stdout.is_empty() && told.starts_with("error: "), "{words}: {told}");
        told
    }

    fn login(&self, url: &str, token: &str) -> Output {
        let mut child = self.command(&format!("login {url}"));
        let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        child.stdin.take().unwrap().write_all(token.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn write(&self, name: &str, source: &str) {
        std::fs::write(self.folder.path().join(name), source).unwrap();
    }

    fn kept(&self) -> PathBuf {
        self.folder.path().join("settings/ludus/judge.json")
    }
}

/// Lets the judge work while something is done.
async fn meanwhile<T: Send + 'static>(court: &Court, work: impl FnOnce() -> T + Send + 'static) -> T {
    let mut done = tokio::spawn(aside(work));
    loop {
        court.work().await;
        match tokio::time::timeout(Duration::from_millis(100), &mut done).await {
            Ok(result) => return result.unwrap(),
            Err(_) => continue,
        }
    }
}

async fn a_student_works_from_the_command_line(court: Court) {
    let (address, _stop, _) = listen(&court, PATIENT).await;
    let url = format!("http://{address}");
    let mut pau = court.visitor("pau", Role::Student).await;
    let token = token_with(&mut pau, &["read", "submit", "train"]).await;
    let desk = std::sync::Arc::new(Desk { folder: crate::harness::folder() });
    let (inside, given) = (desk.clone(), token.clone());
    aside(move || signing_in(&inside, &url, &given)).await;

    desk.write("AIWinner.cc", &talking(&named(GOOD, "Winner")));
    let inside = desk.clone();
    let accepted = meanwhile(&court, move || inside.run("submit AIWinner.cc --wait")).await;
    let steps = String::from_utf8(accepted.stderr).unwrap();
    assert_eq!(accepted.status.code(), Some(0), "{steps}");
    assert_eq!(String::from_utf8(accepted.stdout).unwrap(), "Winner: Accepted\n");
    assert!(steps.contains("/submissions/1") && steps.matches("  done ").count() == 7, "{steps}");
    desk.write("AIBroken.cc", &format!("{}\nthis is no C++", named(GOOD, "Broken")));
    let inside = desk.clone();
    let rejected = meanwhile(&court, move || inside.prints("submit AIBroken.cc --season open --wait", 1)).await;
    assert!(rejected.starts_with("Broken: Rejected\n") && rejected.contains("this is no C++"), "{rejected}");
    let inside = desk.clone();
    let table = meanwhile(&court, move || inside.prints("train open Winner Dummy Null Demo -n 4 --wait", 0)).await;
    assert!(table.lines().count() == 5 && table.contains("Winner") && table.contains("Demo"), "{table}");

    let module = shared_module(&court, &mut pau).await;
    std::fs::write(desk.folder.path().join("shared.wasm"), module).unwrap();
    let inside = desk.clone();
    aside(move || playing_at_home(&inside)).await;

    let inside = desk.clone();
    aside(move || looking_around(&inside)).await;
    aside(move || signing_out(&desk, &token)).await;
}

/// The same player, which says something in its first round.
fn talking(source: &str) -> String {
    let (before, after) = source.split_once("virtual void play() {").unwrap();
    format!("{before}virtual void play() {{\n    if (round() == 0) cerr << \"good morning\" << endl;\n{after}")
}

/// The module of the first player, as everybody gets it by its link.
async fn shared_module(court: &Court, author: &mut Browser) -> Vec<u8> {
    author.post("/players/1/module", &[("audience", "everybody")]).await;
    let page = author.get("/players/1").await.text;
    let link = page.split("/modules/").nth(1).unwrap().split('"').next().unwrap();
    let request = Request::get(format!("/modules/{link}")).header("host", "judge.test").body(Body::empty()).unwrap();
    let answer = court.router().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    to_bytes(answer.into_body(), 1 << 24).await.unwrap().to_vec()
}

/// What somebody got by a link plays as what its author compiles.
fn playing_at_home(desk: &Desk) {
    let [shared, own] = ["shared.wasm", "AIWinner.cc"].map(|player| {
        let played = desk.prints(&format!("play dominator {player} Dummy Dummy Dummy -s 1 --format json"), 0);
        let played: Value = serde_json::from_str(&played).unwrap();
        assert!(played["seats"][0]["fault"].is_null(), "{played}");
        [0, 1, 2, 3].map(|seat| played["seats"][seat]["score"].as_i64().unwrap())
    });
    assert_eq!(shared, own);
}

fn signing_in(desk: &Desk, url: &str, token: &str) {
    assert!(desk.refuses("status").contains("ludus login URL"));
    assert!(desk.refuses("login http://judge.example.edu").contains("not encrypted"));
    assert!(desk.refuses("login ftp://x").contains("is no address of a judge"));
    let wrong = desk.login(url, "ludus_wrong");
    let told = String::from_utf8_lossy(&wrong.stderr);
    assert!(wrong.status.code() == Some(2) && told.contains(url) && told.contains("token-wrong"), "{told}");
    assert!(!desk.kept().exists() && !told.contains("ludus_wrong"));
    let signed_in = desk.login(url, &format!("{token}\n"));
    let told = String::from_utf8_lossy(&signed_in.stdout);
    assert!(signed_in.status.success() && told.contains("as pau"), "{told}");
    assert!(told.contains("may read, submit, train until ") && !told.contains(token), "{told}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(desk.kept()).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let nowhere =
        desk.command("status").env("LUDUS_URL", "http://127.0.0.1:1").env("LUDUS_TOKEN", "x").output().unwrap();
    let told = String::from_utf8_lossy(&nowhere.stderr);
    assert!(nowhere.status.code() == Some(2) && told.contains("http://127.0.0.1:1/api/v1/seasons"), "{told}");
    let elsewhere = desk.command("status").env("LUDUS_URL", "http://127.0.0.1:1").output().unwrap();
    let told = String::from_utf8_lossy(&elsewhere.stderr);
    assert!(told.contains("set LUDUS_TOKEN too"), "a token is not sent to another judge: {told}");
}

fn looking_around(desk: &Desk) {
    assert!(desk.refuses("submit AIWinner.cc").contains("line "), "the name is taken");
    assert!(desk.refuses("submit AINobody.cc").contains("cannot read AINobody.cc"));
    assert!(desk.refuses("submit AIWinner.cc --season nowhere").contains("(not-found)"));
    assert!(desk.refuses("train open Nobody Dummy Dummy Dummy").contains("(no-such-player)"));
    assert!(desk.refuses("fetch 999").contains("/api/v1/matches/999"));
    assert!(desk.refuses("fetch one").contains("is no number of a match"));
    let all = desk.prints("status", 0);
    assert!(all.contains("open") && all.contains("Winner       accepted") && all.contains("the judge"), "{all}");
    let json: Value = serde_json::from_str(&desk.prints("status --json", 0)).unwrap();
    assert_eq!(json["submissions"]["items"].as_array().unwrap().len(), 2);
    assert_eq!(desk.prints("status 1", 0), "Winner: Accepted\n");
    assert!(desk.prints("status 2 --wait", 1).starts_with("Broken: Rejected"));
    let json: Value = serde_json::from_str(&desk.prints("status 2 --json", 1)).unwrap();
    assert_eq!(json["reason"]["code"], "compiler");
    let files = desk.prints("fetch 1 --dir lost", 0);
    // Four copies, each with an output of its own.
    assert_eq!(files.lines().next(), Some("lost/match-1.ludus"));
    assert_eq!(files.lines().nth(4), Some("lost/match-1-seat-4.txt"), "{files}");
    for seat in 1..=4 {
        let output = std::fs::read_to_string(desk.folder.path().join(format!("lost/match-1-seat-{seat}.txt"))).unwrap();
        assert_eq!(output, "round 0\ngood morning\n");
    }
    assert!(desk.prints("replay info lost/match-1.ludus", 0).contains("Winner"));
    assert_eq!(desk.prints("kit open", 0), "ludus-open.tar.gz\n");
    let listed = Command::new("tar").args(["tzf", "ludus-open.tar.gz"]).current_dir(&desk.folder).output().unwrap();
    assert!(String::from_utf8(listed.stdout).unwrap().contains("ludus-open/README.txt\n"));
    assert!(
        desk.refuses("kit nowhere").contains("(not-found)")
            && !desk.folder.path().join("ludus-nowhere.tar.gz").exists()
    );
}

fn signing_out(desk: &Desk, token: &str) {
    let kept = std::fs::read_to_string(desk.kept()).unwrap();
    assert!(desk.prints("logout", 0).starts_with("signed out of http://127.0.0.1"));
    assert!(!desk.kept().exists());
    assert!(desk.refuses("logout").contains("not signed in"));
    let url: Value = serde_json::from_str(&kept).unwrap();
    let again = desk.login(url["url"].as_str().unwrap(), token);
    assert!(String::from_utf8_lossy(&again.stderr).contains("token-wrong"), "it was revoked");
}

async fn whoever_stops_waiting_is_told_how_to_go_on(court: Court) {
    let (address, _stop, _) = listen(&court, PATIENT).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let token = token_with(&mut pau, &["read", "submit"]).await;
    let output = aside(move || {
        let desk = Desk { folder: crate::harness::folder() };
        desk.write("AIWaits.cc", &named(GOOD, "Waits"));
        let mut command = desk.command("submit AIWaits.cc --season open --wait");
        command.env("LUDUS_URL", format!("http://{address}")).env("LUDUS_TOKEN", token);
        stopped(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    })
    .await;
    assert_eq!(output.0, Some(130), "{}", output.1);
    assert!(output.1.ends_with("stopped waiting; the judge goes on: ludus status 1 --wait\n"), "{}", output.1);
    court.work().await;
    assert!(pau.get("/submissions/1").await.has("<h2>Accepted</h2>"), "the judge goes on");
}

/// Presses Ctrl-C once the first step has been shown.
fn stopped(mut child: Child) -> (Option<i32>, String) {
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut told = String::new();
    for line in lines.by_ref().map(|line| line.unwrap() + "\n") {
        told.push_str(&line);
        if line.starts_with("  done ") {
            break;
        }
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    told.extend(lines.map(|line| line.unwrap() + "\n"));
    (child.wait().unwrap().code(), told)
}
