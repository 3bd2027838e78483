//! Who gets what, as a table: every route, asked by everybody who may differ.
//!
//! The routes are those of the site itself, however they were made: one that is
//! not in the table fails, so that whoever adds it says who may see it. Where a
//! page shows more to one than to another, `SHOWN` has a word of it.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use ludus_judge::accounts::Role;
use ludus_judge::database::now;
use ludus_judge::ids::{AccountId, SubmissionId};
use ludus_judge::matches::Purpose;
use ludus_judge::remote::enrolment::Scope;
use sqlx::AssertSqlSafe;

use crate::api::Program;
use crate::broker::enrol;
use crate::cup::{Cup, add_player, module};
use crate::finals::{make, play};
use crate::harness::{Answer, Browser, Court, add_season};
use crate::likeness::plant;
use crate::round_pages::signed_in;
use crate::training::{befriend, train};
use crate::veil::{Walker, read, settled, walkers};
use crate::visibility::played;
use crate::{on_both, on_sqlite};

on_both!(everybody_gets_what_is_theirs);

on_sqlite!(the_token_of_a_worker_opens_nothing_of_the_site);

/// Who looks: the columns of the tables. `lister` has listed the author, who has
/// not listed back; `friend` and the author have listed each other.
const WHO: [&str; 7] = ["nobody", "spectator", "other", "lister", "friend", "author", "instructor"];

