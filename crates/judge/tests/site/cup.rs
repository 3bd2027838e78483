//! A season with students whose players pretend to be modules, and a machine
//! that plays real matches between them.

use anyhow::{Result, anyhow, bail};
use ludus_arena::replay::Recorder;
use ludus_arena::season::Hash;
use ludus_arena::{Allowance, Entrant, Fault, Halt, Match, Player, Program, Turn, barred, builtin};
use ludus_games::game::BuiltinPlayer;
use ludus_games::{Game, Orders, PerSeat, Seat, Status};
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, now};
use ludus_judge::ids::{AccountId, SeasonId, SubmissionId};
use ludus_judge::jobs::{Environment, Machines};
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::matches::{Played, SeatFault, SeatResult};
use ludus_judge::official::{progress, rounds, standing};
use ludus_judge::seasons::{self, Season};
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_judge::trouble::Trouble;
use ludus_judge::{storage, worker};
use ludus_sandbox::build::Language as SourceLanguage;
use sqlx::Row as _;
use std::sync::Arc;

use crate::harness::Court;

const DAY: i64 = 86_400_000;

/// Plays matches between modules that say in plain words how they play.
pub struct Actors {
    pub store: Store,
}

/// A module: how often in a hundred rounds it plays like a strong player. One
/// that is broken makes the machine fail.
pub fn module(name: &str, strength: u32) -> Vec<u8> {
    format!("strength {strength} of {name}").into_bytes()
}

pub fn broken_module(name: &str) -> Vec<u8> {
    format!("broken {name}").into_bytes()
}

struct Actor {
    module: Hash,
    allowance: Allowance,
    strength: u64,
    seed: u64,
    model: Box<dyn BuiltinPlayer>,
    fuel: u64,
}

impl Player for Actor {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.fuel += 1000;
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (self.seed >> 33) % 100 < self.strength {
            self.model.play(turn.state, orders);
        }
        Ok(())
    }

    fn status(&self) -> Status {
        self.program().status(self.fuel)
    }

    fn fuel(&self) -> u64 {
        self.fuel
    }

    fn program(&self) -> Program {
        Program::Module { hash: self.module.0, allowance: self.allowance }
    }
}

impl Actors {
    /// The player in a seat, as it would be asked.
    pub fn enter(&self, season: &Season, seed: i32, seat: Seat, seated: &Seated) -> Result<Box<dyn Player>> {
        let game = season.rules_of_game()?;
        let named = |name: &str| game.about().players.iter().find(|player| player.name == name);
        let Some(hash) = &seated.module else {
            return Ok(builtin(named(&seated.name).ok_or_else(|| anyhow!("no {}", seated.name))?, seed, seat));
        };
        let text = String::from_utf8(self.store.get(hash)?)?;
        let strength = match text.strip_prefix("strength ").and_then(|text| text.split(' ').next()) {
            Some(strength) => strength,
            // A source that was handed in is its own module.
            None if text.contains("PLAYER_NAME") => "100",
            None => bail!("the machine cannot play {text}"),
        };
        let module: Hash = hash.parse()?;
        Ok(Box::new(Actor {
            module,
            allowance: season.limits().allowance(),
            strength: strength.parse()?,
            seed: seed as u64 ^ u64::from_le_bytes(module.0[..8].try_into()?),
            model: (named("Veteran").ok_or_else(|| anyhow!("no Veteran"))?.new)(seed, seat),
            fuel: 0,
        }))
    }
}

