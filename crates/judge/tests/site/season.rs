//! A whole season of compiled players of graded strength, once undisturbed and
//! once with the server killed at random moments: the same round files, to the
//! byte. Strength and survival go together.
//!
//! `LUDUS_STUDENTS` and `LUDUS_KILLS` make it longer; `scripts/season-trial` does.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ludus_arena::season::file::RoundFile;
use ludus_arena::season::{Hash, RoundSeed};
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::course;
use ludus_judge::database::{Database, now};
use ludus_judge::official::{proof, rounds, standing};
use ludus_judge::seasons::{self, Season};
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_sandbox::build::{Builder, Language as SourceLanguage};
use sqlx::Row as _;
use tempfile::TempDir;

use crate::kill::setting;
use crate::server::{Server, cache, free_port, share_cache, working};

const EXAMPLE: &str = include_str!("../../../../content/ants/players/AIForager.cc");
const MARK: &str = "STRENGTH:000";

/// The example, which plays so many of a hundred rounds as a text in it says.
/// So one compilation makes players of every strength.
fn player() -> Vec<u8> {
    let own = "  volatile const char* strength = \"STRENGTH:000\";\n  virtual void play () {\n    int often = 0;\n    \
        for (int k = 9; k < 12; ++k) often = 10 * often + (strength[k] - '0');\n    \
        if (random(0, 99) < often) play_well();\n  }\n\n  void play_well()";
    assert_eq!(EXAMPLE.matches("virtual void play ()").count(), 1);
    let source = EXAMPLE.replace("virtual void play ()", own.trim_start());
    Builder::jailed(cache()).unwrap().build("ants", SourceLanguage::Cpp, source.as_bytes()).unwrap()
}

fn of_strength(player: &[u8], strength: usize) -> Vec<u8> {
    let at = player.windows(MARK.len()).position(|bytes| bytes == MARK.as_bytes()).unwrap();
    let mut module = player.to_vec();
    module[at + 9..at + 12].copy_from_slice(format!("{strength:03}").as_bytes());
    module
}

struct Trial {
    folder: TempDir,
    database: Database,
    season: Season,
    port: u16,
    chance: u64,
}

impl Trial {
    async fn new(player: &[u8], students: usize) -> Trial {
        let folder = crate::harness::folder();
        share_cache(folder.path());
        std::fs::write(folder.path().join("course.key"), "11".repeat(32)).unwrap();
        let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
        let database = Database::open(&url).await.unwrap();
        course::ensure(&database, "Trial").await.unwrap();
        seasons::add(&database, &season()).await.unwrap();
        let season = seasons::find(&database, "trial").await.unwrap().unwrap();
        let store = Store::open(folder.path().join("store").to_str().unwrap()).unwrap();
        for k in 0..students {
            let module = of_strength(player, 10 + 90 * k / students.max(2).saturating_sub(1).max(1));
            // The end of a module may say anything; no two are the same.
            let module = [&module[..], &custom_section(&format!("student {k}"))].concat();
            add_student(&database, &season, k, &store.put(&module).unwrap()).await;
        }
        Trial { folder, database, season, port: free_port(), chance: 2026 }
    }

    fn start(&self) -> Server {
        Server(working(self.folder.path(), self.port).spawn().unwrap())
    }

    /// Small numbers without a pattern, the same in every run.
    fn random(&mut self, below: u64) -> u64 {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % below
    }

