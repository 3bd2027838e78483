//! The demonstration course: a season of every game, some people, some matches,
//! and a season whose official rounds begin soon after the first start.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::{Context, Result};
use ludus_games::{GAMES, Game};
use ludus_sandbox::build::Language as SourceLanguage;

use crate::accounts::{self, NewAccount, Role};
use crate::database::now;
use crate::ids::AccountId;
use crate::jobs::Play;
use crate::matches::{self, Place, Planned, Purpose};
use crate::official::entrants;
use crate::official::rounds::{self, State};
use crate::official::schedule::{self, Schedule};
use crate::queue::{Dispatch as _, Priority, Work};
use crate::seasons::{self, Season};
use crate::submissions::{self, NewSubmission};
use crate::texts::Language;
use crate::web::Site;
use crate::{content, course, secrets, source};

const DAY: i64 = 86_400_000;
const FILE: &str = "demonstration-accounts.txt";
const PEOPLE: [(&str, &str, Role, Language); 3] = [
    ("instructor@example.edu", "Laia Instructor", Role::Instructor, Language::English),
    ("marta@example.edu", "Marta Soler", Role::Student, Language::Catalan),
    ("pau@example.edu", "Pau Vila", Role::Student, Language::English),
];

/// Sets the course up unless it is there, and gives what to print: the
/// accounts and their passwords.
pub async fn set_up(site: &Site, folder: &Path) -> Result<String> {
    let file = folder.join(FILE);
    if accounts::count(&site.database).await? > 0 {
        return Ok(std::fs::read_to_string(file).unwrap_or_default());
    }
    course::ensure(&site.database, "Programming games").await?;
    let (ids, printed) = add_people(site).await?;
    let mut options = std::fs::OpenOptions::new();
    let kept = options.create(true).truncate(true).write(true).mode(0o600).open(&file);
    kept.and_then(|mut kept| kept.write_all(printed.as_bytes()))
        .with_context(|| format!("cannot write {}", file.display()))?;
    for game in GAMES {
        seasons::add(&site.database, &season(*game)).await?;
    }
    for season in seasons::list(&site.database).await? {
        play(site, &season, ids[0]).await?;
    }
    begin_cup(site, ids[1]).await?;
    submit_examples(site, ids[0]).await?;
    Ok(printed)
}

async fn add_people(site: &Site) -> Result<(Vec<AccountId>, String)> {
    let mut printed = String::from("Sign in as\n");
    let mut hashed = Vec::new();
    for (email, _, role, _) in PEOPLE {
        let password = secrets::readable_password();
        printed.push_str(&format!("  {:<10}  {email:<24}  password  {password}\n", role.word()));
        hashed.push(site.passwords.hash(password).await?);
    }
    let mut tx = site.database.begin().await?;
    let mut ids = Vec::new();
    for ((email, name, role, language), hash) in PEOPLE.into_iter().zip(hashed) {
        let new = NewAccount { email: email.to_owned(), name: name.to_owned(), team: "Demo".to_owned(), role };
        let id = accounts::add(&mut tx, &new, language).await?;
        accounts::set_password(&mut tx, id, &hash).await?;
        ids.push(id);
    }
    tx.commit().await?;
    Ok((ids, printed))
}

/// A season of a game as it comes, open since yesterday.
fn season(game: &dyn Game) -> Season {
    let about = game.about();
    let today = now() / DAY * DAY;
    Season::of_game(about, about.id, today - DAY, today + 28 * DAY)
}

