//! The API: what students do on pages, for programs, as JSON under `/api/v1`.
//!
//! Calls ask the same functions as pages do, about what may be seen as well as
//! about what may be done; nothing is decided here. Whoever calls shows a token.

mod bearer;
mod call;
mod describe;
mod finals;
mod friends;
mod ladder;
mod lists;
mod matches;
mod me;
mod news;
mod players;
mod rounds;
mod seasons;
mod submissions;
mod training;

use axum::Router;
use axum::http::{Method, header};
use axum::response::IntoResponse as _;
use axum::routing::get;

use crate::tokens::Scope::{self, Manage, Read, Submit, Train};
use crate::web::Site;
pub use call::Call;
pub use describe::{description, description_text};

/// All calls.
pub fn routes() -> Router<Site> {
    let described = async || ([(header::CONTENT_TYPE, "application/json")], description_text()).into_response();
    let openapi = Router::new().route("/api/v1/openapi.json", get(described));
    calls().into_iter().fold(openapi, |routes, call| routes.merge(call.route()))
}

/// Every call, in the order in which they are described.
pub fn calls() -> Vec<Call> {
    let mut all = of_the_account();
    all.extend(of_seasons());
    all.extend(of_players());
    all.extend(of_matches());
    all.extend(of_the_course());
    all
}

const ANY: Option<Scope> = None;

#[rustfmt::skip]
fn of_the_account() -> Vec<Call> {
    let (get, put, post, delete) = (Method::GET, Method::PUT, Method::POST, Method::DELETE);
    vec![
        Call::new(get.clone(), "/me", ANY, "Who you are, and what the token may do", me::show),
        Call::new(put.clone(), "/me/language", Manage, "Choose the language you are answered in", me::set_language),
        Call::new(get.clone(), "/me/sessions", Read, "Browsers in which you are signed in", me::sessions),
        Call::new(delete.clone(), "/me/sessions/{id}", Manage, "Sign a browser out", me::end_session),
        Call::new(get.clone(), "/me/tokens", Read, "Your tokens", me::tokens),
        Call::new(delete.clone(), "/me/tokens/{id}", Manage, "Revoke a token of yours", me::revoke),
        Call::new(delete.clone(), "/me/token", ANY, "Revoke the token that calls", me::revoke_own),
        Call::new(get, "/friends", Read, "Those you have listed, and those who list you", friends::list),
        Call::new(post, "/friends", Manage, "List somebody by e-mail address", friends::add),
        Call::new(put, "/friends/{id}", Manage, "List somebody back who has listed you", friends::list_back),
        Call::new(delete, "/friends/{id}", Manage, "Take somebody off your list", friends::remove),
    ]
}

#[rustfmt::skip]
fn of_seasons() -> Vec<Call> {
    let (get, put, post) = (Method::GET, Method::PUT, Method::POST);
    vec![
        Call::new(get.clone(), "/seasons", Read, "The seasons of the course", seasons::list),
        Call::new(get.clone(), "/seasons/{slug}", Read, "A season: dates and limits", seasons::show),
        Call::new(get.clone(), "/seasons/{slug}/rules", Read, "Its rules, in Markdown", seasons::rules),
        Call::new(get.clone(), "/seasons/{slug}/config", Read, "Its config", seasons::config),
        Call::new(get.clone(), "/seasons/{slug}/api/{language}", Read, "What players can ask and order: cpp or rust", seasons::api),
        Call::new(get.clone(), "/seasons/{slug}/examples", Read, "Example players", seasons::examples),
        Call::new(get.clone(), "/seasons/{slug}/examples/{file}", Read, "The source of an example", seasons::example),
        Call::new(get.clone(), "/seasons/{slug}/kit", Read, "All that is needed at home, as an archive", seasons::archive),
        Call::new(get.clone(), "/seasons/{slug}/players", Read, "Accepted players", players::of_season),
        Call::new(post.clone(), "/seasons/{slug}/submissions", Submit, "Hand in a player: the body is its source", submissions::submit),
        Call::new(post.clone(), "/seasons/{slug}/check", Submit, "Ask whether a source would be taken, without handing it in", submissions::check),
        Call::new(get.clone(), "/seasons/{slug}/representative", Read, "Which player stands for you", seasons::representative),
        Call::new(put, "/seasons/{slug}/representative", Manage, "Choose which player stands for you", seasons::choose),
        Call::new(get.clone(), "/seasons/{slug}/candidates", Read, "Players that yours may meet in training", training::candidates),
        Call::new(post, "/seasons/{slug}/training", Train, "Ask for training matches", training::request),
        Call::new(get.clone(), "/seasons/{slug}/ladder", Read, "The ladder of public players", ladder::show),
        Call::new(get.clone(), "/seasons/{slug}/rounds", Read, "Official rounds: who is in, who is out", rounds::standings),
        Call::new(get.clone(), "/seasons/{slug}/rounds/{number}", Read, "An official round with its matches", rounds::show),
        Call::new(get.clone(), "/seasons/{slug}/rounds/{number}/file", Read, "The signed file that proves a round", rounds::file),
        Call::new(get, "/seasons/{slug}/authors/{number}", Read, "The official matches of somebody", rounds::history),
    ]
}

