//! The command line: `serve`, `worker`, `migrate`, `admin`.

use std::io::Write as _;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::{Args, Parser, Subcommand};
use ludus_sandbox::build::rust;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::accounts::{self, NewAccount, Purpose, Role};
use crate::caretaker::{Caretaker, Rule};
use crate::database::Database;
use crate::following::Following;
use crate::intake::Quota;
use crate::jobs::Environment;
use crate::kit::Program;
use crate::local_machine::LocalMachine;
use crate::mail::{self, Mail};
use crate::metrics::{self, Watched, working};
use crate::official::proof;
use crate::playroom::Playroom;
use crate::queue::{self, Queue};
use crate::remote::fleet::Fleet;
use crate::remote::machines::{RemoteMachines, Shares, WHOLE};
use crate::remote::{broker, handing};
use crate::secrets::{self, Passwords};
use crate::store::Store;
use crate::suspect::{self, Quarantine};
use crate::university::University;
use crate::web::serve::{self, Bounds};
use crate::web::{Gates, Settings, Site};
use crate::worker::{self, Stop};
use crate::{admin, course, demo, demo_final, likeness, log, pages, remote, start, texts, traces};

#[derive(Parser)]
#[command(name = "ludus-judge", version, about = "A course site on which players are submitted, verified and watched")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Run as root nevertheless; LUDUS_AS_ROOT=yes must be set, too
    #[arg(long, global = true)]
    as_root: bool,
    /// How lines of the log are written: for people, or as one JSON object each
    #[arg(long, value_name = "FORM", default_value = "text", env = "LUDUS_LOG", global = true)]
    log: LogForm,
    /// An OpenTelemetry collector that takes traces over HTTP, such as http://127.0.0.1:4318
    #[arg(long, value_name = "URL", env = "LUDUS_TRACES", hide_env_values = true, global = true)]
    traces: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum LogForm {
    Text,
    Json,
}

#[derive(Subcommand)]
enum Command {
    /// Run the site, with workers in the same process
    Serve(Box<ServeArgs>),
    /// Run workers only: beside a site that uses the same database and store, or with a broker and a token
    Worker(Box<WorkerArgs>),
    /// Bring the tables of the database up to date, and nothing else
    Migrate(Places),
    /// Accounts, backups, exports and deletions from the terminal
    Admin(admin::Args),
    /// Do one job that may kill whoever does it; workers start this
    #[command(name = suspect::SUBCOMMAND, hide = true)]
    Suspect,
}

/// Where everything is kept. The addresses may hold passwords.
#[derive(Args, Clone)]
pub struct Places {
    /// The folder for everything that has no place of its own
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// sqlite:FILE or postgres://USER@HOST/NAME, instead of a file in the data folder
    #[arg(long, value_name = "URL", env = "LUDUS_DATABASE", hide_env_values = true, global = true)]
    database: Option<String>,
    /// A folder or s3://KEY:SECRET@HOST/BUCKET for replays and modules
    #[arg(long, value_name = "URL", env = "LUDUS_STORE", hide_env_values = true, global = true)]
    store: Option<String>,
}

#[derive(Args)]
struct ServeArgs {
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    crew: Crew,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8650")]
    listen: SocketAddr,
    /// What links begin with; without it they are relative, and browsers complete them
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Believe X-Forwarded-For and X-Forwarded-Proto of the proxy in front
    #[arg(long)]
    behind_proxy: bool,
    /// The time zone of the course's dates, such as Europe/Madrid
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// The ludus program that students download with their kits, instead of the one beside this program
    #[arg(long, value_name = "FILE")]
    ludus: Option<PathBuf>,
    #[command(flatten)]
    fleet: FleetArgs,
    #[command(flatten)]
    post: PostArgs,
    #[command(flatten)]
    university: UniversityArgs,
    /// An address for figures in the form of Prometheus, such as 127.0.0.1:9650; not the site's
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Set up a demonstration course, on the next free port
    #[arg(long)]
    demo: bool,
}

/// How work is carried to other machines.
#[derive(Args)]
struct FleetArgs {
    /// The NATS server that carries work to workers on other machines; nothing is compiled here then, and played only what nobody else can check
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// Where the users of the NATS server are written whenever workers change
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_users: Option<PathBuf>,
    /// Of a hundred matches, how many two workers play
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0, value_parser = percent, requires = "nats")]
    checked: f64,
    /// The same for official rounds
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0, value_parser = percent, requires = "nats")]
    checked_official: f64,
}

