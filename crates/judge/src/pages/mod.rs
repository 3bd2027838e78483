//! The pages: handler, template and tests of each live together.

pub mod account;
pub mod actions;
mod awaited;
pub mod calls;
pub mod course;
pub mod cpu;
pub mod dashboard;
pub mod desk;
pub mod exceptions;
pub mod final_form;
pub mod final_stage;
pub mod finals;
pub mod friends;
pub mod grades;
pub mod groups;
pub mod health;
pub mod home;
pub mod ladder;
pub mod layout;
pub mod letters;
pub mod likeness;
pub mod live;
pub mod manual;
pub mod matches;
pub mod news;
mod next;
pub mod people;
mod pictures;
pub mod players;
pub mod presenter;
mod prose;
pub mod queue;
pub mod rating_chart;
pub mod representative;
pub mod retirement;
pub mod roster;
pub mod round_desk;
pub mod round_view;
pub mod rounds;
pub mod season_form;
pub mod seasons;
pub mod sign_in;
pub mod status;
pub mod storage;
pub mod submissions;
pub mod submit;
mod things;
pub mod tokens;
pub mod training;
pub mod training_form;
pub mod university;
pub mod verdict;
pub mod workers;

use axum::Router;
use axum::routing::get;

use crate::api;
use crate::web::{self, Site};

/// The whole site.
pub fn router(site: Site) -> Router {
    web::bounded(routes(), layout::error_page, &site)
        // Outside the boundary: it must answer when nobody can be recognised.
        .route("/health", get(health::show))
        .with_state(site)
}

fn routes() -> Router<Site> {
    Router::new()
        .merge(home::routes())
        .merge(sign_in::routes())
        .merge(university::routes())
        .merge(account::routes())
        .merge(seasons::routes())
        .merge(manual::routes())
        .merge(season_form::routes())
        .merge(submit::routes())
        .merge(submissions::routes())
        .merge(live::routes())
        .merge(rounds::routes())
        .merge(round_desk::routes())
        .merge(awaited::routes())
        .merge(representative::routes())
        .merge(ladder::routes())
        .merge(matches::routes())
        .merge(dashboard::routes())
        .merge(people::routes())
        .merge(roster::routes())
        .merge(letters::routes())
        .merge(groups::routes())
        .merge(pictures::routes())
        .merge(exceptions::routes())
        .merge(retirement::routes())
        .merge(course::routes())
        .merge(actions::routes())
        .merge(queue::routes())
        .merge(workers::routes())
        .merge(storage::routes())
        .merge(grades::routes())
        .merge(likeness::routes())
        .merge(desk::routes())
        .merge(finals::routes())
        .merge(final_form::routes())
        .merge(presenter::routes())
        .merge(news::routes())
        .merge(status::routes())
        .merge(friends::routes())
        .merge(players::routes())
        .merge(training::routes())
        .merge(training_form::routes())
        .merge(tokens::routes())
        .merge(calls::routes())
        .merge(api::routes())
}
