//! What is kept, for how long, and what happens when it gets lost.

use std::time::Duration;

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::caretaker::{Caretaker, Rule};
use ludus_judge::queue::Dispatch as _;
use ludus_judge::storage::RESERVE;

use crate::harness::Court;
use crate::verdicts::{GOOD, doing, named};
use crate::{on_both, on_sqlite};

on_both!(what_was_lost_is_said_and_made_again, what_rejected_players_leave_is_thinned_and_nothing_else);

on_sqlite!(
    nobody_keeps_more_than_there_is_room_for,
    losses_that_cannot_be_mended_keep_nobody_waiting,
    a_flood_leaves_little_behind_and_pages_need_no_replay,
    what_cannot_be_made_again_has_a_clear_page,
    a_worker_makes_a_missing_module_again,
    what_is_under_way_counts_as_much_as_it_may_leave,
    matches_of_before_get_their_cpu_counted
);

/// A thousand orders of a hundred words in every round, for units that nobody has.
fn flood(name: &str) -> String {
    let thief = "#include \"Player.hh\"\n\
        template <typename Tag, typename Tag::type M> struct Thief { friend typename Tag::type loot(Tag) { return M; } };\n\
        struct Tag { typedef ludus::Orders Action::*type; friend type loot(Tag); };\n\
        template struct Thief<Tag, &Action::ludus_orders_>;\n";
    let code = "int words[100]; for (int& word : words) word = random(-2000000000, 2000000000);\n\
        for (int k = 0; k < 1000; ++k) { words[0] = 1000000 + k; (this->*loot(Tag())).add(words, 100); }";
    doing(name, code).replacen("#include \"Player.hh\"\n", thief, 1)
}

impl Court {
    fn caretaker(&self, rule: Rule) -> Caretaker {
        Caretaker {
            database: self.site.database.clone(),
            store: self.site.store.clone(),
            restorer: self.environment().restorer(),
            rule,
        }
    }

    async fn number(&self, statement: &'static str) -> i64 {
        sqlx::query_scalar(statement).fetch_one(self.site.database.read()).await.unwrap()
    }

    async fn text(&self, statement: &'static str) -> String {
        sqlx::query_scalar(statement).fetch_one(self.site.database.read()).await.unwrap()
    }

    async fn texts(&self, statement: &'static str) -> Vec<String> {
        sqlx::query_scalar(statement).fetch_all(self.site.database.read()).await.unwrap()
    }

    /// What is kept of everybody in every season is what their submissions come to.
    pub async fn sums_are_right(&self) {
        let rows = [
            "SELECT account_id, season_id, submissions, thinned, bytes FROM kept ORDER BY 1, 2",
            "SELECT account_id, season_id, COUNT(*), COUNT(thinned_at), CAST(SUM(bytes) AS BIGINT) FROM submissions
             GROUP BY account_id, season_id ORDER BY 1, 2",
        ];
        type Row = (i64, i64, i64, i64, i64);
        let [kept, sums] = rows.map(|rows| sqlx::query_as(rows).fetch_all(self.site.database.read()));
        let (kept, sums): (Vec<Row>, Vec<Row>) = (kept.await.unwrap(), sums.await.unwrap());
        assert_eq!(kept, sums);
    }

    async fn set_up(&self, statement: &'static str) {
        sqlx::query(statement).execute(self.site.database.write()).await.unwrap();
    }
}

async fn a_flood_leaves_little_behind_and_pages_need_no_replay(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &flood("Flood")).await;
    court.work().await;
    let verdict = pau.get(&page).await;
    assert!(verdict.has("<h2>Rejected</h2>") && verdict.has("It did not win"), "{}", verdict.text);
    let replays = court.texts("SELECT replay FROM matches").await;
    assert_eq!(replays.len(), 5);
    let sizes: Vec<u64> = replays.iter().map(|hash| court.file(hash).metadata().unwrap().len()).collect();
    assert!(sizes.iter().all(|size| *size < 20_000), "{sizes:?}");
    let module = court.text("SELECT module FROM submissions").await;
    let module = court.file(&module).metadata().unwrap().len() as i64;
    let bytes = court.number("SELECT bytes FROM submissions").await;
    assert!(bytes > module && bytes < module + 150_000, "{bytes} with a module of {module}");
    for hash in &replays {
        std::fs::remove_file(court.file(hash)).unwrap();
    }
    for number in 1..=5 {
        let page = pau.get(&format!("/matches/{number}")).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.has("CPU by round") && page.has("<path") && page.has("Flood") && page.has("iframe"));
    }
    assert!(pau.get("/matches").await.has("Flood"));
    assert_eq!(court.number("SELECT COUNT(*) FROM losses").await, 0, "no page has looked for a replay");
    court.sums_are_right().await;
}

