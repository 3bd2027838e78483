//! A site of its own for every test, and browsers that visit it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use ludus_arena::season::file::CourseKey;
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, now};
use ludus_judge::ids::AccountId;
use ludus_judge::intake::Quota;
use ludus_judge::jobs::{Environment, Machines};
use ludus_judge::local_machine::LocalMachine;
use ludus_judge::queue::Queue;
use ludus_judge::seasons::{self, Season};
use ludus_judge::secrets::Passwords;
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_judge::throttle::Throttle;
use ludus_judge::web::{Gates, Settings, Site};
use ludus_judge::{course, pages, sessions, worker};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use tower::ServiceExt as _;

use crate::broker::Crew;
use crate::postgres;

#[derive(Clone, Copy)]
pub enum Kind {
    Sqlite,
    Postgres,
}

/// A match in which the player of the tests beats Dummies from every seat, by far.
pub const CONFIG: &str = "Dominator 4.0\nnb_players 4\nnb_rounds 300\nnb_farmers 5\nnb_knights 20\nnb_witches 0\n\
    farmers_health 100\nknights_health 200\nfarmers_regen 30\nknights_regen 30\ndamage_min 60\ndamage_max 90\n\
    rows 37\ncols 37\n\nGENERATOR2\n";

pub const PASSWORD: &str = "correct horse battery";

pub struct Court {
    pub site: Site,
    router: Router,
    crew: Option<Crew>,
    folder: TempDir,
}

impl Court {
    /// A site whose work is done by a worker that a broker brings it to.
    pub async fn with_broker() -> Court {
        let mut court = Court::new(Kind::Sqlite).await;
        court.crew = Some(Crew::start(&court).await);
        court
    }

    pub async fn new(kind: Kind) -> Court {
        let court = Court::of(kind, folder()).await;
        court.add_season("open", -1).await;
        court
    }

    /// A site with what is in a folder.
    pub async fn of(kind: Kind, folder: TempDir) -> Court {
        let url = match kind {
            Kind::Sqlite => {
                let file = folder.path().join("judge.sqlite");
                if !file.exists() {
                    std::fs::write(file, empty_course().await).unwrap();
                }
                Court::sqlite(&folder)
            }
            Kind::Postgres => postgres::migrated_database().await,
        };
        Court::at(&url, folder).await
    }

    /// The address of the database in a folder.
    pub fn sqlite(folder: &TempDir) -> String {
        Database::url_of_file(&folder.path().join("judge.sqlite"))
    }

    /// A site with what is in a database.
    pub async fn at(url: &str, folder: TempDir) -> Court {
        let database = Database::open(url).await.unwrap();
        course::ensure(&database, "Test course").await.unwrap();
        let site = Site {
            queue: Queue::new(database.clone(), Queue::LEASE),
            store: Store::open(folder.path().join("store").to_str().unwrap()).unwrap(),
            passwords: Passwords::new().unwrap(),
            throttle: Arc::new(Throttle::with_stopped_clock()),
            following: Arc::default(),
            gates: Gates::default(),
            post: Arc::default(),
            frames: Arc::default(),
            key: CourseKey::new([7; 32]),
            settings: Arc::new(settings()),
            database,
        };
        Court { router: pages::router(site.clone()), site, crew: None, folder }
    }

    /// The file that the store has under a hash.
    pub fn file(&self, hash: &str) -> PathBuf {
        self.folder.path().join("store").join(&hash[..2]).join(&hash[2..])
    }