fn percent(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number from 0 to 100 is expected".to_owned())?;
    if (0.0..=100.0).contains(&value) { Ok(value) } else { Err("a number from 0 to 100 is expected".to_owned()) }
}

impl FleetArgs {
    fn shares(&self) -> Shares {
        let of = |percent: f64| (percent / 100.0 * f64::from(WHOLE)).round() as u32;
        Shares { usual: of(self.checked), official: of(self.checked_official) }
    }

    /// The fleet, if there is to be one.
    async fn open(&self, folder: &Path, database: &Database, store: &Store) -> Result<Option<Fleet>> {
        let Some(url) = &self.nats else { return Ok(None) };
        let key = broker::judge_key(folder)?;
        if let Some(file) = &self.nats_users {
            tokio::spawn(broker::keep_users(database.clone(), key.public.clone(), file.clone()));
        }
        Ok(Some(Fleet::open(url, &key, database.clone(), store.clone()).await?))
    }
}

/// How the university is asked who somebody is.
#[derive(Args)]
struct UniversityArgs {
    /// The OpenID Connect provider of the university, such as https://sso.example.edu
    #[arg(long, value_name = "URL", requires_all = ["oidc_client", "public_url"])]
    oidc_issuer: Option<String>,
    /// What the provider calls this site
    #[arg(long, value_name = "ID", requires = "oidc_issuer")]
    oidc_client: Option<String>,
    /// A file with the secret that the provider gave to this site
    #[arg(long, value_name = "FILE", requires = "oidc_issuer")]
    oidc_secret_file: Option<PathBuf>,
}

impl UniversityArgs {
    fn university(&self, base: &str) -> Result<Option<University>> {
        let (Some(issuer), Some(client)) = (&self.oidc_issuer, &self.oidc_client) else { return Ok(None) };
        let secret = self.oidc_secret_file.as_deref().map(secrets::of_file).transpose()?;
        Ok(Some(University::new(issuer, client, secret, base)?))
    }
}

/// How letters are sent. The address may hold a password.
#[derive(Args)]
struct PostArgs {
    /// The mail server: smtps://USER:PASSWORD@HOST, or smtp://… for STARTTLS (?tls=none for neither)
    #[arg(long, value_name = "URL", env = "LUDUS_SMTP", hide_env_values = true, requires_all = ["mail_from", "public_url"])]
    smtp: Option<String>,
    /// A file with the password of the mail server, if its address has none
    #[arg(long, value_name = "FILE", requires = "smtp")]
    smtp_password_file: Option<PathBuf>,
    /// A PEM file of authorities that the mail server's certificate may come from, besides the public ones
    #[arg(long, value_name = "FILE", requires = "smtp")]
    smtp_ca: Option<PathBuf>,
    /// Whom letters are from
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// Letters that are sent in a minute at most
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=60_000))]
    smtp_rate: u32,
}

impl PostArgs {
    fn mail(&self) -> Result<Option<Mail>> {
        let Some(url) = &self.smtp else { return Ok(None) };
        let password = self.smtp_password_file.as_deref().map(secrets::of_file).transpose()?;
        let authorities = self.smtp_ca.as_deref().map(mail::authorities).transpose()?;
        let pace = Duration::from_secs(60) / self.smtp_rate;
        Ok(Some(Mail::open(url, password, authorities, self.mail_from.as_deref().unwrap_or_default(), pace)?))
    }
}

#[derive(Args)]
struct WorkerArgs {
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    crew: Crew,
    /// The NATS server from which work comes, instead of a database
    #[arg(long, value_name = "URL", requires = "token")]
    nats: Option<String>,
    /// The token of this worker, which an instructor has made
    #[arg(long, value_name = "TOKEN", env = "LUDUS_WORKER_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Compile sources, too, if the token is for that
    #[arg(long, requires = "nats")]
    compile: bool,
    /// An address for figures of this worker in the form of Prometheus, such as 127.0.0.1:9651
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
}

impl WorkerArgs {
    /// Begins to give figures, which ends with the process.
    async fn give_figures(&self) -> Result<()> {
        if let Some(address) = self.metrics {
            let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
            tokio::spawn(working::serve(listener, self.crew.workers().max(1)));
        }
        Ok(())
    }
}

