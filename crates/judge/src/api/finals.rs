//! Finals, as far as they are revealed.

use axum::extract::{Path, State};
use ludus_arena::season::Kind;
use ludus_games::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use super::call::{Ask, Done, File, Json};
use super::lists::{ListPart, Moment};
use crate::official::finals::{self, Final as Stored, State as Phase};
use crate::official::show::{Consequence, Show, Shown};
use crate::pages::finals as page;
use crate::pages::rounds::sees_names;

/// A final.
#[derive(Serialize, JsonSchema)]
pub struct Final {
    slug: String,
    title: String,
    state: &'static str,
    /// What its seed was committed to with.
    commitment: String,
    /// The digest of its results, once it is played.
    digest: Option<String>,
    /// The seed, once it is revealed.
    seed: Option<String>,
    revealed_steps: i64,
    revealed_at: Option<Moment>,
}

impl From<&Stored> for Final {
    fn from(one: &Stored) -> Final {
        Final {
            slug: one.slug.clone(),
            title: one.title.clone(),
            state: one.state.word(),
            commitment: one.commitment.to_string(),
            digest: one.digest.map(|digest| digest.to_string()),
            seed: one.revealed_seed().map(|seed| seed.to_string()),
            revealed_steps: one.revealed_steps,
            revealed_at: one.revealed_at.map(Moment),
        }
    }
}

pub async fn list(ask: Ask) -> Done<Json<ListPart<Final>>> {
    let all = finals::list(&ask.site.database).await?;
    let seen = all.iter().filter(|one| one.state != Phase::Cancelled || ask.visitor.is_instructor());
    Ok(Json(ListPart::whole(seen.map(Final::from).collect())))
}

/// A final and what is revealed of it.
#[derive(Serialize, JsonSchema)]
pub struct Revealed {
    #[serde(rename = "final")]
    of: Final,
    finalists: Vec<Finalist>,
    /// The rounds that have begun, the first one first.
    rounds: Vec<Round>,
    champion: Option<Finalist>,
}

/// Somebody in a final.
#[derive(Serialize, JsonSchema)]
pub struct Finalist {
    number: u32,
    /// The player, once the final has begun.
    player: Option<String>,
    student: Option<String>,
}

/// A round of a final.
#[derive(Serialize, JsonSchema)]
pub struct Round {
    number: u32,
    matches: Vec<Match>,
    /// The number of whoever is out, once it is revealed.
    out: Option<u32>,
    seed: Option<String>,
}

/// A match that is announced.
#[derive(Serialize, JsonSchema)]
pub struct Match {
    stage: u32,
    group: u32,
    /// `saving` or `deciding`.
    kind: &'static str,
    /// Whether everybody knows what came of it.
    is_revealed: bool,
    /// With what anybody can watch it then.
    share: Option<String>,
    seats: Vec<Place>,
}

/// Somebody in a match.
#[derive(Serialize, JsonSchema)]
pub struct Place {
    /// Null for a reserve player.
    number: Option<u32>,
    score: Option<i64>,
    /// `saved`, `danger`, `out`, `reserve`.
    consequence: Option<&'static str>,
}

pub async fn show(ask: Ask<String>) -> Done<Json<Revealed>> {
    let found = page::the_final(&ask.site, &ask.path).await?;
    let names = sees_names(&ask.site, &ask.visitor).await?;
    let listed = finals::finalists(ask.site.database.read(), found.id).await?;
    // Instructors too see by calls what everybody sees.
    let shown = Show::find(&ask.site.database, found, false).await?;
    let finalists = listed.iter().map(|one| Finalist {
        number: one.author.0,
        player: shown.player(one.author).map(|player| player.name.clone()),
        student: names.then(|| one.student.clone()),
    });
    let champion = shown.champion().map(|one| Finalist {
        number: one.author.0,
        player: Some(one.name.clone()),
        student: names.then(|| one.student.clone()),
    });
    let mut begun: Vec<u32> = shown.begun().collect();
    begun.reverse();
    let rounds = begun.into_iter().map(|number| Round {
        number,
        matches: shown.announced(number).iter().map(announced).collect(),
        out: shown.out(number).map(|out| out.author.0),
        seed: shown.seed(number).map(|seed| seed.to_string()),
    });
    Ok(Json(Revealed {
        of: Final::from(&shown.of),
        finalists: finalists.collect(),
        rounds: rounds.collect(),
        champion,
    }))
}

fn announced(one: &Shown) -> Match {
    let place = |seat| Place {
        number: one.author(seat).map(|author| author.0),
        score: one.score(seat),
        consequence: one.consequence(seat).map(|consequence| match consequence {
            Consequence::Saved => "saved",
            Consequence::InDanger => "danger",
            Consequence::Out => "out",
            Consequence::Reserve => "reserve",
        }),
    };
    Match {
        stage: one.place().stage(),
        group: one.place().group(),
        kind: match one.kind {
            Kind::Saving => "saving",
            Kind::Deciding => "deciding",
        },
        is_revealed: one.is_revealed,
        share: one.share.map(ToOwned::to_owned),
        seats: Seat::ALL.map(place).into(),
    }
}

pub async fn file(ask: Ask<(String, String)>) -> Done<File> {
    Ok(File(page::file(State(ask.site), ask.visitor, Path(ask.path)).await?))
}