    /// Where everything of the site is, but a database of PostgreSQL.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Changes the settings of the site.
    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = (*self.site.settings).clone();
        change(&mut settings);
        self.site.settings = Arc::new(settings);
        self.router = pages::router(self.site.clone());
    }

    pub async fn add_season(&self, slug: &str, opens_in_days: i64) {
        add_season(&self.site.database, slug, opens_in_days, 20).await;
    }

    /// Somebody with a password, not yet signed in.
    pub async fn add_person(&self, name: &str, role: Role) -> AccountId {
        static HASH: OnceLock<String> = OnceLock::new();
        if HASH.get().is_none() {
            // Whoever is second has made it in vain.
            let _ = HASH.set(self.site.passwords.hash(PASSWORD.to_owned()).await.unwrap());
        }
        let hash = HASH.get().unwrap();
        let new = NewAccount { email: format!("{name}@x.edu"), name: name.to_owned(), team: String::new(), role };
        let mut tx = self.site.database.begin().await.unwrap();
        let id = accounts::add(&mut tx, &new, Language::English).await.unwrap();
        accounts::set_password(&mut tx, id, hash).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    pub fn browser(&self) -> Browser {
        Browser { router: self.router.clone(), cookies: BTreeMap::new(), address: String::new(), token: None }
    }

    /// The same browser at the site as it is now.
    pub fn visiting(&self, browser: &Browser) -> Browser {
        Browser { router: self.router.clone(), ..browser.clone() }
    }

    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Somebody new who has signed in.
    pub async fn visitor(&self, name: &str, role: Role) -> Browser {
        let account = self.add_person(name, role).await;
        self.signed_in(account).await
    }

    /// Somebody new who has signed in by password, in a browser that is known from then on.
    pub async fn known_visitor(&self, name: &str, role: Role) -> Browser {
        self.add_person(name, role).await;
        let mut browser = self.browser();
        assert_eq!(browser.sign_in(name, PASSWORD).await.status, StatusCode::SEE_OTHER);
        browser
    }

    /// Somebody who has signed in, without the price of a password.
    pub async fn signed_in(&self, account: AccountId) -> Browser {
        let token = sessions::start(&self.site.database, account, "", "").await.unwrap();
        let mut browser = self.browser();
        browser.cookies.insert("ludus_session".to_owned(), token);
        browser
    }

    pub fn environment(&self) -> Environment {
        if let Some(crew) = &self.crew {
            return self.environment_with(crew.machines.clone());
        }
        let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("players-cache");
        let program = PathBuf::from(env!("CARGO_BIN_EXE_ludus-judge"));
        let machine = LocalMachine::open_with(program, &cache, self.site.store.clone()).unwrap();
        self.environment_with(Arc::new(machine))
    }

    pub fn environment_with(&self, machines: Arc<dyn Machines>) -> Environment {
        Environment { database: self.site.database.clone(), queue: self.site.queue.clone(), machines, quarantine: None }
    }

    /// Does all the work that waits.
    pub async fn work(&self) {
        worker::until_idle(&self.environment()).await;
    }
}

#[derive(Clone)]
pub struct Browser {
    router: Router,
    pub cookies: BTreeMap<String, String>,
    /// What a proxy tells about it.
    pub address: String,
    /// The token of forms that it has seen, and with which cookies.
    token: Option<(BTreeMap<String, String>, String)>,
}

pub struct Answer {
    pub status: StatusCode,
    pub location: String,
    pub headers: axum::http::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn has(&self, words: &str) -> bool {
        self.text.contains(words)
    }
}