#[derive(Args, Clone, Debug)]
struct Crew {
    /// Matches and compilations at a time; as many as processors by default
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
    /// Seconds after which the work of a worker that died is taken up again
    #[arg(long, value_name = "SECONDS", default_value_t = Queue::LEASE.as_secs(), value_parser = clap::value_parser!(u64).range(1..=3600))]
    lease: u64,
}

impl Crew {
    fn workers(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.workers.unwrap_or(processors).min(256)
    }
}

impl Places {
    /// The data folder, made if it is not there.
    pub fn folder(&self) -> Result<PathBuf> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = self
            .data
            .clone()
            .or_else(|| variable("XDG_DATA_HOME").map(|folder| folder.join("ludus-judge")))
            .or_else(|| variable("HOME").map(|folder| folder.join(".local/share/ludus-judge")))
            .ok_or_else(|| anyhow!("say with --data where to keep everything"))?;
        // The passwords' hashes and everybody's sources are nobody else's business.
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
        folder.canonicalize().with_context(|| format!("cannot use the folder {}", folder.display()))
    }

    pub fn database_url(&self) -> Result<String> {
        match &self.database {
            Some(url) => Ok(url.clone()),
            None => Ok(Database::url_of_file(&self.folder()?.join("judge.sqlite"))),
        }
    }

    /// For those who would otherwise make an empty database where they expect a course.
    pub fn refuse_missing_file(&self) -> Result<()> {
        let file = self.folder()?.join("judge.sqlite");
        if self.database.is_none() && !file.is_file() {
            return Err(anyhow!("there is no course: {} is missing", file.display()));
        }
        Ok(())
    }

    pub async fn database(&self) -> Result<Database> {
        Database::open(&self.database_url()?).await
    }

    pub fn store_url(&self) -> Result<String> {
        match &self.store {
            Some(url) => Ok(url.clone()),
            None => Ok(self.folder()?.join("store").display().to_string()),
        }
    }

    pub fn store(&self) -> Result<Store> {
        Store::open(&self.store_url()?)
    }

    /// The queue, with the workers of this process known to others on this machine.
    fn queue(&self, database: &Database, crew: &Crew) -> Result<Queue> {
        let folder = self.folder()?.join("crews");
        let enlisted = queue::Crew::enlist(&folder, crew.workers());
        let enlisted = enlisted.with_context(|| format!("cannot use the folder {}", folder.display()))?;
        Ok(Queue::resting(database.clone(), Duration::from_secs(crew.lease), enlisted, Queue::REST))
    }
}

pub fn main() -> ExitCode {
    let arguments = match start::arguments() {
        Ok(arguments) => arguments,
        Err(error) => return failed(&error),
    };
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            eprint!("{}", secrets::without_passwords(&error.render().to_string()));
            return ExitCode::from(2);
        }
    };
    // A process for one job was started by one that has been let in.
    let let_in = matches!(cli.command, Command::Suspect);
    if !let_in && let Err(error) = start::refuse_root(cli.as_root) {
        return failed(&error);
    }
    if cli.log == LogForm::Json {
        log::use_json();
    }
    if let Some(url) = &cli.traces
        && let Err(error) = traces::send_to(url)
    {
        return failed(&error);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&anyhow!("cannot start: {error}")),
    };
    let done = runtime.block_on(async {
        match cli.command {
            Command::Serve(args) => serve(*args).await,
            Command::Worker(args) => work(*args).await,
            Command::Migrate(places) => {
                places.database().await?;
                println!("the database is up to date");
                Ok(())
            }
            Command::Admin(args) => admin::run(args).await,
            Command::Suspect => suspect::main().await,
        }
    });
    // A match under way is abandoned: its lease runs out, and it is played again.
    runtime.shutdown_timeout(Duration::from_millis(200));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &anyhow::Error) -> ExitCode {
    // Where nothing can be written, the exit status tells enough.
    let _ = writeln!(std::io::stderr(), "error: {}", log::escaped(&format!("{error:#}")));
    ExitCode::from(2)
}