/// A route, an address of it, and what each gets: `+` the page, `s` the way to
/// sign in, `f` that it is forbidden, `-` that there is no such thing, `g` that it is
/// gone, `r` another place to go. Names in angle brackets are set up below. The season `open` is
/// before its deadline, `cup` after it, `over` has closed, `soon` opens tomorrow.
const GET: &str = "
/ / +++++++
/sign-in /sign-in +rrrrrr
/sign-in/university /sign-in/university -------
/sign-in/university/back /sign-in/university/back -------
/link/{token} /link/x ggggggg
/account /account s++++++
/health /health +++++++
/status /status +++++++
/news /news +++++++
/news.atom /news.atom +++++++
/news/{id} /news/1 +++++++
/news/new /news/new sfffff+
/news/{id}/edit /news/1/edit sfffff+
/official-rounds /official-rounds +++++++
/course.pub /course.pub +++++++
/static/{version}/{file} /static/x/x -------
/viewer/{file} /viewer/x -------
/pictures/{file} /pictures/ants.png +++++++
/seasons/new /seasons/new sfffff+
/seasons/archive /seasons/archive +++++++
/seasons/{slug} /seasons/open +++++++
/seasons/{slug} /seasons/cup +++++++
/seasons/{slug} /seasons/over +++++++
/seasons/{slug} /seasons/soon +++++++
/seasons/{slug}/rules /seasons/open/rules +++++++
/seasons/{slug}/api/{language} /seasons/open/api/cpp +++++++
/seasons/{slug}/config /seasons/open/config +++++++
/seasons/{slug}/players /seasons/open/players s++++++
/seasons/{slug}/players /seasons/cup/players s++++++
/seasons/{slug}/submit /seasons/open/submit sf+++++
/seasons/{slug}/submit /seasons/over/submit sffffff
/seasons/{slug}/submit /seasons/soon/submit sffffff
/seasons/{slug}/starter/{file} /seasons/open/starter/AINull.cc +++++++
/seasons/{slug}/edit /seasons/open/edit sfffff+
/seasons/{slug}/train /seasons/open/train s++++++
/seasons/{slug}/train /seasons/over/train s++++++
/seasons/{slug}/ladder /seasons/open/ladder +++++++
/seasons/{slug}/ladder/table /seasons/open/ladder/table +++++++
/seasons/{slug}/rounds /seasons/open/rounds +++++++
/seasons/{slug}/rounds /seasons/cup/rounds +++++++
/seasons/{slug}/rounds/{number} /seasons/open/rounds/1 -------
/seasons/{slug}/rounds/{number} /seasons/cup/rounds/1 +++++++
/seasons/{slug}/rounds/{number} /seasons/cup/rounds/2 +++++++
/seasons/{slug}/rounds/{number}/file /seasons/cup/rounds/1/file +++++++
/seasons/{slug}/rounds/{number}/file /seasons/cup/rounds/2/file -------
/seasons/{slug}/authors/{number} /seasons/cup/authors/1 +++++++
/seasons/{slug}/authors/{number} /seasons/open/authors/1 -------
/seasons/{slug}/hall /seasons/cup/hall +++++++
/seasons/{slug}/live /seasons/cup/live +++++++
/seasons/{slug}/desk /seasons/cup/desk sfffff+
/seasons/{slug}/grades /seasons/cup/grades sfffff+
/seasons/{slug}/grades.csv /seasons/cup/grades.csv sfffff+
/seasons/{slug}/likeness /seasons/cup/likeness sfffff+
/likeness/{id} /likeness/<likeness> sfffff+
/likeness/{id} /likeness/999999 sfffff-
/finals/new /finals/new sfffff+
/finals/{slug} /finals/grand-final +++++++
/finals/{slug}/events /finals/grand-final/events +++++++
/finals/{slug}/rounds/{file} /finals/grand-final/rounds/1.round -------
/finals/{slug}/present /finals/grand-final/present sfffff+
/friends /friends s++++++
/people /people sfffff+
/people.csv /people.csv sfffff+
/people/letter /people/letter sfffff+
/people/groups /people/groups sfffff+
/join/{token} /join/x ggggggg
/forgotten /forgotten +++++++
/people/import /people/import sfffff+
/people/invite /people/invite sfffff+
/people/{id} /people/<author> sfffff+
/course /course sfffff+
/actions /actions sfffff+
/workshop /workshop sfffff+
/workshop/table /workshop/table sfffff+
/workers /workers sfffff+
/storage /storage sfffff+
/desk /desk sfffff+
/submissions /submissions s++++++
/submissions/{id} /submissions/<private> s----++
/submissions/{id} /submissions/<public> s----++
/submissions/{id} /submissions/<undecided> s----++
/submissions/{id} /submissions/<rejected> s----++
/submissions/{id} /submissions/<retired> s----++
/submissions/{id}/source /submissions/<private>/source s----++
/submissions/{id}/source /submissions/<public>/source s----++
/submissions/{id}/source.txt /submissions/<public>/source.txt s----++
/submissions/{id}/events /submissions/<public>/events s----++
/submissions/{id}/events /submissions/<undecided>/events s----++
/players/{id} /players/<private> s++++++
/players/{id} /players/<public> s++++++
/players/{id} /players/<undecided> s----++
/players/{id} /players/<rejected> s----++
/players/{id} /players/<retired> s++++++
/modules/{token} /modules/<for-everybody> +++++++
/modules/{token} /modules/<for-friends> ----+++
/modules/{token} /modules/<of-retired> -------
/training /training s++++++
/training/{id} /training/<alone> s----++
/training/{id} /training/<together> s---+++
/training/{id}/table /training/<alone>/table s----++
/training/{id}/table /training/<together>/table s---+++
/matches /matches s++++++
/matches/{id} /matches/<demonstration> s++++++
/matches/{id} /matches/<official> +++++++
/matches/{id} /matches/<veiled> s-----+
/matches/{id} /matches/<verifies-private> s++++++
/matches/{id} /matches/<verifies-undecided> s----++
/matches/{id} /matches/<verifies-rejected> s----++
/matches/{id} /matches/<verifies-retired> s----++
/matches/{id} /matches/<trains-alone> s----++
/matches/{id} /matches/<trains-together> s---+++
/matches/{id}/{file} /matches/<official>/replay.ludus +++++++
/matches/{id}/{file} /matches/<official>/scene.json +++++++
/matches/{id}/{file} /matches/<veiled>/replay.ludus s-----+
/matches/{id}/{file} /matches/<trains-alone>/replay.ludus s----++
/matches/{id}/{file} /matches/<trains-together>/scene.json s---+++
/matches/{id}/{file} /matches/<trains-together>/record.txt s---+++
/matches/{id}/output.json /matches/<trains-together>/output.json s---+++
/matches/{id}/output.json /matches/<veiled>/output.json s-----+
/matches/{id}/output/{seat} /matches/<official>/output/<seat> -----++
/matches/{id}/output/{seat} /matches/<trains-together>/output/0 s----++
/watch/{share} /watch/<share-official> +++++++
/watch/{share} /watch/<share-private> +++++++
/watch/{share} /watch/<share-veiled> ------+
/watch/{share} /watch/<share-trains> -------
/watch/{share}/{file} /watch/<share-official>/replay.ludus +++++++
/watch/{share}/{file} /watch/<share-veiled>/replay.ludus ------+
/watch/{share}/{file} /watch/<share-trains>/replay.ludus -------
/account/tokens /account/tokens s++++++
/seasons/{slug}/kit /seasons/open/kit +++++++
/api /api +++++++
/api/v1/openapi.json /api/v1/openapi.json +++++++
/api/v1/me /api/v1/me s++++++
/api/v1/me/sessions /api/v1/me/sessions s++++++
/api/v1/me/tokens /api/v1/me/tokens s++++++
/api/v1/friends /api/v1/friends s++++++
/api/v1/seasons /api/v1/seasons s++++++
/api/v1/seasons/{slug} /api/v1/seasons/open s++++++
/api/v1/seasons/{slug}/rules /api/v1/seasons/open/rules s++++++
/api/v1/seasons/{slug}/config /api/v1/seasons/open/config s++++++
/api/v1/seasons/{slug}/api/{language} /api/v1/seasons/open/api/cpp s++++++
/api/v1/seasons/{slug}/examples /api/v1/seasons/open/examples s++++++
/api/v1/seasons/{slug}/examples/{file} /api/v1/seasons/open/examples/AINull.cc s++++++
/api/v1/seasons/{slug}/kit /api/v1/seasons/open/kit s++++++
/api/v1/seasons/{slug}/players /api/v1/seasons/open/players s++++++
/api/v1/seasons/{slug}/representative /api/v1/seasons/cup/representative s++++++
/api/v1/seasons/{slug}/candidates /api/v1/seasons/open/candidates s++++++
/api/v1/seasons/{slug}/ladder /api/v1/seasons/open/ladder s++++++
/api/v1/seasons/{slug}/rounds /api/v1/seasons/cup/rounds s++++++
/api/v1/seasons/{slug}/rounds/{number} /api/v1/seasons/cup/rounds/1 s++++++
/api/v1/seasons/{slug}/rounds/{number}/file /api/v1/seasons/cup/rounds/1/file s++++++
/api/v1/seasons/{slug}/rounds/{number}/file /api/v1/seasons/cup/rounds/2/file s------
/api/v1/seasons/{slug}/authors/{number} /api/v1/seasons/cup/authors/1 s++++++
/api/v1/submissions /api/v1/submissions s++++++
/api/v1/submissions/{id} /api/v1/submissions/<private> s----++
/api/v1/submissions/{id} /api/v1/submissions/<public> s----++
/api/v1/submissions/{id} /api/v1/submissions/<undecided> s----++
/api/v1/submissions/{id}/source /api/v1/submissions/<public>/source s----++
/api/v1/players/{id} /api/v1/players/<private> s++++++
/api/v1/players/{id} /api/v1/players/<undecided> s----++
/api/v1/players/{id} /api/v1/players/<rejected> s----++
/api/v1/modules/{token} /api/v1/modules/<for-everybody> s++++++
/api/v1/modules/{token} /api/v1/modules/<for-friends> s---+++
/api/v1/modules/{token} /api/v1/modules/<of-retired> s------
/api/v1/matches /api/v1/matches s++++++
/api/v1/matches/{id} /api/v1/matches/<official> s++++++
/api/v1/matches/{id} /api/v1/matches/<veiled> s-----+
/api/v1/matches/{id} /api/v1/matches/<verifies-undecided> s----++
/api/v1/matches/{id} /api/v1/matches/<verifies-retired> s----++
/api/v1/matches/{id} /api/v1/matches/<trains-alone> s----++
/api/v1/matches/{id} /api/v1/matches/<trains-together> s---+++
/api/v1/matches/{id}/{file} /api/v1/matches/<official>/replay.ludus s++++++
/api/v1/matches/{id}/{file} /api/v1/matches/<veiled>/replay.ludus s-----+
/api/v1/matches/{id}/{file} /api/v1/matches/<trains-together>/replay.ludus s---+++
/api/v1/matches/{id}/output/{seat} /api/v1/matches/<official>/output/<seat> s----++
/api/v1/matches/{id}/output/{seat} /api/v1/matches/<trains-together>/output/0 s----++
/api/v1/watch/{share} /api/v1/watch/<share-official> s++++++
/api/v1/watch/{share} /api/v1/watch/<share-veiled> s-----+
/api/v1/watch/{share} /api/v1/watch/<share-trains> s------
/api/v1/watch/{share}/{file} /api/v1/watch/<share-official>/replay.ludus s++++++
/api/v1/watch/{share}/{file} /api/v1/watch/<share-trains>/replay.ludus s------
/api/v1/training /api/v1/training s++++++
/api/v1/training/{id} /api/v1/training/<alone> s----++
/api/v1/training/{id} /api/v1/training/<together> s---+++
/api/v1/finals /api/v1/finals s++++++
/api/v1/finals/{slug} /api/v1/finals/grand-final s++++++
/api/v1/finals/{slug}/rounds/{file} /api/v1/finals/grand-final/rounds/1.round s------
/api/v1/news /api/v1/news s++++++
/api/v1/news/{id} /api/v1/news/1 s++++++
/api/v1/status /api/v1/status s++++++
/api/v1/course /api/v1/course s++++++
/api/v1/course/key /api/v1/course/key s++++++
";

