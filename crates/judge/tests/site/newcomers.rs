//! The way of somebody who has no player yet.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use anyhow::{Result, bail};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::StreamExt as _;
use ludus_games::{Game, PerSeat};
use ludus_judge::accounts::Role;
use ludus_judge::database::now;
use ludus_judge::ids::SubmissionId;
use ludus_judge::jobs::{Environment, Machines};
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::matches::Played;
use ludus_judge::seasons::{self, Season};
use ludus_judge::submissions;
use ludus_judge::trouble::Trouble;
use ludus_sandbox::build::{Language, rust};
use tower::ServiceExt as _;

use crate::harness::{Court, Kind};
use crate::on_sqlite;

on_sqlite!(
    an_example_becomes_ones_own,
    what_is_wrong_is_told_before_it_is_sent,
    nobody_is_sent_to_a_form_that_is_closed,
    ones_place_in_the_queue_is_told_as_it_changes,
    the_first_of_every_language_finds_a_warm_compiler
);

/// Machines that only say what they are prepared for.
struct Prepared(Mutex<mpsc::Sender<(&'static str, &'static str)>>);

impl Machines for Prepared {
    fn warm_up(&self, game: &dyn Game, language: Language) -> Result<()> {
        let language = if language == Language::Rust { "rust" } else { "cpp" };
        Ok(self.0.lock().unwrap().send((game.about().id, language))?)
    }

    fn compile(&self, _: &Season, _: &str, _: Language, _: &[u8]) -> Result<Compiled> {
        bail!("nothing is compiled")
    }