async fn serve(args: ServeArgs) -> Result<()> {
    let bounds = Bounds::of_files(serve::raise_file_limit(), args.behind_proxy);
    let folder = args.places.folder()?;
    let database = args.places.database().await?;
    let store = args.places.store()?;
    let queue = args.places.queue(&database, &args.crew)?;
    let fleet = args.fleet.open(&folder, &database, &store).await?;
    let environment = match &fleet {
        Some(fleet) => {
            let machines = RemoteMachines::new(fleet.clone(), store.clone(), args.fleet.shares());
            let machines = machines.checked_by(own_playroom(&folder, &store));
            let (database, queue) = (database.clone(), queue.clone());
            Environment { database, queue, machines: Arc::new(machines), quarantine: None }
        }
        None => environment(&args.places, &database, &queue)?,
    };
    let zone = match &args.time_zone {
        Some(name) => jiff::tz::TimeZone::get(name).with_context(|| format!("--time-zone {name}"))?,
        None => jiff::tz::TimeZone::system(),
    };
    let public_url = args.public_url.as_ref().map(|url| url.trim_end_matches('/').to_owned());
    let site = Site {
        database: database.clone(),
        queue,
        store,
        passwords: Passwords::new()?,
        throttle: Arc::default(),
        following: Arc::new(Following::new(bounds.listeners())),
        gates: Gates::default(),
        post: Arc::default(),
        frames: Arc::default(),
        settings: Arc::new(Settings {
            public_url: public_url.clone(),
            behind_proxy: args.behind_proxy,
            zone,
            quota: Quota::default(),
            rust: offers_rust(),
            program: program(args.ludus.as_deref())?,
            mail: args.post.mail()?,
            university: args.university.university(public_url.as_deref().unwrap_or_default())?,
        }),
        key: proof::course_key(&folder)?,
    };
    let listener = listen(args.listen, args.demo).await?;
    let address = public_url.unwrap_or(format!("http://{}", listener.local_addr()?));
    if args.demo {
        let accounts = demo::set_up(&site, &folder).await?;
        println!("Ludus is at {address}\n\n{accounts}\nEverything is kept in {}. Stop with Ctrl-C.", folder.display());
    } else {
        course::ensure(&database, "Ludus").await?;
        println!("Ludus is at {address}");
        if let Some(link) = first_instructor(&database).await? {
            println!("Open this link to choose the instructor's password; it works once:\n  {address}/link/{link}");
        }
    }
    let stop = Stop::default();
    let here = if fleet.is_some() { 0 } else { args.crew.workers() };
    let mut workers = worker::start(&environment, here, &stop);
    if let Some(address) = args.metrics {
        let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
        workers.spawn(metrics::serve(listener, Watched { site: site.clone(), fleet: fleet.clone() }));
    }
    if let Some(fleet) = fleet {
        workers.spawn(handing::run(environment.clone(), fleet, stop.clone()));
    }
    workers.spawn(watch(site.clone()));
    environment.warm_up().await?;
    let caretaker = tokio::spawn(caretaker(&environment, &site.store).run());
    let director = tokio::spawn(site.director().run());
    let finals = tokio::spawn(site.final_director().run());
    let steward = tokio::spawn(site.steward().run());
    let backlog = tokio::spawn(likeness::catch_up(site.database.clone(), site.queue.clone()));
    let postman = site.postman().map(|postman| tokio::spawn(postman.run()));
    if args.demo {
        tokio::spawn(demo_final::run(site.clone()));
    }
    serve::serve(listener, pages::router(site), bounds, told_to_stop()).await;
    stop.now();
    caretaker.abort();
    director.abort();
    finals.abort();
    steward.abort();
    backlog.abort();
    postman.inspect(JoinHandle::abort);
    drop(workers);
    sign_off(&environment.queue).await;
    Ok(())
}

/// Where the judge plays itself what a single worker has played, if it can.
fn own_playroom(folder: &Path, store: &Store) -> Option<Playroom> {
    match LocalMachine::open(&folder.join("cache"), store.clone()) {
        Ok(machine) => Some(machine.playroom().clone()),
        Err(error) => {
            log::note(&format!("this machine checks no results itself, official matches need two workers: {error:#}"));
            None
        }
    }
}