/// The same for forms: what refuses whom. Who is not refused (`.`) does not try,
/// so that nothing changes. Other methods stand before the route: `PUT:/route`.
const POST: &str = "
/sign-in /sign-in .......
/sign-out /sign-out .......
/language /language .......
/theme /theme .......
/link/{token} /link/x .......
/account/password /account/password s......
/account/sessions/end /account/sessions/end s......
/account/sessions/end-all /account/sessions/end-all s......
/friends /friends s......
/friends/back /friends/back s......
/friends/remove /friends/remove s......
/seasons/new /seasons/new sfffff.
/seasons/{slug}/edit /seasons/open/edit sfffff.
/seasons/{slug}/archive /seasons/open/archive sfffff.
/seasons/{slug}/submit /seasons/open/submit sf.....
/seasons/{slug}/check /seasons/open/check sf.....
/seasons/{slug}/train /seasons/open/train sf.....
/seasons/{slug}/representative /seasons/cup/representative s......
/seasons/{slug}/grades /seasons/cup/grades sfffff.
/seasons/{slug}/grades/correct /seasons/cup/grades/correct sfffff.
/seasons/{slug}/grades/withdraw /seasons/cup/grades/withdraw sfffff.
/seasons/{slug}/likeness/again /seasons/cup/likeness/again sfffff.
/likeness/{id} /likeness/<likeness> sfffff.
/likeness/{id}/behaviour /likeness/<likeness>/behaviour sfffff.
/seasons/{slug}/desk /seasons/cup/desk sfffff.
/seasons/{slug}/desk/start /seasons/cup/desk/start sfffff.
/seasons/{slug}/desk/retry /seasons/cup/desk/retry sfffff.
/seasons/{slug}/desk/cancel /seasons/cup/desk/cancel sfffff.
/seasons/{slug}/desk/undo /seasons/cup/desk/undo sfffff.
/seasons/{slug}/desk/pause /seasons/cup/desk/pause sfffff.
/seasons/{slug}/desk/resume /seasons/cup/desk/resume sfffff.
/seasons/{slug}/desk/withdraw /seasons/cup/desk/withdraw sfffff.
/seasons/{slug}/desk/keep /seasons/cup/desk/keep sfffff.
/seasons/{slug}/desk/awaited/retry /seasons/cup/desk/awaited/retry sfffff.
/seasons/{slug}/desk/awaited/reject /seasons/cup/desk/awaited/reject sfffff.
/finals/new /finals/new sfffff.
/finals/{slug}/play /finals/grand-final/play sfffff.
/finals/{slug}/cancel /finals/grand-final/cancel sfffff.
/finals/{slug}/next /finals/grand-final/next sfffff.
/news /news sfffff.
/news/{id} /news/1 sfffff.
/news/{id}/end /news/1/end sfffff.
/people/import /people/import sfffff.
/people/invite /people/invite sfffff.
/people/chosen /people/chosen sfffff.
/people/letter /people/letter sfffff.
/people/letters /people/letters sfffff.
/people/links /people/links sfffff.
/people/groups/link /people/groups/link sfffff.
/people/groups/revoke /people/groups/revoke sfffff.
/join/{token} /join/x .......
/forgotten /forgotten .......
/people/{id}/details /people/<author>/details sfffff.
/people/{id}/link /people/<author>/link sfffff.
/people/{id}/lock /people/<author>/lock sfffff.
/people/{id}/role /people/<author>/role sfffff.
/people/{id}/exceptions /people/<author>/exceptions sfffff.
/people/{id}/exceptions/withdraw /people/<author>/exceptions/withdraw sfffff.
/course /course sfffff.
/workshop/retry /workshop/retry sfffff.
/workers /workers sfffff.
/workers/revoke /workers/revoke sfffff.
/workers/admit /workers/admit sfffff.
/workshop/{job}/retry /workshop/1/retry sfffff.
/submissions/{id}/publish /submissions/<private>/publish s----..
/submissions/{id}/publish /submissions/<undecided>/publish s----..
/submissions/{id}/retire /submissions/<private>/retire sfffff.
/submissions/{id}/restore /submissions/<retired>/restore sfffff.
/players/{id}/module /players/<private>/module sffff.f
/players/{id}/module /players/<undecided>/module s----.f
/account/tokens /account/tokens s......
/account/tokens/revoke /account/tokens/revoke s......
PUT:/api/v1/me/language /api/v1/me/language s......
DELETE:/api/v1/me/sessions/{id} /api/v1/me/sessions/1 s......
DELETE:/api/v1/me/tokens/{id} /api/v1/me/tokens/1 s......
DELETE:/api/v1/me/token /api/v1/me/token s......
/api/v1/friends /api/v1/friends s......
PUT:/api/v1/friends/{id} /api/v1/friends/1 s......
DELETE:/api/v1/friends/{id} /api/v1/friends/1 s......
/api/v1/seasons/{slug}/submissions /api/v1/seasons/open/submissions sf.....
/api/v1/seasons/{slug}/check /api/v1/seasons/open/check sf.....
PUT:/api/v1/seasons/{slug}/representative /api/v1/seasons/cup/representative s......
/api/v1/seasons/{slug}/training /api/v1/seasons/open/training s......
/api/v1/submissions/{id}/publish /api/v1/submissions/<private>/publish s----..
PUT:/api/v1/players/{id}/module /api/v1/players/<private>/module s......
";