    fn play(&self, _: &Season, _: i64, _: &PerSeat<Seated>) -> Result<Played> {
        bail!("nothing is played")
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

async fn the_first_of_every_language_finds_a_warm_compiler(court: Court) {
    crate::cup::add_season(&court.site.database, "cup").await;
    let (sender, prepared) = mpsc::channel();
    let machines = Arc::new(Prepared(Mutex::new(sender)));
    Environment { machines, ..court.environment() }.warm_up().await.unwrap();
    let mut expected = BTreeSet::from([("ants", "cpp"), ("dominator", "cpp")]);
    if rust::find().is_ok() {
        expected.extend([("ants", "rust"), ("dominator", "rust")]);
    }
    let wait = || prepared.recv_timeout(Duration::from_secs(60)).unwrap();
    let found: BTreeSet<_> = tokio::task::block_in_place(|| expected.iter().map(|_| wait()).collect());
    assert_eq!(found, expected);
}

async fn an_example_becomes_ones_own(court: Court) {
    let mut guest = court.browser();
    let season = guest.get("/seasons/open").await;
    assert!(season.has("How to begin") && season.has("/sign-in?next=/seasons/open"));
    assert!(guest.get("/seasons/open/api/rust").await.has("player!"));
    assert_eq!(guest.get("/seasons/open/api/cobol").await.status, StatusCode::NOT_FOUND);
    let mut pau = court.visitor("pau", Role::Student).await;
    assert!(pau.get("/seasons/open").await.has("/seasons/open/submit#examples"));
    let form = pau.get("/seasons/open/submit").await;
    assert!(form.has("Reaper is made to beat the Dummies"), "{}", form.text);
    for (file, line) in [("AIReaper.cc", "#define PLAYER_NAME Pau_1"), ("Null.rs", "player!(Null, &quot;Pau_1&quot;);")]
    {
        assert_eq!(pau.get(&format!("/seasons/open/starter/{file}")).await.status, StatusCode::OK);
        let filled = pau.get(&format!("/seasons/open/submit?start={file}&name=Pau_1")).await;
        assert!(filled.has(line), "{}", filled.text);
    }
    let long = pau.get("/seasons/open/submit?start=AINull.cc&name=ThirteenChars").await;
    assert!(long.status == StatusCode::UNPROCESSABLE_ENTITY && long.has("1 to 12 characters"));
    let source = long.text.split("id=\"source\"").nth(1).unwrap();
    assert!(source.contains("role=\"alert\">The name"), "an error stands where the form leads to");
    assert!(long.has("id=\"name-error\"") && long.has("pattern=\"[A-Za-z0-9_]{1,12}\""), "{}", long.text);
    for wrong in ["../rules.en.md", "..%2F..%2Fants%2Fplayers%2FAINull.cc", "AIDummy.cc", "%2Fetc%2Fpasswd"] {
        let answer = pau.get(&format!("/seasons/open/starter/{wrong}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{wrong}");
        assert!(pau.get(&format!("/seasons/open/submit?start={wrong}")).await.has("></textarea>"), "{wrong}");
    }
}

/// The editor asks before it sends, and marks what the compiler found.
async fn what_is_wrong_is_told_before_it_is_sent(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let check = "/seasons/open/check";
    for (source, told) in [
        ("", "\"line\":null"),
        ("int x;\n", "PLAYER_NAME"),
        ("\n#define PLAYER_NAME Pau\n#define PLAYER_NAME Other\n", "\"told\":\"Line 3: "),
        ("#define PLAYER_NAME Dummy\n", "\"line\":1"),
        ("#define PLAYER_NAME ThirteenChars\n", "1 to 12 characters"),
        ("#define PLAYER_NAME Mierda\n", "not allowed"),
    ] {
        for file_name in ["", "AIx.cc"] {
            let answer = pau.upload(check, file_name, source.as_bytes()).await;
            assert!(answer.status == StatusCode::OK && answer.has(told), "{source:?}: {}", answer.text);
        }
    }
    assert_eq!(pau.upload(check, "", b"#define PLAYER_NAME Pau\n").await.text, "null");
    assert!(!pau.get("/submissions").await.has("/submissions/1"), "nothing was handed in");
    let page = pau.submit("open", "#define PLAYER_NAME Pau\nint x = y;\n").await;
    let settle = async |sql: &'static str| {
        sqlx::query(sql).execute(court.site.database.write()).await.unwrap();
    };
    settle(
        "UPDATE submissions SET stage = 'rejected', decided_at = 1, reason = 'compiler',
         detail = 'player.cc:2:9: error: use of undeclared identifier ''y''\n1 error generated.'",
    )
    .await;
    assert!(pau.get(&page).await.has("/seasons/open/submit?from=1#source"));
    let form = pau.get("/seasons/open/submit?from=1").await;
    let marks = "[{&quot;line&quot;:2,&quot;column&quot;:9,&quot;kind&quot;:&quot;error&quot;,&quot;text&quot;:&quot;use of undeclared identifier 'y'&quot;}]";
    assert!(form.has(&format!("data-marks=\"{marks}\"")), "{}", form.text);
    assert!(form.has("data-line=\"2\">Line 2:</a> use of undeclared"), "{}", form.text);
    settle("UPDATE submissions SET stage = 'accepted', reason = NULL, detail = NULL").await;
    assert!(pau.upload(check, "", b"#define PLAYER_NAME PAU\n").await.has("is already called"));
    let refused = pau.upload("/seasons/open/submit", "", b"\n#define PLAYER_NAME Pau\n").await;
    assert!(refused.has("data-marks=\"[{&quot;line&quot;:2,"), "{}", refused.text);
    let mut ana = court.visitor("ana", Role::Student).await;
    assert_eq!(ana.get("/seasons/open/submit?from=1").await.status, StatusCode::NOT_FOUND);
}

/// A name is as long as its game allows, from the form to the verdict.
#[tokio::test]
async fn names_are_as_long_as_the_game_allows() {
    let court = Court::new(Kind::Sqlite).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    for about in ludus_games::GAMES.iter().map(|game| game.about()) {
        let season = Season::of_game(about, about.id, now() - 1000, now() + 1_000_000);
        assert!(seasons::add(&court.site.database, &season).await.unwrap());
        let form = format!("/seasons/{}/submit?start=AINull.cc&name=", about.id);
        let longest = about.longest_name;
        let name = "N".repeat(longest);
        let page = pau.get(&format!("{form}{name}")).await;
        assert!(page.status == StatusCode::OK && page.has(&format!(" {name}\n")), "{}", page.text);
        assert!(page.has(&format!("1 to {longest} letters")), "{}", page.text);
        let page = pau.get(&format!("{form}{name}N")).await;
        assert!(page.has(&format!("{name}N” must have 1 to {longest} characters")), "{}", page.text);
    }
    let about = ludus_games::GAMES.iter().map(|game| game.about()).max_by_key(|about| about.longest_name).unwrap();
    assert!(about.longest_name > 12);
    let name = "N".repeat(about.longest_name);
    let null = pau.get(&format!("/seasons/{}/starter/AINull.cc", about.id)).await.text;
    let submission = pau.submit(about.id, &null.replacen(" Null\n", &format!(" {name}\n"), 1)).await;
    court.work().await;
    let verdict = pau.get(&submission).await;
    assert!(verdict.has(&name) && verdict.has("It did not win in seat"), "{}", verdict.text);
    let scores = verdict.text.split("The scores were ").nth(1).unwrap().split(".<").next().unwrap();
    let names: BTreeSet<&str> = scores.split(", ").map(|one| one.split(' ').next().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["Dummy", &name]), "{scores}");
}

/// After the deadline the way on leads to what there is, unless there is an exception.
async fn nobody_is_sent_to_a_form_that_is_closed(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", "#define PLAYER_NAME Pau\n").await;
    let settle = async |sql: String| {
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(court.site.database.write()).await.unwrap();
    };
    settle("UPDATE submissions SET stage = 'rejected', decided_at = 1, reason = 'example-twice'".to_owned()).await;
    let form = "/seasons/open/submit?from=1";
    let (edit, source) = (format!("href=\"{form}#source\""), "class=\"button quiet\" href=\"/submissions/1/source\"");
    assert!(pau.get(&page).await.has(&edit));
    assert_eq!(pau.get(form).await.status, StatusCode::OK);
    settle(format!("UPDATE seasons SET deadline_at = {0}, closes_at = {0}, grace_s = 0", now() - 1000)).await;
    for path in [page.clone(), format!("{page}/events")] {
        let closed = pau.get(&path).await;
        let verdict = closed.text.split("class=\"verdict bad\"").nth(1).unwrap().split("</section>").next().unwrap();
        assert!(!verdict.contains(&edit) && !verdict.contains("submit it again"), "{verdict}");
        assert!(verdict.contains(source) && verdict.contains("class=\"button\" href=\"/seasons/open\""), "{verdict}");
    }
    let refused = pau.get(form).await;
    assert!(refused.status == StatusCode::FORBIDDEN && refused.has("takes no more players"), "{}", refused.text);
    assert!(refused.has("class=\"button\" href=\"/seasons/open\""), "{}", refused.text);
    settle(format!("UPDATE seasons SET opens_at = {}", now() + 100_000)).await;
    assert!(pau.get(form).await.has("class=\"button\" href=\"/seasons/open\""));
    assert!(
        !pau.get("/seasons/nowhere/submit").await.has("/seasons/nowhere\""),
        "of what does not exist nothing is known"
    );
    settle(format!("UPDATE seasons SET opens_at = {}", now() - 100_000)).await;
    settle(format!(
        "INSERT INTO exceptions (season_id, account_id, until_at, reason)
         SELECT season_id, account_id, {}, 'ill' FROM submissions",
        now() + 100_000
    ))
    .await;
    assert!(pau.get(&page).await.has(&edit), "whoever may submit for longer mends for longer");
    let mut teacher = court.visitor("laia", Role::Instructor).await;
    let seen = teacher.get(&page).await;
    assert!(!seen.has(&edit) && !seen.has("class=\"button\" href=\"/seasons/open\""), "it is another's to mend");
}

async fn ones_place_in_the_queue_is_told_as_it_changes(court: Court) {
    let mut browsers = Vec::new();
    for name in ["ana", "pau"] {
        let mut browser = court.visitor(name, Role::Student).await;
        browser.submit("open", &format!("#define PLAYER_NAME {name}\n")).await;
        browsers.push(browser);
    }
    let database = &court.site.database;
    let marks = submissions::marks_of_undecided(database).await.unwrap();
    for (id, ahead) in [(SubmissionId(1), 0), (SubmissionId(2), 1)] {
        let mark = submissions::mark(database, id).await.unwrap().unwrap();
        assert!(mark == marks[&id] && mark.ahead == ahead, "{mark:?}");
    }
    let mut pau = browsers.pop().unwrap();
    assert!(pau.get("/submissions/2").await.has("Submissions before yours: 1."));
    let cookies: Vec<String> = pau.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let request = Request::get("/submissions/2/events").header(header::HOST, "judge.test");
    let request = request.header(header::COOKIE, cookies.join("; ")).body(Body::empty()).unwrap();
    let mut events = court.router().oneshot(request).await.unwrap().into_body().into_data_stream();
    for ahead in [1, 0] {
        let event = tokio::time::timeout(Duration::from_secs(60), events.next()).await.expect("an event");
        let event = String::from_utf8_lossy(&event.unwrap().unwrap()).into_owned();
        assert!(event.contains(&format!("Submissions before yours: {ahead}.")), "{event}");
        let decide = "UPDATE submissions SET stage = 'rejected', decided_at = 5, reason = 'example-twice' WHERE id = 1";
        sqlx::query(decide).execute(database.write()).await.unwrap();
    }
}