/// Looks at the health of the judge every now and then, so that whoever asks
/// seldom is told how long things have been as they are.
async fn watch(site: Site) {
    let mut was_good = true;
    loop {
        let health = site.queue.health(&site.store).await;
        if health.is_good() != was_good {
            was_good = health.is_good();
            log::note(&format!("the judge is {}: {health:?}", if was_good { "well again" } else { "in trouble" }));
        }
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
}

/// Whether this machine can compile players in Rust; many courses want C++ only.
fn offers_rust() -> bool {
    match rust::find() {
        Ok(_) => true,
        Err(error) => {
            log::note(&format!("players in Rust are not taken: {error}"));
            false
        }
    }
}

/// The program for kits: the one that was named, or the one beside this.
fn program(named: Option<&Path>) -> Result<Option<Arc<Program>>> {
    let found = match named {
        Some(path) => Some(Program::at(path)?),
        None => Program::beside(),
    };
    Ok(found.map(Arc::new))
}

/// The address asked for; a demonstration takes the next free one.
async fn listen(address: SocketAddr, any: bool) -> Result<TcpListener> {
    let mut tried = address;
    loop {
        match TcpListener::bind(tried).await {
            Ok(listener) => return Ok(listener),
            Err(error)
                if any && error.kind() == std::io::ErrorKind::AddrInUse && tried.port() < address.port() + 50 =>
            {
                tried.set_port(tried.port() + 1);
            }
            Err(error) => return Err(error).with_context(|| format!("cannot listen on {address}")),
        }
    }
}

fn environment(places: &Places, database: &Database, queue: &Queue) -> Result<Environment> {
    let cache = places.folder()?.join("cache");
    let machine = LocalMachine::open(&cache, places.store()?).context("players cannot be verified on this machine")?;
    let quarantine = Quarantine {
        program: std::env::current_exe().context("cannot find this program's own file")?,
        database: places.database_url()?,
        store: places.store_url()?,
        cache,
    };
    let (database, queue) = (database.clone(), queue.clone());
    Ok(Environment { database, queue, machines: Arc::new(machine), quarantine: Some(quarantine) })
}

fn caretaker(environment: &Environment, store: &Store) -> Caretaker {
    Caretaker {
        database: environment.database.clone(),
        store: store.clone(),
        restorer: environment.restorer(),
        rule: Rule::default(),
    }
}

/// The link with which the first instructor chooses a password, if nobody has.
async fn first_instructor(database: &Database) -> Result<Option<String>> {
    let instructors = accounts::list(database, "", Some(Role::Instructor), crate::database::Page::new(None)).await?;
    if instructors.items.iter().any(|account| account.has_password) {
        return Ok(None);
    }
    let mut tx = database.begin().await?;
    let id = match instructors.items.first() {
        Some(account) => account.id,
        None => {
            let new = NewAccount {
                email: "instructor@localhost".to_owned(),
                name: "Instructor".to_owned(),
                team: String::new(),
                role: Role::Instructor,
            };
            accounts::add(&mut tx, &new, texts::Language::default()).await?
        }
    };
    let token = accounts::make_link(&mut tx, id, Purpose::Setup).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// Works for a broker, without a database and a store.
async fn work_elsewhere(args: WorkerArgs, nats: String) -> Result<()> {
    let settings = remote::worker::Settings {
        nats,
        token: args.token.unwrap_or_default(),
        cores: args.crew.workers().max(1),
        compile: args.compile,
        cache: args.places.folder()?.join("cache"),
        program: std::env::current_exe().context("cannot find this program's own file")?,
    };
    remote::worker::run(&settings, told_to_stop()).await
}

async fn work(mut args: WorkerArgs) -> Result<()> {
    args.give_figures().await?;
    if let Some(nats) = args.nats.take() {
        return work_elsewhere(args, nats).await;
    }
    let database = args.places.database().await?;
    let queue = args.places.queue(&database, &args.crew)?;
    let environment = environment(&args.places, &database, &queue)?;
    let stop = Stop::default();
    let mut workers = worker::start(&environment, args.crew.workers(), &stop);
    environment.warm_up().await?;
    log::note(&format!("{} workers are ready", args.crew.workers()));
    told_to_stop().await;
    stop.now();
    while workers.join_next().await.is_some() {}
    sign_off(&environment.queue).await;
    Ok(())
}

/// Gives back the work under way, so that the next start takes it up at once and
/// suspects nobody.
async fn sign_off(queue: &Queue) {
    let done = tokio::time::timeout(serve::LAST_ANSWERS, queue.sign_off()).await;
    if !matches!(done, Ok(Ok(()))) {
        log::error("work under way could not be given back; it is taken up when its leases are over");
    }
}

/// Waits for Ctrl-C or a polite kill.
async fn told_to_stop() {
    let mut terminate = match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(signal) => signal,
        Err(error) => return log::error(&format!("cannot listen for signals: {error}")),
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}