/// An address, what may stand on its page, and who sees it (`+`), who does not (`-`)
/// and who may (`.`): pages of players show a few of many matches.
const SHOWN: &str = "
/matches \"/matches/<official>\" -++++++
/matches \"/matches/<demonstration>\" -++++++
/matches \"/matches/<veiled>\" ------+
/matches \"/matches/<verifies-private>\" -++++++
/matches \"/matches/<verifies-undecided>\" -----++
/matches \"/matches/<verifies-rejected>\" -----++
/matches \"/matches/<verifies-retired>\" -----++
/matches \"/matches/<trains-alone>\" -----++
/matches \"/matches/<trains-together>\" ----+++
/matches/<official> /output/ -----++
/matches/<trains-together> /output/ -----++
/matches/<official>/output.json my␣secret␣plan -----++
/matches/<trains-together>/output.json my␣secret␣plan -----++
/submissions Privately -----++
/submissions Undecided -----++
/seasons/open/players Privately -++++++
/seasons/open/players Publicly -++++++
/seasons/open/players Undecided -------
/seasons/open/players Rejected -------
/seasons/open/train \"Publicly\" -++++++
/seasons/open/train \"Privately\" ----+++
/seasons/open/train \"Retired\" -------
/seasons/open/train \"Undecided\" -------
/training /training/<together> ----++-
/training /training/<alone> -----+-
/players/<private> /submissions/<private> -----++
/players/<entered> /matches/<trains-alone> -----..
/players/<entered> /matches/<trains-together> ----...
/players/<entered> /matches/<official> -......
/players/<private> /modules/ -----+-
/players/<public> name=\"audience\" -----+-
/seasons/cup/rounds Name␣of␣student1 -++++++
/seasons/cup/authors/1 Name␣of␣student1 -++++++
/seasons/cup/rounds/1 Player1 +++++++
/finals/grand-final huge-line␣champion -------
/watch/<share-private> /output/ -------
/news /news/new ------+
/api/v1/matches \"id\":<trains-together>, ----+++
/api/v1/matches \"id\":<trains-alone>, -----++
/api/v1/matches \"id\":<veiled>, ------+
/api/v1/matches \"id\":<official>, -++++++
/api/v1/submissions Privately -----++
/api/v1/seasons/open/players Undecided -------
/api/v1/seasons/open/candidates Privately ----+++
/api/v1/seasons/open/candidates Publicly -++++++
/api/v1/seasons/open/candidates Retired -------
/api/v1/training \"id\":<together>, ----++-
/api/v1/players/<entered> Name␣of␣student1 -++++++
/ /seasons/new ------+
";