impl Machines for Actors {
    fn warm_up(&self, _: &dyn Game, _: SourceLanguage) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: SourceLanguage, source: &[u8]) -> Result<Compiled> {
        Ok(Compiled::Module { hash: self.store.put(source)?, bytes: source.len() })
    }

    fn play(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let game = season.rules_of_game()?;
        let seed = i32::try_from(seed)?;
        let mut entrants = Vec::new();
        for (seat, seated) in Seat::ALL.into_iter().zip(players) {
            let player = self.enter(season, seed, seat, seated)?;
            let player = match seated.barred_from {
                Some(round) => barred(player, round),
                None => player,
            };
            entrants.push(Entrant { name: seated.name.clone(), player });
        }
        let entrants: PerSeat<Entrant> = entrants.try_into().map_err(|_| anyhow!("four seats"))?;
        let config = season.read_config()?;
        let mut played = Match::new(&*config, seed, entrants).map_err(|error| anyhow!("{error}"))?.judged();
        let mut recorder = Recorder::new(game, season.config.as_bytes(), &played);
        played.run::<Halt>(&mut [&mut recorder])?;
        let outcome = played.outcome();
        let replay = recorder.finish(&played);
        let seats = outcome.seats.iter().enumerate().map(|(seat, result)| SeatResult {
            seat: Seat::ALL[seat],
            name: players[seat].name.clone(),
            submission: None,
            author: None,
            score: Some(result.score),
            rank: Some(result.rank as i64),
            cpu: Some(1),
            fault: result.fault.as_ref().map(|(round, fault)| (i64::from(*round), SeatFault::of(fault))),
            output: None,
        });
        let (seats, bytes) = (seats.collect(), replay.len());
        Ok(Played {
            rounds: outcome.rounds,
            replay: self.store.put(&replay)?,
            small_replay: None,
            seats,
            cpu: Vec::new(),
            bytes,
        })
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

/// The season `cup`, whose deadline has passed.
pub struct Cup {
    pub court: Court,
    pub season: Season,
}

impl Cup {
    /// With so many students, the first one the weakest, each with a player.
    pub async fn new(court: Court, students: u32) -> Cup {
        let season = add_season(&court.site.database, "cup").await;
        let cup = Cup { court, season };
        for k in 1..=students {
            let account = cup.student(&format!("student{k}"), "G1").await;
            cup.player(account, &format!("Player{k}"), &module(&format!("Player{k}"), 100 * k / students)).await;
        }
        cup
    }

    pub async fn student(&self, name: &str, team: &str) -> AccountId {
        let new = NewAccount {
            email: format!("{name}@x.edu"),
            name: format!("Name of {name}"),
            team: team.to_owned(),
            role: Role::Student,
        };
        let mut tx = self.database().begin().await.unwrap();
        let id = accounts::add(&mut tx, &new, Language::English).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// An accepted player of somebody, handed in before the deadline.
    pub async fn player(&self, account: AccountId, name: &str, module: &[u8]) -> SubmissionId {
        let created = self.season.deadline_at - 1000;
        add_player(self.database(), &self.court.site.store, (self.season.id, account), name, module, created).await
    }

    pub fn database(&self) -> &Database {
        &self.court.site.database
    }

    pub fn environment(&self) -> Environment {
        Environment {
            database: self.database().clone(),
            queue: self.court.site.queue.clone(),
            machines: Arc::new(Actors { store: self.court.site.store.clone() }),
            quarantine: None,
        }
    }

    pub async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query(sql).fetch_one(self.database().read()).await.unwrap().try_get(0).unwrap()
    }

    pub async fn run(&self, sql: &'static str) {
        sqlx::query(sql).execute(self.database().write()).await.unwrap();
    }

    /// Lets the director do what is due now.
    pub async fn direct(&self) {
        self.court.site.director().turn(now()).await.unwrap();
    }

    /// The round that is prepared or being played.
    pub async fn round(&self) -> Option<rounds::Round> {
        rounds::under_way(self.database().read(), self.season.id).await.unwrap()
    }

    /// Prepares a round with a seed of its own choice and starts it.
    pub async fn start_with(&self, seed: Option<[u8; 32]>) -> rounds::Round {
        self.direct().await;
        let round = self.round().await.expect("a round is prepared");
        if let Some(seed) = seed {
            let commitment = ludus_arena::season::RoundSeed::new(seed).commitment().to_string();
            sqlx::query("UPDATE rounds SET seed = $1, commitment = $2 WHERE id = $3")
                .bind(Hash(seed).to_string())
                .bind(commitment)
                .bind(round.id)
                .execute(self.database().write())
                .await
                .unwrap();
        }
        let started = self.court.site.director().start(&self.season, &round).await.unwrap();
        assert_eq!(started, progress::Start::Begun);
        rounds::by_id(self.database().read(), round.id).await.unwrap()
    }

    pub async fn start(&self) -> rounds::Round {
        self.start_with(None).await
    }

    pub async fn work(&self) {
        worker::until_idle(&self.environment()).await;
    }

    /// Plays a round to its end.
    pub async fn play(&self) -> rounds::Round {
        let round = self.start().await;
        self.work().await;
        rounds::by_id(self.database().read(), round.id).await.unwrap()
    }

    /// The numbers of those who are in.
    pub async fn left(&self) -> Vec<u32> {
        let standing = standing::find(self.database(), self.season.id).await.unwrap();
        standing.left().map(|author| author.0).collect()
    }
}

pub async fn add_season(database: &Database, slug: &str) -> Season {
    let about = ludus_games::find("ants").unwrap().about();
    let (title, closes_at, official_at) = (format!("The season {slug}"), now() + 20 * DAY, now() - DAY / 2);
    let of_game = Season::of_game(about, slug, now() - 20 * DAY, now() - DAY);
    let season = Season { title, closes_at, official_at, ..of_game };
    assert!(seasons::add(database, &season).await.unwrap());
    seasons::find(database, slug).await.unwrap().unwrap()
}

pub async fn add_player(
    database: &Database,
    store: &Store,
    (season, account): (SeasonId, AccountId),
    name: &str,
    module: &[u8],
    created_at: i64,
) -> SubmissionId {
    let mut tx = database.begin().await.unwrap();
    let row = sqlx::query(
        "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, module,
         seed, created_at, decided_at) VALUES ($1, $2, $3, $4, 'AIx.cc', 'cpp', $5, 'accepted', $6, 1, $7, $7)
         RETURNING id",
    )
    .bind(season)
    .bind(account)
    .bind(name)
    .bind(name.to_lowercase())
    .bind(module)
    .bind(store.put(module).unwrap())
    .bind(created_at)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    storage::count_new(&mut tx, account, season, 0).await.unwrap();
    tx.commit().await.unwrap();
    row.try_get(0).unwrap()
}
