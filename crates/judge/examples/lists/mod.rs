//! A course with very many of everything, by few statements.

pub mod plans;

use anyhow::Result;
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, Dialect, Tx, now};
use ludus_judge::seasons::{self, Season};
use ludus_judge::secrets::Passwords;
use ludus_judge::texts::Language;

/// Every list, with each of its filters.
pub const PAGES: &[&str] = &[
    "/",
    "/seasons/season1",
    "/seasons/season1/players",
    "/seasons/season1/players?text=P99",
    "/seasons/season1/ladder",
    "/seasons/season1/ladder?page=5",
    "/seasons/season1/rounds",
    "/seasons/season1/train",
    "/matches",
    "/matches?season=season1",
    "/matches?purpose=official",
    "/matches?purpose=verification",
    "/matches?purpose=training",
    "/matches?purpose=ladder",
    "/matches?purpose=demonstration",
    "/matches?season=season1&purpose=training",
    "/matches?season=season1&purpose=ladder",
    "/matches?season=season1&purpose=verification",
    "/matches?player=P3000",
    "/matches?player=nobody",
    "/matches?player=dummy",
    "/matches?season=season1&purpose=ladder&player=P3000",
    "/matches?before=500000",
    "/matches/1000",
    "/submissions",
    "/submissions?season=season1",
    "/submissions?stage=accepted",
    "/submissions?stage=waiting",
    "/submissions?stage=retired",
    "/submissions?text=P99999",
    "/submissions?text=nobody",
    "/submissions?season=season1&stage=rejected&text=P9",
    "/submissions?before=50000",
    "/players/3000",
    "/players/30000",
    "/training",
    "/training/2",
    "/friends",
    "/account",
    "/status",
    "/news",
    "/desk",
    "/seasons/season1/desk",
    "/people",
    "/people?text=student+77",
    "/people/2",
    "/actions",
    "/actions?action=retire",
    "/workshop",
    "/storage",
];

pub const FOR_INSTRUCTORS: &[&str] = &[
    "/desk",
    "/seasons/season1/desk",
    "/people",
    "/people?text=student+77",
    "/people/2",
    "/actions",
    "/actions?action=retire",
    "/workshop",
    "/storage",
];

const STUDENTS: i64 = 1000;
/// Matches of a set of training.
const OF_SET: i64 = 50;

pub async fn is_empty(database: &Database) -> Result<bool> {
    Ok(sqlx::query("SELECT 1 FROM seasons").fetch_optional(database.read()).await?.is_none())
}

/// Of ten matches four are training, three verifications, two of the ladder and one
/// official; a third of the submissions is accepted, and of those a tenth public.
pub async fn fill(database: &Database, passwords: &Passwords, matches: i64, submissions: i64) -> Result<()> {
    // One of every game, so that whoever hands in an example finds a season for it;
    // the last ones are new and empty.
    for (k, game) in (1..).zip(ludus_games::GAMES) {
        let slug = format!("season{k}");
        let season = Season::of_game(game.about(), &slug, now() - 1_000_000_000, now() + 1_000_000_000);
        seasons::add(database, &season).await?;
    }
    let is_postgres = database.dialect() == Dialect::Postgres;
    let hash = passwords.hash("correct horse battery".to_owned()).await?;
    let mut tx = database.begin().await?;
    for k in 0..=STUDENTS {
        let (role, email) =
            if k == 0 { (Role::Instructor, "laia@x.edu".to_owned()) } else { (Role::Student, format!("s{k}@x.edu")) };
        let new = NewAccount { email, name: format!("Student {k}"), team: format!("G{}", k % 20), role };
        let id = accounts::add(&mut tx, &new, Language::English).await?;
        sqlx::query("UPDATE accounts SET password = $1 WHERE id = $2").bind(&hash).bind(id).execute(&mut *tx).await?;
    }
    for statement in statements(matches, submissions, if is_postgres { "BYTEA" } else { "BLOB" }) {
        run(&mut tx, statement).await?;
    }
    tx.commit().await?;
    if is_postgres {
        // As it does by itself after a while.
        sqlx::raw_sql("VACUUM ANALYZE").execute(database.write()).await?;
    }
    Ok(())
}