async fn what_was_lost_is_said_and_made_again(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let writes = "static int round_number = 0; if (round_number++ == 0) cerr << \"I was here\" << endl;";
    let at = GOOD.find("void play() {").map(|at| at + "void play() {".len()).unwrap();
    let page = pau.submit("open", &named(&format!("{}{writes}{}", &GOOD[..at], &GOOD[at..]), "Winner")).await;
    court.work().await;
    assert!(pau.get(&page).await.has("<h2>Accepted</h2>"));
    let replay = court.text("SELECT replay FROM matches WHERE id = 2").await;
    let module = court.text("SELECT module FROM submissions").await;
    let output = court.text("SELECT output FROM seats WHERE match_id = 2 AND output IS NOT NULL").await;
    let whole = std::fs::read(court.file(&replay)).unwrap();
    std::fs::write(court.file(&replay), &whole[..whole.len() / 2]).unwrap();
    std::fs::remove_file(court.file(&output)).unwrap();
    std::fs::remove_file(court.file(&module)).unwrap();
    for file in ["replay.ludus", "scene.json", "record.txt", "output/0"] {
        let answer = pau.get(&format!("/matches/2/{file}")).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{file}");
        assert!(answer.has("is being made again"), "{}", answer.text);
    }
    let shown = pau.get("/matches/2").await;
    assert!(shown.status == StatusCode::OK && shown.has("is being made again") && shown.has("CPU by round"));
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let storage = laia.get("/storage").await;
    assert!(storage.has("to be made again") && storage.has("is damaged"), "{}", storage.text);
    assert_eq!(pau.get("/storage").await.status, StatusCode::FORBIDDEN);
    court.caretaker(Rule::default()).turn(0).await.unwrap();
    assert_eq!(std::fs::read(court.file(&replay)).unwrap(), whole);
    assert!(court.file(&module).is_file(), "the module was needed for that");
    assert!(pau.get("/matches/2/output/0").await.has("I was here"));
    assert_eq!(pau.get("/matches/2/scene.json").await.status, StatusCode::OK);
    assert!(pau.get("/matches/2").await.has("iframe"));
    let states = court.texts("SELECT state FROM losses").await;
    assert!(states.len() == 3 && states.iter().all(|state| state == "restored"), "{states:?}");
    std::fs::remove_file(court.file(&replay)).unwrap();
    assert_eq!(pau.get("/matches/2/replay.ludus").await.status, StatusCode::SERVICE_UNAVAILABLE, "lost again");
}

async fn what_cannot_be_made_again_has_a_clear_page(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.submit("open", &doing("Abort", "abort();")).await;
    court.work().await;
    court.set_up("UPDATE seasons SET match_ms = match_ms + 1").await;
    std::fs::remove_file(court.file(&court.text("SELECT replay FROM matches WHERE id = 1").await)).unwrap();
    assert_eq!(pau.get("/matches/1/replay.ludus").await.status, StatusCode::SERVICE_UNAVAILABLE);
    court.caretaker(Rule::default()).turn(0).await.unwrap();
    let gone = pau.get("/matches/1/replay.ludus").await;
    assert!(gone.status == StatusCode::GONE && gone.has("could not be made again"), "{}", gone.text);
    let page = pau.get("/matches/1").await;
    assert!(page.status == StatusCode::OK && page.has("could not be made again") && page.has("Abort"));
    assert!(!page.has("iframe"));
    assert!(court.visitor("laia", Role::Instructor).await.get("/storage").await.has("goes otherwise today"));
    assert!(!court.caretaker(Rule::default()).restorer.next().await.unwrap(), "it is not tried for ever");
}

async fn a_worker_makes_a_missing_module_again(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &named(GOOD, "Winner")).await;
    let environment = court.environment();
    let compile = environment.queue.take().await.unwrap().unwrap();
    compile.job.run(&environment, &compile).await.unwrap();
    let module = court.text("SELECT module FROM submissions").await;
    std::fs::write(court.file(&module), b"damaged").unwrap();
    court.work().await;
    assert!(pau.get(&page).await.has("<h2>Accepted</h2>"), "{}", pau.get(&page).await.text);
    assert_eq!(court.text("SELECT state FROM losses").await, "restored");
    assert_eq!(
        court.number("SELECT COUNT(*) FROM jobs WHERE state = 'done' AND failures = 0 AND kind <> 'compare'").await,
        6
    );
}

