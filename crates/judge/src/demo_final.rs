//! The finished season of the demonstration course, and its final to present.
//!
//! Everybody in it plays the strongest example, which is compiled for the course
//! anyway. All rounds are really played, by the workers, in the background; each
//! step looks at what is there, so that a restart goes on where it was.

use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::accounts::{self, NewAccount, Role};
use crate::database::{Columns as _, now};
use crate::official::finals::{self, Sent};
use crate::official::rounds::{self, State};
use crate::official::{entrants, standing};
use crate::seasons::{self, Season};
use crate::texts::Language;
use crate::web::Site;
use crate::{log, storage};

const DAY: i64 = 86_400_000;
/// The season that is open, whose example everybody plays.
const OPEN: &str = "dominator";
const SLUG: &str = "dominator-spring";
const FINAL: &str = "dominator-final";
const TEAM: &str = "Spring";
/// So many come to the final.
const FINALISTS: usize = 5;
const PLAYERS: [(&str, &str); 8] = [
    ("Marc Oliva", "Mestral"),
    ("Núria Camps", "Nautilus"),
    ("Oriol Bou", "Onada"),
    ("Paula Reig", "Pedraforca"),
    ("Quim Soldevila", "Quimera"),
    ("Rosa Valls", "Ratafia"),
    ("Sergi Nadal", "Sirocco"),
    ("Txell Grau", "Tramuntana"),
];

/// Plays the season and its final, one step after the other.
pub async fn run(site: Site) {
    loop {
        match step(&site).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => log::error(&format!("the final of the demonstration: {error:#}")),
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Does what is next. True when there is a final that is played or will be.
async fn step(site: &Site) -> Result<bool> {
    if finals::find(site.database.read(), FINAL).await?.is_some() {
        return Ok(true);
    }
    let Some(season) = seasons::find(&site.database, SLUG).await? else {
        make(site).await?;
        return Ok(false);
    };
    let course = standing::find(&site.database, season.id).await?;
    if course.authors() == 0 {
        return Ok(false);
    }
    if course.left().len() > FINALISTS {
        let round = rounds::under_way(site.database.read(), season.id).await?;
        if let Some(round) = round.filter(|round| round.state == State::Committed) {
            site.director().start(&season, &round).await?;
        }
        return Ok(false);
    }
    let mut tx = site.database.begin().await?;
    let sent = [Sent { season, finalists: FINALISTS }];
    let made = finals::make(&mut tx, FINAL, "Dominator: the grand final", &sent).await?;
    let made = made.map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?;
    finals::start(&mut tx, &site.queue, made.id).await?;
    tx.commit().await?;
    site.queue.announce();
    Ok(true)
}

/// Makes the season with its players, once the example is compiled. Its deadline
/// is moved to the past only when everybody is there, because the list of those
/// who take part is made then.
async fn make(site: &Site) -> Result<()> {
    let Some(open) = seasons::find(&site.database, OPEN).await? else { return Ok(()) };
    let example = sqlx::query(
        "SELECT file_name, language, source, module FROM submissions
         WHERE season_id = $1 AND module IS NOT NULL ORDER BY id LIMIT 1",
    );
    let Some(example) = example.bind(open.id).fetch_optional(site.database.read()).await? else { return Ok(()) };
    let past = Season {
        slug: SLUG.to_owned(),
        title: "Dominator, spring".to_owned(),
        opens_at: now() - 60 * DAY,
        deadline_at: now() - 30 * DAY,
        closes_at: now() - 20 * DAY,
        official_at: now() - 29 * DAY,
        ..open
    };
    let coming = Season { deadline_at: now() + DAY, closes_at: now() + DAY, official_at: now() + DAY, ..past.clone() };
    seasons::add(&site.database, &coming).await?;
    let season = seasons::find(&site.database, SLUG).await?.context("the season was not made")?;
    let mut tx = site.database.begin().await?;
    entrants::set_groups(&mut tx, season.id, &[TEAM.to_owned()]).await?;
    for (student, player) in PLAYERS {
        let email = format!("{}@example.edu", player.to_lowercase());
        let new = NewAccount { email, name: student.to_owned(), team: TEAM.to_owned(), role: Role::Student };
        let account = accounts::add(&mut tx, &new, Language::Catalan).await?;
        sqlx::query(
            "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, module,
             seed, created_at, decided_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'accepted', $8, 1, $9, $9)",
        )
        .bind(season.id)
        .bind(account)
        .bind(player)
        .bind(player.to_lowercase())
        .bind(example.text("file_name")?)
        .bind(example.text("language")?)
        .bind(example.bytes("source")?)
        .bind(example.text("module")?)
        .bind(past.deadline_at - DAY)
        .execute(&mut *tx)
        .await?;
        storage::count_new(&mut tx, account, season.id, 0).await?;
    }
    tx.commit().await?;
    seasons::update(&site.database, &Season { id: season.id, ..past }).await
}