    /// Plays the season to its champion, and gives all round files and the order
    /// in which authors left. The kills are spread over all its rounds.
    async fn run(mut self, students: usize, kills: usize) -> (Vec<Vec<u8>>, Vec<u32>) {
        let mut server = self.start();
        let deadline = Instant::now() + Duration::from_secs(6 * 3600);
        // No round starts before it was seen here, so that none of these is missed.
        let rounds = students as u64 - 2;
        let mut plan: VecDeque<(i64, Duration)> = (0..kills as u64)
            .map(|k| {
                let (first, next) = (rounds * k / kills as u64, rounds * (k + 1) / kills as u64);
                let round = 1 + first + self.random((next - first).max(1));
                (round as i64, Duration::from_millis(self.random(2000)))
            })
            .collect();
        let (mut at, mut since) = (0, Instant::now());
        while !self.is_over().await {
            assert!(Instant::now() < deadline, "the season does not end");
            let round = self.let_start().await;
            if round > at {
                (at, since) = (round, Instant::now());
            }
            if plan.front().is_some_and(|(round, moment)| at > *round || at == *round && since.elapsed() >= *moment) {
                plan.pop_front();
                drop(server);
                server = self.start();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        drop(server);
        assert!(plan.is_empty(), "{} of {kills} kills did not come", plan.len());
        println!("{kills} kills");
        self.result().await
    }

    /// Gives the round that is prepared the seed of its number, and lets it start.
    /// The number of the round that is under way, if one is.
    async fn let_start(&self) -> i64 {
        let Some(round) = rounds::under_way(self.database.read(), self.season.id).await.unwrap() else { return 0 };
        let seed = Hash::of(&round.number.to_le_bytes());
        sqlx::query(
            "UPDATE rounds SET seed = $1, commitment = $2, starts_at = 1, committed_at = 1
             WHERE id = $3 AND state = 'committed' AND starts_at IS NULL",
        )
        .bind(seed.to_string())
        .bind(RoundSeed::new(seed.0).commitment().to_string())
        .bind(round.id)
        .execute(self.database.write())
        .await
        .unwrap();
        round.number
    }

    async fn is_over(&self) -> bool {
        let course = standing::find(&self.database, self.season.id).await.unwrap();
        course.authors() > 1 && course.left().len() == 1
    }

    async fn result(self) -> (Vec<Vec<u8>>, Vec<u32>) {
        let key = proof::course_key(self.folder.path()).unwrap();
        let store = Store::open(self.folder.path().join("store").to_str().unwrap()).unwrap();
        let mut files = Vec::new();
        for round in rounds::of_season(self.database.read(), self.season.id).await.unwrap() {
            let whole = rounds::whole(&self.database, round).await.unwrap().unwrap();
            let file = proof::round_file(&store, &key, &self.season, &whole, false).unwrap().unwrap();
            RoundFile::read(&file).unwrap().check().unwrap();
            files.push(file);
        }
        let course = standing::find(&self.database, self.season.id).await.unwrap();
        let gone = course.gone().iter().map(|one| one.author().0);
        let order = gone.chain(course.left().map(|author| author.0)).collect();
        let check = sqlx::query("PRAGMA integrity_check").fetch_one(self.database.read()).await.unwrap();
        assert_eq!(check.try_get::<String, _>(0).unwrap(), "ok");
        (files, order)
    }
}

/// A section that players do not have, which changes the hash and nothing else.
fn custom_section(text: &str) -> Vec<u8> {
    let mut section = vec![0, (text.len() + 1) as u8, text.len() as u8];
    section.extend_from_slice(text.as_bytes());
    section
}

fn season() -> Season {
    const DAY: i64 = 86_400_000;
    let about = ludus_games::find("ants").unwrap().about();
    let of_game = Season::of_game(about, "trial", now() - 20 * DAY, now() - DAY);
    Season { title: "Trial".to_owned(), closes_at: now() + DAY, official_at: now() - DAY, ..of_game }
}

async fn add_student(database: &Database, season: &Season, k: usize, module: &str) {
    let (name, email) = (format!("Student {k}"), format!("s{k}@x.edu"));
    let new = NewAccount { email, name, team: String::new(), role: Role::Student };
    let mut tx = database.begin().await.unwrap();
    let id = accounts::add(&mut tx, &new, Language::English).await.unwrap();
    sqlx::query(
        "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, module,
         seed, created_at, decided_at) VALUES ($1, $2, $3, $4, 'AIx.cc', 'cpp', $5, 'accepted', $6, 1, $7, $7)",
    )
    .bind(season.id)
    .bind(id)
    .bind(format!("Player{k}"))
    .bind(format!("player{k}"))
    .bind(b"the same for all".to_vec())
    .bind(module)
    .bind(season.deadline_at - 1000)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// The rank correlation of two orders of the same things, given as the place of
/// each author; strength follows the numbers of authors.
fn spearman(order: &[u32]) -> f64 {
    let n = order.len() as f64;
    let square = |(place, author): (usize, &u32)| (place as f64 + 1.0 - f64::from(*author)).powi(2);
    1.0 - 6.0 * order.iter().enumerate().map(square).sum::<f64>() / (n * (n * n - 1.0))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_season_is_the_same_however_often_the_server_dies() {
    let (students, kills) = (setting("LUDUS_STUDENTS", 5), setting("LUDUS_KILLS", 2));
    let player = player();
    let begun = Instant::now();
    let (undisturbed, order) = Trial::new(&player, students).await.run(students, 0).await;
    println!("{} rounds in {:.1} s", undisturbed.len(), begun.elapsed().as_secs_f64());
    let (disturbed, same) = Trial::new(&player, students).await.run(students, kills).await;
    assert_eq!(order, same);
    assert_eq!(undisturbed.len(), students - 1);
    for (number, (one, other)) in undisturbed.iter().zip(&disturbed).enumerate() {
        assert!(one == other, "round {} differs", number + 1);
    }
    let correlation = spearman(&order);
    println!("Spearman of strength and survival: {correlation:.3}");
    if students >= 100 {
        assert!(correlation >= 0.8);
    }
}