/// What stands for the names in angle brackets.
type Names = BTreeMap<String, String>;

fn filled(text: &str, names: &Names) -> String {
    let mut filled = text.replace('␣', " ");
    for (name, value) in names {
        filled = filled.replace(&format!("<{name}>"), value);
    }
    assert!(!filled.contains('<'), "{filled} has a name that is not set up");
    filled
}

/// The methods that every path of a router answers to, as the router tells.
fn methods(router: &axum::Router) -> BTreeMap<String, BTreeSet<&'static str>> {
    let told = format!("{router:?}");
    let told = told.split("fallback_router").next().unwrap_or_default();
    let (routes, paths) = told.split_once("node: ").unwrap();
    let mut by_id: BTreeMap<&str, BTreeSet<&'static str>> = BTreeMap::new();
    for route in routes.split("RouteId(").skip(1) {
        let (id, rest) = route.split_once(')').unwrap();
        let known = ["get", "post", "put", "patch", "delete"];
        let answers = |method: &&&str| !rest.contains(&format!(" {method}: None"));
        by_id.insert(id, known.iter().filter(answers).copied().collect());
    }
    let mut found = BTreeMap::new();
    for path in paths.split("RouteId(").skip(1) {
        let (id, rest) = path.split_once("): \"").unwrap();
        found.insert(rest.split('"').next().unwrap().to_owned(), by_id[id].clone());
    }
    assert!(found.len() > 70 && found["/matches/{id}"] == BTreeSet::from(["get"]), "{found:?}");
    found
}