impl Browser {
    pub async fn send(&mut self, mut request: Request<Body>) -> Answer {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        request.headers_mut().insert(header::COOKIE, cookies.join("; ").parse().unwrap());
        request.headers_mut().entry(header::HOST).or_insert("judge.test".parse().unwrap());
        if !self.address.is_empty() {
            request.headers_mut().insert("x-forwarded-for", self.address.parse().unwrap());
        }
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        for cookie in headers.get_all(header::SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
        }
        let location = headers.get(header::LOCATION).map_or("", |value| value.to_str().unwrap()).to_owned();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        Answer { status, location, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// The token of the forms on a page.
    pub async fn token(&mut self) -> String {
        if let Some((cookies, token)) = &self.token
            && *cookies == self.cookies
        {
            return token.clone();
        }
        let page = self.get("/sign-in").await;
        let page = if page.status == StatusCode::OK { page } else { self.get("/").await };
        let token = page.text.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        self.token = Some((self.cookies.clone(), token.clone()));
        token
    }

    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.token().await;
        let mut all = vec![("csrf", token.as_str())];
        all.extend_from_slice(fields);
        self.post_exactly(path, &all).await
    }

    pub async fn post_exactly(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body.join("&")))
            .unwrap();
        self.send(request).await
    }

    /// Sends a form with a file; an empty name sends the text as if pasted.
    pub async fn upload(&mut self, path: &str, file_name: &str, content: &[u8]) -> Answer {
        self.upload_with(path, &[], file_name, content).await
    }

    /// The same with other fields of the form.
    pub async fn upload_with(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        file_name: &str,
        content: &[u8],
    ) -> Answer {
        let token = self.token().await;
        let mut body = Vec::new();
        for (name, value) in [("csrf", token.as_str())].iter().chain(fields) {
            let part = format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend_from_slice(part.as_bytes());
        }
        body.extend_from_slice(b"--B\r\n");
        let disposition = if file_name.is_empty() {
            "Content-Disposition: form-data; name=\"text\"\r\n\r\n".to_owned()
        } else {
            format!(
                "Content-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\nContent-Type: text/plain\r\n\r\n"
            )
        };
        body.extend_from_slice(disposition.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n--B--\r\n");
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=B")
            .header(header::CONTENT_LENGTH, body.len())
            .body(Body::from(body))
            .unwrap();
        self.send(request).await
    }

    pub async fn sign_in(&mut self, name: &str, password: &str) -> Answer {
        self.post("/sign-in", &[("email", &format!("{name}@x.edu")), ("password", password)]).await
    }

    /// Submits a source and gives the address of its page.
    pub async fn submit(&mut self, season: &str, source: &str) -> String {
        let answer = self.upload(&format!("/seasons/{season}/submit"), "AIx.cc", source.as_bytes()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        answer.location
    }
}

/// Waits until something is so, for two minutes at most. It asks now and then, so
/// that the machine has time for what is waited for.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !is_so().await {
        assert!(Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// How much a test does: in `./test`, or in its long form (`docs/trials.md`).
pub fn short_or_long(short: usize, long: usize) -> usize {
    if std::env::var_os("LUDUS_LONG").is_some() { long } else { short }
}

/// A folder in memory where there is room for one: nobody pulls the plug here, and
/// a disk would be waited for thousands of times.
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    match rustix::fs::statvfs(memory) {
        Ok(found) if found.f_bavail * found.f_frsize > 1 << 30 => tempfile::tempdir_in(memory).unwrap(),
        _ => tempfile::tempdir().unwrap(),
    }
}

/// A database of SQLite with all its tables, made once and copied by each test.
async fn empty_course() -> &'static [u8] {
    static FILE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let make = || async {
        let folder = folder();
        let database = Database::open(&Court::sqlite(&folder)).await.unwrap();
        database.close().await;
        std::fs::read(folder.path().join("judge.sqlite")).unwrap()
    };
    FILE.get_or_init(make).await
}

fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { (byte as char).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

pub fn settings() -> Settings {
    Settings {
        public_url: None,
        behind_proxy: false,
        zone: jiff::tz::TimeZone::UTC,
        quota: Quota::default(),
        rust: true,
        program: None,
        mail: None,
        university: None,
    }
}

pub async fn add_season(database: &Database, slug: &str, opens_in_days: i64, closes_in_days: i64) {
    const DAY: i64 = 86_400_000;
    let about = ludus_games::find("dominator").unwrap().about();
    let (opens_at, deadline_at) = (now() + opens_in_days * DAY, now() + closes_in_days * DAY);
    let of_game = Season::of_game(about, slug, opens_at, deadline_at);
    let (title, config) = (format!("The season {slug}"), CONFIG.to_owned());
    let season = Season { title, config, source_kib: 64, ..of_game };
    assert!(seasons::add(database, &season).await.unwrap());
}
