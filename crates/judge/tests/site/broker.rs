//! A NATS server for the tests, with workers that play in this process.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use ludus_judge::ids::{AccountId, WorkerId};
use ludus_judge::jobs::Machines;
use ludus_judge::remote::broker::{self, Key, Token};
use ludus_judge::remote::enrolment::{self, Scope};
use ludus_judge::remote::fleet::Fleet;
use ludus_judge::remote::machines::{RemoteMachines, Shares};
use ludus_judge::remote::worker::{self, Settings};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::harness::Court;

/// Servers of their own, with their users; they end with this.
pub struct Broker {
    servers: Vec<Child>,
    folder: TempDir,
    ports: Vec<u16>,
    /// The address under which workers find them.
    host: String,
    pub key: Key,
}

impl Broker {
    /// A server that knows the workers of a court.
    pub async fn start(court: &Court) -> Broker {
        Broker::start_some(court, 1, "127.0.0.1").await
    }

    /// One server, or some that stand in for each other.
    pub async fn start_some(court: &Court, count: usize, host: &str) -> Broker {
        // Somebody else may have been faster to take a port that was free.
        for _ in 0..20 {
            if let Some(broker) = Broker::try_to_start(court, count, host).await {
                return broker;
            }
        }
        panic!("nats-server ends as soon as it is started");
    }

    async fn try_to_start(court: &Court, count: usize, host: &str) -> Option<Broker> {
        let folder = crate::harness::folder();
        let taken: Vec<TcpListener> = (0..2 * count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let free: Vec<u16> = taken.iter().map(|one| one.local_addr().unwrap().port()).collect();
        // The servers want them at once.
        drop(taken);
        let (ports, routes) = free.split_at(count);
        let key = broker::judge_key(folder.path()).unwrap();
        write_users(&folder, court, &key).await;
        for k in 0..count {
            let all: Vec<String> = routes.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
            let cluster = format!("cluster {{ name: c, listen: 127.0.0.1:{}, routes: {all:?} }}\n", routes[k]);
            let config = format!(
                "server_name: {:?}\nlisten: {}:{}\nmax_payload: 8MB\njetstream {{ store_dir: {:?}, max_file_store: 8GB }}\n\
                 {}include ./users.conf\n",
                name_of(&folder, k),
                if host == "127.0.0.1" { host } else { "0.0.0.0" },
                ports[k],
                folder.path().join(format!("data{k}")),
                if count > 1 { cluster } else { String::new() },
            );
            std::fs::write(folder.path().join(format!("nats{k}.conf")), config).unwrap();
        }
        let servers = (0..count).map(|k| serve(&folder, k)).collect();
        let mut broker = Broker { servers, folder, ports: ports.to_vec(), host: host.to_owned(), key };
        broker.wait().await.then_some(broker)
    }

    pub fn url(&self) -> String {
        let all: Vec<String> = self.ports.iter().map(|port| format!("nats://{}:{port}", self.host)).collect();
        all.join(",")
    }

    /// Lets the servers know the workers as they are now.
    pub async fn reload(&self, court: &Court) {
        write_users(&self.folder, court, &self.key).await;
        for server in &self.servers {
            let told = Command::new("kill").args(["-HUP", &server.id().to_string()]).status().unwrap();
            assert!(told.success());
        }
    }

    /// `kill -9` of a server, and the same server again.
    pub async fn restart(&mut self, which: usize) {
        let which = which % self.servers.len();
        self.servers[which].kill().unwrap();
        self.servers[which].wait().unwrap();
        self.servers[which] = serve(&self.folder, which);
        assert!(self.wait().await, "the server has ended");
    }

    /// Waits until all servers answer; false if one has ended.
    async fn wait(&mut self) -> bool {
        for (k, (port, server)) in self.ports.iter().zip(&mut self.servers).enumerate() {
            while !answers(*port, &name_of(&self.folder, k)) {
                if server.try_wait().unwrap().is_some() {
                    return false;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        self.servers.iter_mut().all(|server| server.try_wait().unwrap().is_none())
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        for server in &mut self.servers {
            // It may have ended by itself.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// No two servers of all tests are called the same.
fn name_of(folder: &TempDir, which: usize) -> String {
    format!("{}-{which}", folder.path().file_name().unwrap().display())
}

/// Whether this very server answers: somebody else's may have been faster to take the port.
fn answers(port: u16, name: &str) -> bool {
    let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    server.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let mut greeting = String::new();
    let read = BufReader::new(server.take(4096)).read_line(&mut greeting);
    read.is_ok() && greeting.contains(name)
}

fn serve(folder: &TempDir, which: usize) -> Child {
    Command::new("setpriv")
        .args(["--pdeathsig", "KILL", "nats-server", "--config"])
        .arg(folder.path().join(format!("nats{which}.conf")))
        // Where Debian puts servers, for those who are not root.
        .env("PATH", format!("{}:/usr/sbin", std::env::var("PATH").unwrap()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server is missing: scripts/install tests")
}

async fn write_users(folder: &TempDir, court: &Court, key: &Key) {
    let workers = enrolment::admitted(&court.site.database).await.unwrap();
    std::fs::write(folder.path().join("users.conf"), broker::users(&key.public, &workers)).unwrap();
}

/// A worker for a court.
pub async fn enrol(court: &Court, account: AccountId, scope: Scope) -> Token {
    let mut tx = court.site.database.begin().await.unwrap();
    let token = enrolment::make(&mut tx, account, "a machine", Some(scope)).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    token
}

/// A worker that plays in this process until this is dropped.
pub struct Hand {
    _stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub fn cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("players-cache")
}

pub fn hire(broker: &Broker, token: &Token) -> Hand {
    let settings = Settings {
        nats: broker.url(),
        token: token.text(),
        cores: 2,
        compile: true,
        cache: cache(),
        program: PathBuf::from(env!("CARGO_BIN_EXE_ludus-judge")),
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(async move {
        let stopped = async {
            // Whoever drops it wants it to end, too.
            let _ = stopped.await;
        };
        worker::run(&settings, stopped).await.unwrap();
    });
    Hand { _stop: stop, task }
}

/// A broker with one honest worker, and the machines that it makes.
pub struct Crew {
    pub machines: Arc<dyn Machines>,
    _hand: Hand,
    _broker: Broker,
}

impl Crew {
    pub async fn start(court: &Court) -> Crew {
        let account = court.add_person("owner", ludus_judge::accounts::Role::Instructor).await;
        let token = enrol(court, account, Scope::Compile).await;
        let broker = Broker::start(court).await;
        let fleet = Fleet::open(&broker.url(), &broker.key, court.site.database.clone(), court.site.store.clone())
            .await
            .unwrap();
        let hand = hire(&broker, &token);
        present(&fleet, 1).await;
        let machines = Arc::new(RemoteMachines::new(fleet, court.site.store.clone(), Shares::default()));
        Crew { machines, _hand: hand, _broker: broker }
    }
}

/// Waits until so many workers are there.
pub async fn present(fleet: &Fleet, workers: usize) {
    while fleet.workers() != workers {
        fleet.wait().await;
    }
}

/// Waits until a worker is not there any more.
pub async fn gone(fleet: &Fleet, worker: WorkerId) {
    while fleet.has_worker(worker) {
        fleet.wait().await;
    }
}