fn rows(table: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    let lines = table.lines().filter(|line| !line.is_empty());
    lines.map(|line| {
        let cells: Vec<&str> = line.split(' ').collect();
        cells.try_into().unwrap_or_else(|_| panic!("three columns: {line}"))
    })
}

/// What differs between the routes of the site, with all their methods, and
/// those of the tables.
fn check_routes(router: &axum::Router) -> Vec<String> {
    let mut known: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    for [route, ..] in rows(GET) {
        known.entry(route.to_owned()).or_default().insert("get");
    }
    for [route, ..] in rows(POST) {
        let (method, path) = method_of(route);
        known.entry(path.to_owned()).or_default().insert(method);
    }
    let found = methods(router);
    let missing = found.iter().filter(|(path, methods)| known.get(*path) != Some(methods));
    let gone = known.keys().filter(|path| !found.contains_key(*path));
    let missing = missing.map(|(path, methods)| format!("{path} {methods:?} is not in the matrix: say who may use it"));
    missing.chain(gone.map(|path| format!("{path} is in the matrix, and the site has no such route"))).collect()
}

/// How a route of the table of forms is asked.
fn method_of(route: &'static str) -> (&'static str, &'static str) {
    match route.split_once(':') {
        Some(("PUT", path)) => ("put", path),
        Some(("PATCH", path)) => ("patch", path),
        Some(("DELETE", path)) => ("delete", path),
        _ => ("post", route),
    }
}

/// Sends an empty form from a browser, or an empty call from a program.
async fn send((browser, program): &Walker, method: &str, path: &str) -> Answer {
    let mut browser = browser.clone();
    let is_call = path.starts_with("/api/");
    let is_file = ["/submit", "/check", "/import"].iter().any(|end| path.ends_with(end));
    match method {
        "post" if is_file && !is_call => browser.upload(path, "AIx.cc", b"").await,
        "post" if !is_call => browser.post(path, &[]).await,
        _ => {
            let mut request = Request::builder().method(method.to_uppercase().as_str()).uri(path);
            if !program.token.is_empty() {
                request = request.header(header::AUTHORIZATION, format!("Bearer {}", program.token));
            }
            browser.cookies.clear();
            browser.send(request.body(Body::empty()).unwrap()).await
        }
    }
}

fn letter(status: StatusCode, location: &str) -> char {
    match status {
        StatusCode::OK => '+',
        StatusCode::NOT_FOUND => '-',
        StatusCode::FORBIDDEN => 'f',
        StatusCode::GONE => 'g',
        StatusCode::UNAUTHORIZED => 's',
        StatusCode::SEE_OTHER if location.starts_with("/sign-in") => 's',
        StatusCode::SEE_OTHER => 'r',
        _ => '?',
    }
}