async fn nobody_keeps_more_than_there_is_room_for(mut court: Court) {
    let pau = court.visitor("pau", Role::Student).await;
    let ana = court.visitor("ana", Role::Student).await;
    let source = doing("Wrong", "this does not compile;");
    let most = source.len() as i64 * 2 + 10;
    court.set(|settings| settings.quota.account_bytes = most);
    let (mut pau, mut ana) = (court.visiting(&pau), court.visiting(&ana));
    pau.submit("open", &source).await;
    court.set_up("UPDATE submissions SET stage = 'rejected', decided_at = created_at").await;
    pau.submit("open", &source).await;
    let full = pau.upload("/seasons/open/submit", "AIx.cc", source.as_bytes()).await;
    assert_eq!(full.status, StatusCode::INSUFFICIENT_STORAGE);
    assert!(full.has("all the space that one person has"), "{}", full.text);
    ana.submit("open", &source).await;
    court.set_up("UPDATE submissions SET stage = 'rejected', decided_at = created_at").await;
    court.set(|settings| {
        settings.quota.account_bytes = i64::MAX / 2;
        settings.quota.season_bytes = 2 * most;
    });
    let (mut pau, mut ana) = (court.visiting(&pau), court.visiting(&ana));
    pau.submit("open", &source).await;
    court.set_up("UPDATE submissions SET stage = 'rejected', decided_at = created_at").await;
    let full = ana.upload("/seasons/open/submit", "AIx.cc", source.as_bytes()).await;
    assert_eq!(full.status, StatusCode::INSUFFICIENT_STORAGE);
    assert!(full.has("tell your instructors"), "{}", full.text);
    assert_eq!(court.number("SELECT COUNT(*) FROM submissions").await, 4);
    let storage = court.visitor("laia", Role::Instructor).await.get("/storage").await;
    assert!(storage.has("The season open") && storage.has("pau"), "{}", storage.text);
    court.sums_are_right().await;
}

async fn what_is_under_way_counts_as_much_as_it_may_leave(mut court: Court) {
    let pau = court.visitor("pau", Role::Student).await;
    court.set(|settings| settings.quota.account_bytes = 3 * RESERVE + 100_000);
    let pau = court.visiting(&pau);
    let attempts: Vec<_> = (0..8)
        .map(|k| {
            let mut pau = pau.clone();
            tokio::spawn(async move {
                let source = doing(&format!("P{k}"), "");
                pau.upload("/seasons/open/submit", "AIx.cc", source.as_bytes()).await
            })
        })
        .collect();
    let mut taken = 0;
    for attempt in attempts {
        let answer = attempt.await.unwrap();
        match answer.status {
            StatusCode::SEE_OTHER => taken += 1,
            status => assert!(status == StatusCode::TOO_MANY_REQUESTS && answer.has("still waiting"), "{status}"),
        }
    }
    assert_eq!(taken, 4, "three that may leave as much as they can, and one more");
    court.set_up("UPDATE submissions SET stage = 'rejected', decided_at = created_at").await;
    pau.clone().submit("open", &doing("Later", "")).await;
    // Nobody who has nothing under way waits for anything.
    court.set(|settings| settings.quota.account_bytes = 100_000);
    court.set_up("UPDATE submissions SET stage = 'rejected', decided_at = created_at").await;
    court.visiting(&pau).submit("open", &doing("Alone", "")).await;
    assert_eq!(court.number("SELECT COUNT(*) FROM submissions").await, 6);
}

async fn losses_that_cannot_be_mended_keep_nobody_waiting(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.submit("open", &doing("Abort", "abort();")).await;
    court.work().await;
    let replay = court.text("SELECT replay FROM matches WHERE id = 1").await;
    std::fs::remove_file(court.file(&replay)).unwrap();
    pau.get("/matches/1/replay.ludus").await;
    // Found earlier, and of matches that are not there.
    for k in 0..130 {
        let note = "INSERT INTO losses (hash, kind, subject, state, note, found_at) VALUES ($1, 'replay', 999, 'found', '', $2)";
        let hash = format!("{k:064}");
        sqlx::query(note).bind(hash).bind(k).execute(court.site.database.write()).await.unwrap();
    }
    let caretaker = court.caretaker(Rule::default());
    let mut turns = 0;
    while !court.file(&replay).is_file() {
        let error = caretaker.turn(0).await.unwrap_err();
        assert!(error.to_string().contains("there is no match 999"), "{error:#}");
        turns += 1;
        assert!(turns < 10, "those that fail are always first");
    }
    assert_eq!(court.text("SELECT state FROM losses WHERE subject = 1").await, "restored");
    assert!(caretaker.turn(0).await.is_ok(), "each of the others waits for its next turn");
    let storage = court.visitor("laia", Role::Instructor).await.get("/storage").await;
    assert!(storage.has("not made again yet: there is no match 999"), "{}", storage.text);
}