/// Two matches between the players that come with the game.
async fn play(site: &Site, season: &Season, account: AccountId) -> Result<()> {
    let mut tx = site.database.begin().await?;
    for (seed, names) in [(30, ["Demo", "Dummy", "Demo", "Dummy"]), (31, ["Dummy", "Demo", "Null", "Demo"])] {
        let places = names.map(|name| Place { name: name.to_owned(), submission: None });
        let planned = Planned {
            season: season.id,
            purpose: Purpose::Demonstration,
            verifies: None,
            training: None,
            seed,
            places,
        };
        let id = matches::plan(&mut tx, &planned).await?;
        let work = Work { job: Play { id }.into(), account, priority: Priority::Training, batch: 0 };
        site.queue.offer(&mut tx, &work).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The stronger example of every game, submitted as any other player. Not for
/// a student, whose own first submission would have to wait for them.
async fn submit_examples(site: &Site, account: AccountId) -> Result<()> {
    for season in seasons::list(&site.database).await?.into_iter().filter(|season| season.slug != CUP) {
        for (file_name, source) in content::players(&season.game) {
            let language = source::language(file_name, source.as_bytes());
            let name = content::name_of(file_name);
            if language == SourceLanguage::Cpp && content::strongest(&season.game) == Some(name) {
                let new = NewSubmission { account, name, file_name, language, source: source.as_bytes() };
                let mut tx = site.database.begin().await?;
                submissions::add(&mut tx, &site.queue, &season, &new).await?;
                tx.commit().await?;
            }
        }
    }
    Ok(())
}

/// The season with official rounds: its address, and who plays it besides Marta.
const CUP: &str = "ants-cup";
const CUP_PLAYERS: [(&str, &str); 11] = [
    ("Aina Puig", "Aurora"),
    ("Biel Ferrer", "Boira"),
    ("Carla Roca", "Cim"),
    ("David Mas", "Drac"),
    ("Elena Vidal", "Espiga"),
    ("Ferran Costa", "Foc"),
    ("Gemma Riba", "Garsa"),
    ("Hugo Serra", "Hivern"),
    ("Irene Bosch", "Iris"),
    ("Jan Torres", "Jonc"),
    ("Laura Pons", "Llamp"),
];

/// A season of Ants whose deadline is now: everybody hands in a copy of the
/// strongest example, and those who are accepted play rounds from then on.
async fn begin_cup(site: &Site, marta: AccountId) -> Result<()> {
    let Some(game) = ludus_games::find("ants") else { return Ok(()) };
    let cup = Season {
        slug: CUP.to_owned(),
        title: format!("{}: cup", game.about().title),
        opens_at: now() - 7 * DAY,
        deadline_at: now() + 5_000,
        closes_at: now() + 28 * DAY,
        grace_s: 0,
        official_at: now(),
        ..season(game)
    };
    seasons::add(&site.database, &cup).await?;
    let cup = seasons::find(&site.database, CUP).await?.context("the cup was not made")?;
    let mut tx = site.database.begin().await?;
    let times: Vec<String> = (0..144).map(|k| format!("{}:{:02}", k / 6, 10 * (k % 6))).collect();
    let times = schedule::read_times(&times.join(" ")).unwrap_or_default();
    // Others have seasons of their own.
    entrants::set_groups(&mut tx, cup.id, &["Demo".to_owned()]).await?;
    schedule::update(&mut tx, cup.id, &Schedule { times, gives_modules: true, ..Schedule::default() }).await?;
    let mut players = vec![(marta, "Marmota")];
    for (name, player) in CUP_PLAYERS {
        let email = format!("{}@example.edu", name.split(' ').next().unwrap_or_default().to_lowercase());
        let new = NewAccount { email, name: name.to_owned(), team: "Demo".to_owned(), role: Role::Student };
        players.push((accounts::add(&mut tx, &new, Language::Catalan).await?, player));
    }
    let strongest = content::strongest(&cup.game).unwrap_or_default();
    let example = content::players(&cup.game).find(|(file, source)| {
        source::language(file, source.as_bytes()) == SourceLanguage::Cpp && content::name_of(file) == strongest
    });
    let (_, example) = example.context("the game has no example")?;
    for (account, name) in players {
        let source = example.replace(&format!("PLAYER_NAME {strongest}"), &format!("PLAYER_NAME {name}"));
        let (file_name, source) = (format!("AI{name}.cc"), source.as_bytes());
        let new = NewSubmission { account, name, file_name: &file_name, language: SourceLanguage::Cpp, source };
        submissions::add(&mut tx, &site.queue, &cup, &new).await?;
    }
    tx.commit().await?;
    tokio::spawn(start_first_round(site.clone(), cup));
    Ok(())
}

/// Starts the first round as soon as it is prepared, so that there is something
/// to watch; the others follow the schedule.
async fn start_first_round(site: Site, cup: Season) {
    loop {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        match rounds::under_way(site.database.read(), cup.id).await {
            Ok(Some(round)) if round.state == State::Committed => {
                if let Err(error) = site.director().start(&cup, &round).await {
                    crate::log::error(&format!("the first round of the demonstration cannot be started: {error:#}"));
                }
                return;
            }
            Ok(Some(_)) => return,
            Ok(None) | Err(_) => {}
        }
    }
}