async fn everybody_gets_what_is_theirs(court: Court) {
    let (cup, names, browsers) = course(court).await;
    let visitors = walkers(&cup.court, &browsers).await;
    let mut wrong = check_routes(&cup.court.router());
    for [_, address, expected] in rows(GET) {
        let path = filled(address, &names);
        let mut found = String::new();
        for visitor in &visitors {
            let text = read(&cup.court, visitor, &path).await;
            let status = StatusCode::from_bytes(&text.as_bytes()[..3]).unwrap();
            // Only whoever is nobody is sent to sign in.
            found.push(letter(status, if visitor.1.token.is_empty() { "/sign-in" } else { "" }));
        }
        if found != expected {
            wrong.push(format!("GET {address}: {found} and not {expected}"));
        }
    }
    for [route, address, expected] in rows(POST) {
        let path = filled(address, &names);
        for ((visitor, expected), who) in visitors.iter().zip(expected.chars()).zip(WHO) {
            if expected != '.' {
                let answer = send(visitor, method_of(route).0, &path).await;
                let found = letter(answer.status, &answer.location);
                if found != expected {
                    wrong.push(format!("POST {address} by {who}: {found} and not {expected}"));
                }
            }
        }
    }
    for [address, words, expected] in rows(SHOWN) {
        let (path, words) = (filled(address, &names), filled(words, &names));
        let mut found = String::new();
        for (visitor, expected) in visitors.iter().zip(expected.chars()) {
            let is_shown = read(&cup.court, visitor, &path).await.contains(&words);
            found.push(if expected == '.' {
                '.'
            } else if is_shown {
                '+'
            } else {
                '-'
            });
        }
        if found != expected {
            wrong.push(format!("{words} on {address}: {found} and not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "columns are {WHO:?}\n{}", wrong.join("\n"));
}

/// Who holds the token of a worker, of an instructor's even, is nobody on every page
/// and in every call, wherever it is shown. What it opens of the broker is in
/// `remote.rs`: together that is all that it can reach.
async fn the_token_of_a_worker_opens_nothing_of_the_site(court: Court) {
    let (cup, names, browsers) = course(court).await;
    let owner: AccountId = one(&cup, "SELECT id FROM accounts WHERE email = 'laia@x.edu'").await;
    let token = enrol(&cup.court, owner, Scope::Compile).await.text();
    let secrets = ["my secret plan", "student1@x.edu", "laia@x.edu"];
    let nobody = (browsers[0].clone(), Program::new(&cup.court, ""));
    let mut with_cookie = browsers[0].clone();
    with_cookie.cookies.insert("ludus_session".to_owned(), token.clone());
    let attackers =
        [(with_cookie, Program::new(&cup.court, "")), (browsers[0].clone(), Program::new(&cup.court, &token))];
    let mut wrong = Vec::new();
    let mut asked = 0;
    for [_, address, expected] in rows(GET) {
        let path = filled(address, &names);
        let told = read(&cup.court, &nobody, &path).await;
        for attacker in &attackers {
            let found = read(&cup.court, attacker, &path).await;
            // A token that the site does not know is told so.
            let is_call = path.starts_with("/api/") && expected.starts_with('s') && !attacker.1.token.is_empty();
            let is_refused = found.starts_with("401") || found.starts_with("429");
            if if is_call { !is_refused } else { settled(&found) != settled(&told) } {
                wrong.push(format!("GET {address}: {}", &found[..found.len().min(100)]));
            }
            wrong.extend(
                secrets.iter().filter(|secret| found.contains(**secret)).map(|one| format!("{address}: {one}")),
            );
            asked += 1;
        }
    }
    for [route, address, expected] in rows(POST).filter(|[.., expected]| !expected.starts_with('.')) {
        let path = filled(address, &names);
        for attacker in &attackers {
            let answer = send(attacker, method_of(route).0, &path).await;
            let found = letter(answer.status, &answer.location);
            if !expected.starts_with(found) && answer.status.as_u16() < 400 {
                wrong.push(format!("POST {address}: {found}, as nobody gets {expected}"));
            }
            asked += 1;
        }
    }
    for path in ["/link/", "/join/", "/modules/", "/s/"].map(|start| format!("{start}{token}")) {
        let answer = cup.court.browser().get(&path).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
    }
    let signed = cup.court.browser().sign_in("laia", &token).await;
    assert_eq!(signed.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", signed.text);
    assert!(asked > 400, "{asked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A course in which everything is that the tables name, and those who look.
async fn course(court: Court) -> (Cup, Names, Vec<Browser>) {
    let cup = Cup::new(court, 4).await;
    for (slug, opens, closes) in [("over", -20, -2), ("soon", 1, 20)] {
        add_season(cup.database(), slug, opens, closes).await;
    }
    cup.play().await;
    cup.direct().await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3")]).await;
    play(&cup, &mut laia).await;
    let news = [("kind", "news"), ("title-en", "It begins"), ("text-en", "Now")];
    assert_eq!(laia.post("/news", &news).await.status, StatusCode::SEE_OTHER);
    let eva = cup.court.visitor("eva", Role::Spectator).await;
    let [mut author, mut friend] = [signed_in(&cup, "student1").await, signed_in(&cup, "student2").await];
    let [other, mut lister] = [signed_in(&cup, "student3").await, signed_in(&cup, "student4").await];
    befriend(&mut author, "student2@x.edu").await;
    befriend(&mut friend, "student1@x.edu").await;
    befriend(&mut lister, "student1@x.edu").await;
    let mut names = players(&cup).await;
    names.extend(training(&cup, &mut author).await);
    names.extend(matches(&cup, &names).await);
    for (player, audience, name) in [("public", "everybody", "for-everybody"), ("private", "friends", "for-friends")] {
        let page = format!("/players/{}", names[player]);
        author.post(&format!("{page}/module"), &[("audience", audience)]).await;
        let shown = author.get(&page).await.text;
        let token = shown.split("/modules/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        names.insert(name.to_owned(), token);
    }
    let statement =
        "UPDATE submissions SET module_link = 'of-retired', module_for = 'everybody' WHERE name = 'Retired'";
    cup.run(statement).await;
    names.insert("of-retired".to_owned(), "of-retired".to_owned());
    names.insert("likeness".to_owned(), plant(&cup).await.to_string());
    let browsers = vec![cup.court.browser(), eva, other, lister, friend, author, laia];
    (cup, names, browsers)
}

/// Players of the author in the season that is open, one in every state.
async fn players(cup: &Cup) -> Names {
    let author: AccountId = one(cup, "SELECT id FROM accounts WHERE email = 'student1@x.edu'").await;
    let season = one(cup, "SELECT id FROM seasons WHERE slug = 'open'").await;
    let entered: SubmissionId = one(cup, "SELECT id FROM submissions WHERE name = 'Player1'").await;
    let mut names =
        Names::from([("author".to_owned(), author.to_string()), ("entered".to_owned(), entered.to_string())]);
    for (name, called, state) in [
        ("private", "Privately", "retired_at = NULL"),
        ("public", "Publicly", "public_at = 1"),
        ("undecided", "Undecided", "stage = 'playing', decided_at = NULL"),
        ("rejected", "Rejected", "stage = 'rejected', reason = 'name-taken'"),
        ("retired", "Retired", "public_at = 1, retired_at = 1, retired_reason = 'no'"),
    ] {
        let (database, store) = (cup.database(), &cup.court.site.store);
        let id = add_player(database, store, (season, author), called, &module(called, 50), now()).await;
        let statement = AssertSqlSafe(format!("UPDATE submissions SET {state} WHERE id = {id}"));
        sqlx::query(statement).execute(database.write()).await.unwrap();
        names.insert(name.to_owned(), id.to_string());
    }
    names
}

/// A set of the author's alone, and one with a friend.
async fn training(cup: &Cup, author: &mut Browser) -> Names {
    let mut names = Names::new();
    for (name, rivals) in [("alone", "Dummy"), ("together", "Player2")] {
        let asked = train(author, ["Player1", rivals, "Dummy", "Demo"], "1", "fixed").await;
        names.insert(name.to_owned(), asked.location.rsplit('/').next().unwrap().to_owned());
    }
    cup.work().await;
    for (name, set) in names.clone() {
        let statement = format!("SELECT id FROM matches WHERE training_id = {set}");
        names.insert(format!("trains-{name}"), one::<i64>(cup, &statement).await.to_string());
    }
    names
}

/// Matches of every purpose.
async fn matches(cup: &Cup, names: &Names) -> Names {
    let mut found = Names::new();
    let demonstration = played(&cup.court, Purpose::Demonstration, None).await;
    found.insert("demonstration".to_owned(), demonstration.to_string());
    for state in ["private", "undecided", "rejected", "retired"] {
        let player = SubmissionId(names[state].parse().unwrap());
        let id = played(&cup.court, Purpose::Verification, Some(player)).await;
        found.insert(format!("verifies-{state}"), id.to_string());
    }
    let official = "SELECT s.match_id FROM seats s JOIN submissions p ON p.id = s.submission_id JOIN matches m ON m.id = s.match_id
         WHERE m.purpose = 'official' AND m.veiled = 0 AND p.name = 'Player1' ORDER BY s.match_id LIMIT 1";
    let official: i64 = one(cup, official).await;
    let veiled: i64 = one(cup, "SELECT id FROM matches WHERE veiled = 1 ORDER BY id LIMIT 1").await;
    found.extend([("official".to_owned(), official.to_string()), ("veiled".to_owned(), veiled.to_string())]);
    let seat = format!(
        "SELECT s.seat FROM seats s JOIN submissions p ON p.id = s.submission_id WHERE s.match_id = {official} AND p.name = 'Player1'"
    );
    found.insert("seat".to_owned(), one::<i64>(cup, &seat).await.to_string());
    for (name, id) in [
        ("official", official.to_string()),
        ("veiled", veiled.to_string()),
        ("private", found["verifies-private"].clone()),
        ("trains", names["trains-together"].clone()),
    ] {
        let share = one(cup, &format!("SELECT share FROM matches WHERE id = {id}")).await;
        found.insert(format!("share-{name}"), share);
    }
    // What the author's player wrote, which the machine of a cup does not keep.
    let output = cup.court.site.store.put(b"my secret plan").unwrap();
    let own = "UPDATE seats SET output = $1 WHERE submission_id = (SELECT id FROM submissions WHERE name = 'Player1')";
    sqlx::query(own).bind(output).execute(cup.database().write()).await.unwrap();
    found
}

async fn one<T>(cup: &Cup, statement: &str) -> T
where
    T: for<'r> sqlx::Decode<'r, sqlx::Any> + sqlx::Type<sqlx::Any> + Send + Unpin,
{
    let row = sqlx::query(AssertSqlSafe(statement.to_owned())).fetch_one(cup.database().read()).await.unwrap();
    sqlx::Row::try_get(&row, 0).unwrap()
}
