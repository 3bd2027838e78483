//! A NATS server with one worker in this process.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use ludus_judge::ids::AccountId;
use ludus_judge::jobs::Environment;
use ludus_judge::remote::enrolment::{self, Scope};
use ludus_judge::remote::fleet::Fleet;
use ludus_judge::remote::machines::{RemoteMachines, Shares};
use ludus_judge::remote::worker::Settings;
use ludus_judge::remote::{self, broker};
use ludus_judge::store::Store;

/// The server ends with this.
pub struct Broker {
    server: Child,
    pub url: String,
    pub fleet: Fleet,
}

impl Broker {
    /// The number of the server's process.
    pub fn id(&self) -> String {
        self.server.id().to_string()
    }

    /// A server with one worker in this process, which does what the environment
    /// is asked for.
    pub async fn start(
        environment: &mut Environment,
        folder: &Path,
        store: &Store,
        cache: &Path,
        cores: usize,
    ) -> Result<Broker> {
        let mut tx = environment.database.begin().await?;
        let made = enrolment::make(&mut tx, AccountId(1), "cost", Some(Scope::Play)).await?;
        let token = made.map_err(|refusal| anyhow!("{refusal:?}"))?;
        tx.commit().await?;
        let broker = Broker::open(environment, folder, store).await?;
        let settings = Settings {
            nats: broker.url.clone(),
            token: token.text(),
            cores,
            compile: false,
            cache: cache.to_owned(),
            program: super::program()?,
        };
        tokio::spawn(async move { remote::worker::run(&settings, std::future::pending()).await });
        while broker.fleet.workers() == 0 {
            broker.fleet.wait().await;
        }
        Ok(broker)
    }

    /// A server that knows the workers which there are.
    pub async fn open(environment: &mut Environment, folder: &Path, store: &Store) -> Result<Broker> {
        let key = broker::judge_key(folder)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let users = broker::users(&key.public, &enrolment::admitted(&environment.database).await?);
        let config = format!(
            "listen: 127.0.0.1:{port}\nmax_payload: 8MB\njetstream {{ store_dir: {:?}, max_file_store: 8GB }}\n{users}",
            folder.join("nats")
        );
        std::fs::write(folder.join("nats.conf"), config)?;
        let server =
            Command::new("nats-server").arg("--config").arg(folder.join("nats.conf")).stderr(Stdio::null()).spawn();
        let server = server.context("nats-server is missing")?;
        let url = format!("nats://127.0.0.1:{port}");
        let fleet = Fleet::open(&url, &key, environment.database.clone(), store.clone()).await?;
        environment.machines = Arc::new(RemoteMachines::new(fleet.clone(), store.clone(), Shares::default()));
        Ok(Broker { server, url, fleet })
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