/// Adds a set of training whose matches nobody has played yet, with their jobs.
pub async fn add_waiting(database: &Database, matches: i64) -> Result<()> {
    let mut tx = database.begin().await?;
    let time = now();
    let set = "(SELECT MAX(id) FROM trainings)";
    let players = "(SELECT 0 AS place, 'Veteran' AS name UNION SELECT 1, 'Dummy' UNION SELECT 2, 'Demo' UNION SELECT 3, 'Veteran')";
    for statement in [
        format!(
            "INSERT INTO trainings (season_id, account_id, seating, seed, matches, created_at)
             VALUES (1, 2, 'fixed', 1, {matches}, {time})"
        ),
        format!(
            "INSERT INTO training_players (training_id, place, name) SELECT {set}, p.place, p.name FROM {players} p"
        ),
        format!(
            "INSERT INTO matches (season_id, purpose, training_id, seed, share, created_at) {}
             SELECT 1, 'training', {set}, k, 'waiting' || {set} || '-' || k, {time} FROM n",
            numbers(matches)
        ),
        format!(
            "INSERT INTO seats (match_id, seat, name) SELECT m.id, p.place, p.name FROM matches m CROSS JOIN {players} p
             WHERE m.training_id = {set}"
        ),
        format!(
            "INSERT INTO jobs (kind, subject, account_id, priority, batch, state, created_at)
             SELECT 'match', id, 2, 2, training_id, 'waiting', created_at FROM matches WHERE training_id = {set}"
        ),
    ] {
        run(&mut tx, statement).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn run(tx: &mut Tx, statement: String) -> Result<()> {
    let begun = std::time::Instant::now();
    let first: String = statement.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&mut **tx).await?;
    eprintln!("{first}: {:.1} s", begun.elapsed().as_secs_f64());
    Ok(())
}

fn numbers(most: i64) -> String {
    format!("WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < {most})")
}

fn statements(matches: i64, submissions: i64, blob: &str) -> Vec<String> {
    let time = now() - 2_000_000_000;
    let sets = matches * 4 / 10 / OF_SET + 1;
    vec![
        format!(
            "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, reason,
             detail, module, seed, created_at, decided_at, verdicts, bytes, public_at) {}
             SELECT 1 + k % 4, 2 + (k / 4) % {STUDENTS}, 'P' || k, 'p' || k, 'AIx.cc', 'cpp', CAST('a source' AS {blob}),
             CASE WHEN k % 3 = 0 THEN 'accepted' ELSE 'rejected' END, CASE WHEN k % 3 = 0 THEN NULL ELSE 'unknown' END,
             '', 'module' || k, 1, {time} + k * 10, {time} + k * 10 + 5, 1, 1000,
             CASE WHEN k % 30 = 0 THEN {time} END FROM n",
            numbers(submissions)
        ),
        "INSERT INTO kept (account_id, season_id, submissions, thinned, bytes) SELECT account_id, season_id, COUNT(*),
         COUNT(thinned_at), SUM(bytes) FROM submissions GROUP BY account_id, season_id".to_owned(),
        format!(
            "INSERT INTO trainings (season_id, account_id, seating, seed, matches, created_at) {}
             SELECT 1 + k % 4, 2 + k % {STUDENTS}, 'turning', k, {OF_SET}, {time} + k * 100 FROM n",
            numbers(sets)
        ),
        format!(
            "INSERT INTO training_players (training_id, place, name, submission_id)
             SELECT t.id, p.place, 'P' || (3 * (1 + (t.id * 7 + p.place * 13) % {third})), 3 * (1 + (t.id * 7 + p.place * 13) % {third})
             FROM trainings t CROSS JOIN (SELECT 0 AS place UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) p",
            third = submissions / 3
        ),
        format!(
            "INSERT INTO matches (season_id, purpose, submission_id, step, training_id, seed, played, rounds, replay, share,
             created_at, played_at, cpu) {}
             SELECT CASE WHEN k % 10 BETWEEN 4 AND 6 THEN 1 + (1 + ((k / 10) * 3 + k % 10 - 4) / 5) % 4 ELSE 1 + (k / 10) % 4 END,
             CASE WHEN k % 10 < 4 THEN 'training' WHEN k % 10 < 7 THEN 'verification' WHEN k % 10 < 9 THEN 'ladder' ELSE 'official' END,
             CASE WHEN k % 10 BETWEEN 4 AND 6 THEN 1 + ((k / 10) * 3 + k % 10 - 4) / 5 END,
             CASE WHEN k % 10 BETWEEN 4 AND 6 THEN ((k / 10) * 3 + k % 10 - 4) % 5 END,
             CASE WHEN k % 10 < 4 THEN 1 + ((k / 10) * 4 + k % 10) / {OF_SET} END,
             k, 1, 250, 'replay' || k, 'share' || k, {time} + k, {time} + k, CAST('cpu of a match' AS {blob}) FROM n",
            numbers(matches)
        ),
        format!(
            "INSERT INTO seats (match_id, seat, name, submission_id, score, rank, cpu)
             SELECT m.id, p.seat, CASE WHEN m.submission_id IS NULL THEN 'P' || (3 * (1 + (COALESCE(m.training_id, m.id) * 7 + p.seat * 13) % {third}))
             WHEN p.seat = 0 THEN 'P' || m.submission_id ELSE 'Dummy' END,
             CASE WHEN m.submission_id IS NULL THEN 3 * (1 + (COALESCE(m.training_id, m.id) * 7 + p.seat * 13) % {third})
             WHEN p.seat = 0 THEN m.submission_id END, 100 - p.seat, 1 + p.seat, 1000 FROM matches m
             CROSS JOIN (SELECT 0 AS seat UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) p",
            third = submissions / 3
        ),
        "INSERT INTO jobs (kind, subject, account_id, priority, batch, state, created_at, finished_at)
         SELECT 'match', id, 2, 1, id, 'done', created_at, created_at FROM matches".to_owned(),
        "INSERT INTO jobs (kind, subject, account_id, priority, batch, state, created_at, finished_at)
         SELECT 'compile', id, account_id, 1, id, 'done', created_at, created_at FROM submissions".to_owned(),
        format!(
            "INSERT INTO actions (created_at, actor_id, action, account_id, submission_id, detail, reason) {}
             SELECT {time} + k, 1, 'retire', 2 + k % {STUDENTS}, k, '', 'a reason' FROM n",
            numbers(submissions)
        ),
        format!(
            "INSERT INTO sketches (submission_id, account_id, game, author, sketch)
             SELECT id, account_id, 'no game', CAST(account_id AS TEXT), CAST('a sketch' AS {blob}) FROM submissions
             WHERE stage = 'accepted'"
        ),
        format!(
            "INSERT INTO likenesses (season_id, author_a, author_b, account_a, account_b, sketch_a, sketch_b, similarity,
             share_a, share_b, longest, is_across, evidence, state, found_at)
             WITH authors AS (SELECT account_id, MIN(id) AS sketch FROM sketches GROUP BY account_id)
             SELECT 1, CAST(a.account_id AS TEXT), CAST(b.account_id AS TEXT), a.account_id, b.account_id, a.sketch, b.sketch,
             300000, 300000, 300000, 10, 0, '', CASE WHEN a.account_id % 100 = 0 THEN 'new' ELSE 'dismissed' END, {time}
             FROM authors a JOIN authors b ON b.account_id > a.account_id AND b.account_id <= a.account_id + 20"
        ),
        // A season's official rounds that nobody looks at.
        format!(
            "INSERT INTO rounds (season_id, number, state, commitment, seed, cancelled_reason, committed_at) {}
             SELECT 5, k, 'cancelled', '', '', 'a reason', {time} FROM n",
            numbers(20)
        ),
        "INSERT INTO round_matches (round_id, stage, place, match_id, job_match_id)
         SELECT r.id, 1, m.id, m.id, m.id FROM matches m JOIN rounds r ON r.number = 1 + m.id % 200 / 10
         WHERE m.purpose = 'official'".to_owned(),
        "INSERT INTO ladders (season_id, played, match_us) SELECT id, 50000, 1000 FROM seasons".to_owned(),
        "INSERT INTO contenders (season_id, submission_id, account_id, name, mean, deviation, strength, seat0, seat1, seat2,
         seat3, wins, joined_at) SELECT season_id, id, account_id, name, 25000000 + id, 1400000, 22200000 + id, 25, 25, 25, 25,
         30, created_at FROM submissions WHERE public_at IS NOT NULL".to_owned(),
        format!(
            "INSERT INTO rating_points (contender_id, played, mean, deviation, created_at) {}
             SELECT c.id, n.k, c.mean - n.k * 1000, 8000000 - n.k * 60000, c.joined_at + n.k * 1000 FROM contenders c CROSS JOIN n",
            numbers(100)
        ),
        "INSERT INTO ladder_replays (submission_id, match_id) SELECT DISTINCT s.submission_id, s.match_id FROM seats s JOIN matches m
         ON m.id = s.match_id WHERE m.purpose = 'ladder' AND m.id > (SELECT MAX(id) FROM matches) - 40000".to_owned(),
    ]
}
