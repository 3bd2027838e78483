//! Who sees what, as a table: on pages, in lists and by their addresses.

use axum::http::StatusCode;
use ludus_judge::accounts::{self, Role};
use ludus_judge::database::Slice;
use ludus_judge::ids::{MatchId, SubmissionId};
use ludus_judge::matches::{self, Place, Planned, Purpose, Step};
use ludus_judge::visibility::Viewer;
use ludus_judge::{seasons, submissions};

use crate::harness::{Browser, Court};
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(matches_are_for_those_who_may_see_them);

on_sqlite!(submissions_are_for_their_authors);

/// Somebody who looks, with a browser unless they are not signed in.
type Looking = (&'static str, Viewer, Option<Browser>);

/// Those who look, in the order of the columns of the tables; pau is the author.
async fn all(court: &Court) -> Vec<Looking> {
    let mut all = vec![("nobody", Viewer::of(None), None)];
    for (name, role) in
        [("ana", Role::Student), ("eva", Role::Spectator), ("pau", Role::Student), ("laia", Role::Instructor)]
    {
        let browser = court.visitor(name, role).await;
        let account = accounts::credentials(&court.site.database, &format!("{name}@x.edu")).await.unwrap().unwrap().0;
        all.push((name, Viewer::of(Some(&account)), Some(browser)));
    }
    all
}

/// A player of pau's in some state, as a statement sets it.
async fn player(court: &Court, all: &mut [Looking], name: &str, state: &'static str) -> SubmissionId {
    let page = all[3].2.as_mut().unwrap().submit("open", &named(GOOD, name)).await;
    let id = SubmissionId(page.rsplit('/').next().unwrap().parse().unwrap());
    sqlx::query(state).bind(id).execute(court.site.database.write()).await.unwrap();
    id
}

pub async fn played(court: &Court, purpose: Purpose, verifies: Option<SubmissionId>) -> MatchId {
    let season = seasons::find(&court.site.database, "open").await.unwrap().unwrap().id;
    let place = |_| Place { name: "Demo".to_owned(), submission: None };
    let verifies = verifies.map(|submission| (submission, Step::Copies));
    let planned = Planned { season, purpose, verifies, training: None, seed: 1, places: std::array::from_fn(place) };
    let mut tx = court.site.database.begin().await.unwrap();
    let id = matches::plan(&mut tx, &planned).await.unwrap();
    sqlx::query("UPDATE matches SET played = 1 WHERE id = $1").bind(id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    id
}

const UNDECIDED: &str = "UPDATE submissions SET stage = 'playing' WHERE id = $1";
const ACCEPTED: &str = "UPDATE submissions SET stage = 'accepted', decided_at = 1 WHERE id = $1";
const REJECTED: &str = "UPDATE submissions SET stage = 'rejected', decided_at = 1 WHERE id = $1";
const RETIRED: &str = "UPDATE submissions SET stage = 'accepted', decided_at = 1, retired_at = 1 WHERE id = $1";

async fn matches_are_for_those_who_may_see_them(court: Court) {
    let mut all = all(&court).await;
    let undecided = player(&court, &mut all, "Undecided", UNDECIDED).await;
    let accepted = player(&court, &mut all, "Accepted", ACCEPTED).await;
    let rejected = player(&court, &mut all, "Rejected", REJECTED).await;
    let retired = player(&court, &mut all, "Retired", RETIRED).await;
    for (purpose, verifies, seen) in [
        // nobody, ana, eva, pau, laia
        (Purpose::Demonstration, None, [false, true, true, true, true]),
        (Purpose::Ladder, None, [true, true, true, true, true]),
        (Purpose::Official, None, [true, true, true, true, true]),
        (Purpose::Verification, Some(undecided), [false, false, false, true, true]),
        (Purpose::Verification, Some(accepted), [false, true, true, true, true]),
        (Purpose::Verification, Some(rejected), [false, false, false, true, true]),
        (Purpose::Verification, Some(retired), [false, false, false, true, true]),
    ] {
        let id = played(&court, purpose, verifies).await;
        for ((who, viewer, browser), seen) in all.iter_mut().zip(seen) {
            let about = format!("{purpose:?} {verifies:?} {who}");
            let database = &court.site.database;
            assert_eq!(matches::find_visible(database, *viewer, id).await.unwrap().is_some(), seen, "{about}");
            let listed =
                matches::list(database, *viewer, &matches::Filter::default(), Slice::page(None)).await.unwrap();
            assert_eq!(listed.items.iter().any(|one| one.id == id), seen, "{about}, in the list");
            let of_its_kind = matches::Filter { purpose: Some(purpose), ..Default::default() };
            let listed = matches::slice(database, *viewer, &of_its_kind, Slice::page(None)).await.unwrap();
            assert_eq!(listed.iter().any(|one| one.id == id), seen, "{about}, in the list of its kind");
            if let Some(browser) = browser {
                let status = browser.get(&format!("/matches/{id}")).await.status;
                assert_eq!(status, if seen { StatusCode::OK } else { StatusCode::NOT_FOUND }, "{about}, its page");
            }
        }
    }
}

async fn submissions_are_for_their_authors(court: Court) {
    let mut all = all(&court).await;
    for (name, state) in [("Undecided", UNDECIDED), ("Accepted", ACCEPTED), ("Retired", RETIRED)] {
        let id = player(&court, &mut all, name, state).await;
        for ((who, viewer, browser), seen) in all.iter_mut().zip([false, false, false, true, true]) {
            let about = format!("{name} {who}");
            let database = &court.site.database;
            assert_eq!(submissions::find_visible(database, *viewer, id).await.unwrap().is_some(), seen, "{about}");
            let filter = submissions::Filter::default();
            let listed = submissions::list(database, *viewer, &filter, Slice::page(None)).await.unwrap();
            assert_eq!(listed.items.iter().any(|one| one.id == id), seen, "{about}, in the list");
            if let Some(browser) = browser {
                let status = browser.get(&format!("/submissions/{id}/source")).await.status;
                assert_eq!(status, if seen { StatusCode::OK } else { StatusCode::NOT_FOUND }, "{about}, its source");
            }
        }
    }
}