#[rustfmt::skip]
fn of_players() -> Vec<Call> {
    let (get, put, post) = (Method::GET, Method::PUT, Method::POST);
    vec![
        Call::new(get.clone(), "/submissions", Read, "Your submissions", submissions::list),
        Call::new(get.clone(), "/submissions/{id}", Read, "A submission: its verdict, or how far it has come", submissions::show),
        Call::new(get.clone(), "/submissions/{id}/source", Read, "Its source", submissions::source),
        Call::new(post, "/submissions/{id}/publish", Manage, "Make an accepted player public, for ever", submissions::publish),
        Call::new(get.clone(), "/players/{id}", Read, "A player and its results", players::show),
        Call::new(put, "/players/{id}/module", Manage, "Give a player's module out by a link, or end the link", players::share),
        Call::new(get, "/modules/{token}", Read, "The module behind a link", players::module),
    ]
}

#[rustfmt::skip]
fn of_matches() -> Vec<Call> {
    let get = Method::GET;
    vec![
        Call::new(get.clone(), "/matches", Read, "Matches", matches::list),
        Call::new(get.clone(), "/matches/{id}", Read, "A match and its result", matches::show),
        Call::new(get.clone(), "/matches/{id}/{file}", Read, "replay.ludus, record.txt or scene.json", matches::file),
        Call::new(get.clone(), "/matches/{id}/output/{seat}", Read, "What your player wrote in a match", matches::output),
        Call::new(get.clone(), "/watch/{share}", Read, "A match by its link", matches::show_shared),
        Call::new(get.clone(), "/watch/{share}/{file}", Read, "Its replay.ludus, record.txt or scene.json", matches::file_shared),
        Call::new(get.clone(), "/training", Read, "Your training", training::list),
        Call::new(get, "/training/{id}", Read, "A set of training matches and its table", training::show),
    ]
}

#[rustfmt::skip]
fn of_the_course() -> Vec<Call> {
    let get = Method::GET;
    vec![
        Call::new(get.clone(), "/finals", Read, "Finals", finals::list),
        Call::new(get.clone(), "/finals/{slug}", Read, "A final, as far as it is revealed", finals::show),
        Call::new(get.clone(), "/finals/{slug}/rounds/{file}", Read, "The file that proves a revealed round: 1.round", finals::file),
        Call::new(get.clone(), "/news", Read, "News and incidents", news::list),
        Call::new(get.clone(), "/news/{id}", Read, "One of them", news::show),
        Call::new(get.clone(), "/status", Read, "How the judge is doing", news::status),
        Call::new(get.clone(), "/course", Read, "The course and its links", news::course),
        Call::new(get, "/course/key", Read, "The key that the course signs rounds with", news::key),
    ]
}