async fn what_rejected_players_leave_is_thinned_and_nothing_else(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut pages = Vec::new();
    for name in ["First", "Second", "Third"] {
        pages.push(pau.submit("open", &doing(name, "cerr << \"last words\" << endl; abort();")).await);
    }
    pau.submit("open", &named(GOOD, "Winner")).await;
    court.work().await;
    let soon = Rule { newest: 1, grace: Duration::ZERO, ..Rule::default() };
    // Nothing is so old that the rule of every day touches it.
    court.caretaker(Rule::default()).turn(0).await.unwrap();
    assert_eq!(court.number("SELECT COUNT(*) FROM submissions WHERE thinned_at IS NOT NULL").await, 0);
    court.sums_are_right().await;
    court.set_up("UPDATE submissions SET decided_at = decided_at - 1").await;
    court.caretaker(Rule { grace: Duration::from_secs(3600), ..soon }).thin().await.unwrap();
    assert_eq!(court.number("SELECT COUNT(*) FROM leavings").await, 0, "what was decided within the grace stays");
    court.caretaker(soon).thin().await.unwrap();
    assert_eq!(
        court.texts("SELECT name FROM submissions WHERE thinned_at IS NOT NULL ORDER BY id").await,
        ["First", "Second"]
    );
    let given_up = court.texts("SELECT hash FROM leavings").await;
    assert_eq!(given_up.len(), 6, "two modules, two replays, and what they wrote");
    // Killed here, the next turn goes on.
    court.set_up("UPDATE leavings SET since = since - 1").await;
    court.caretaker(soon).sweep().await.unwrap();
    assert_eq!(court.number("SELECT COUNT(*) FROM leavings").await, 0);
    let left = given_up.iter().filter(|hash| court.file(hash).is_file()).count();
    assert_eq!(left, 0, "nothing else refers to them");
    for hash in court.texts("SELECT replay FROM matches WHERE thinned_at IS NULL").await {
        assert!(court.file(&hash).is_file());
    }
    assert_eq!(court.number("SELECT COUNT(*) FROM matches WHERE thinned_at IS NULL").await, 6);
    let thinned = pau.get("/matches/1").await;
    assert!(thinned.has("can no longer be watched") && thinned.has("CPU by round") && !thinned.has("iframe"));
    for file in ["scene.json", "replay.ludus", "output/0"] {
        assert_eq!(pau.get(&format!("/matches/1/{file}")).await.status, StatusCode::GONE, "{file}");
    }
    assert!(pau.get(&pages[0]).await.has("failed in round 0"), "results stay");
    assert_eq!(
        court.number("SELECT COUNT(*) FROM submissions WHERE thinned_at IS NOT NULL AND bytes = LENGTH(source)").await,
        2
    );
    court.sums_are_right().await;
    strays_are_removed(&court, soon).await;
}

/// What a crash left in the store, which nobody ever referred to.
async fn strays_are_removed(court: &Court, rule: Rule) {
    let stray = court.site.store.put(b"nobody refers to this").unwrap();
    let folder = u8::from_str_radix(&stray[..2], 16).unwrap();
    court.caretaker(rule).remove_strays(folder).await.unwrap();
    assert!(court.file(&stray).is_file(), "a job may be about to refer to it");
    let careless = court.caretaker(Rule { stray: Duration::ZERO, ..rule });
    for folder in 0..=u8::MAX {
        careless.remove_strays(folder).await.unwrap();
    }
    assert!(!court.file(&stray).exists());
    let used = "SELECT replay FROM matches WHERE thinned_at IS NULL UNION SELECT module FROM submissions
        WHERE thinned_at IS NULL";
    for hash in court.texts(used).await {
        assert!(court.file(&hash).is_file());
    }
}

async fn matches_of_before_get_their_cpu_counted(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.submit("open", &doing("Abort", "volatile int x = 0; while (++x < 1000) {} if (round() == 3) abort();")).await;
    court.work().await;
    let counted = pau.get("/matches/1").await.text;
    court.set_up("UPDATE matches SET cpu = NULL").await;
    let before = pau.get("/matches/1").await;
    assert!(before.status == StatusCode::OK && !before.has("CPU by round"));
    court.caretaker(Rule::default()).count_cpu().await.unwrap();
    assert_eq!(pau.get("/matches/1").await.text, counted);
    std::fs::write(court.file(&court.text("SELECT replay FROM matches WHERE id = 1").await), b"damaged").unwrap();
    court.set_up("UPDATE matches SET cpu = NULL").await;
    court.caretaker(Rule::default()).count_cpu().await.unwrap();
    assert_eq!(court.number("SELECT COUNT(*) FROM losses").await, 1, "and damage is found on the way");
}
