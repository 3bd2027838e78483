//! Figures for whoever watches machines, in the text form of Prometheus, on an
//! address of their own (`serve --metrics`), which is not the site's: strangers
//! need not know how busy a course is.

pub mod working;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use sqlx::Row as _;
use tokio::net::TcpListener;

use crate::clock::steady;
use crate::database::{Columns as _, now};
use crate::log;
use crate::queue::Priority;
use crate::remote::fleet::Fleet;
use crate::remote::trust;
use crate::web::Site;

/// Matches that this process has played or kept, and what their players took.
static MATCHES: AtomicU64 = AtomicU64::new(0);
/// In millionths of what one player may take.
static CPU: AtomicU64 = AtomicU64::new(0);
static FAULTS: AtomicU64 = AtomicU64::new(0);
static FAILURES: AtomicU64 = AtomicU64::new(0);

/// A match was played or kept, and each of its seats took so much; less than nothing for
/// a frozen one.
pub fn count_match(cpu: impl Iterator<Item = i64>) {
    MATCHES.fetch_add(1, Ordering::Relaxed);
    for one in cpu {
        match u64::try_from(one) {
            Ok(used) => CPU.fetch_add(used, Ordering::Relaxed),
            Err(_) => FAULTS.fetch_add(1, Ordering::Relaxed),
        };
    }
}

/// A job failed, whosever fault it was.
pub fn count_failure() {
    FAILURES.fetch_add(1, Ordering::Relaxed);
}

#[derive(Clone)]
pub struct Watched {
    pub site: Site,
    pub fleet: Option<Fleet>,
}

/// Answers at an address for as long as the process lives.
pub async fn serve(listener: TcpListener, watched: Watched) {
    let router = Router::new().route("/metrics", get(show)).with_state(watched);
    if let Err(error) = axum::serve(listener, router).await {
        log::error(&format!("figures cannot be given: {error}"));
    }
}

async fn show(State(watched): State<Watched>) -> Response {
    match watched.text().await {
        Ok(text) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response(),
        Err(error) => {
            log::error(&format!("figures: {error:#}"));
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

/// Some figures of one name.
struct Page(String);

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str, values: &[(String, f64)]) {
        // A string takes whatever is written to it.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(self.0, "{name}{labels} {value}");
        }
    }

    fn one(&mut self, name: &str, kind: &str, help: &str, value: f64) {
        self.family(name, kind, help, &[(String::new(), value)]);
    }

    /// What this process has done, be it the judge or a worker.
    fn work(&mut self) {
        for (name, help, count) in [
            ("ludus_matches_total", "Matches that this process has played or whose results it has kept.", &MATCHES),
            ("ludus_seat_faults_total", "Seats that were frozen in them.", &FAULTS),
            ("ludus_job_failures_total", "Jobs that failed, whosever fault it was.", &FAILURES),
        ] {
            self.one(name, "counter", help, count.load(Ordering::Relaxed) as f64);
        }
        let used = CPU.load(Ordering::Relaxed) as f64 / 1e6;
        let help = "Fuel of players, as parts of what each may use in a match.";
        self.one("ludus_fuel_limits_total", "counter", help, used);
        self.one("ludus_uptime_seconds", "gauge", "Since this process began.", steady().as_secs_f64());
    }
}

/// Verdicts of this time are counted.
const LATELY: Duration = Duration::from_secs(900);
const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];
/// Verdicts that are looked at, the newest.
const MOST_VERDICTS: i64 = 1000;

impl Watched {
    pub async fn text(&self) -> Result<String> {
        let mut page = Page(String::new());
        self.queue(&mut page).await?;
        self.verdicts(&mut page).await?;
        page.work();
        if let Some(fleet) = &self.fleet {
            self.fleet(&mut page, fleet).await?;
        }
        Ok(page.0)
    }

    async fn queue(&self, page: &mut Page) -> Result<()> {
        let health = self.site.queue.health(&self.site.store).await;
        page.one("ludus_healthy", "gauge", "1 while all is well.", f64::from(u8::from(health.is_good())));
        let rows = sqlx::query(
            "SELECT priority, state, COUNT(*) AS count, MIN(created_at) AS oldest FROM jobs WHERE state <> 'done'
             GROUP BY priority, state ORDER BY priority, state",
        );
        let (mut counts, mut ages) = (Vec::new(), Vec::new());
        for row in rows.fetch_all(self.site.database.read()).await? {
            let priority: Priority = row.try_get("priority")?;
            let state = row.text("state")?;
            let labels = format!("{{priority=\"{}\",state=\"{state}\"}}", format!("{priority:?}").to_lowercase());
            ages.push((labels.clone(), (now() - row.int("oldest")?).max(0) as f64 / 1e3));
            counts.push((labels, row.int("count")? as f64));
        }
        page.family("ludus_jobs", "gauge", "Jobs that are not done.", &counts);
        page.family("ludus_oldest_job_seconds", "gauge", "Since the oldest of them was offered.", &ages);
        Ok(())
    }

    async fn verdicts(&self, page: &mut Page) -> Result<()> {
        let rows = sqlx::query(
            "SELECT decided_at, decided_at - created_at AS took FROM submissions WHERE decided_at IS NOT NULL
             ORDER BY decided_at DESC LIMIT $1",
        );
        let mut took = Vec::new();
        for row in rows.bind(MOST_VERDICTS).fetch_all(self.site.database.read()).await? {
            if row.int("decided_at")? > now() - LATELY.as_millis() as i64 {
                took.push(row.int("took")?);
            }
        }
        took.sort_unstable();
        let at = |part: f64| took.get(((took.len() as f64 * part) as usize).min(took.len().saturating_sub(1)));
        let values: Vec<(String, f64)> = QUANTILES
            .iter()
            .filter_map(|&part| Some((format!("{{quantile=\"{part}\"}}"), *at(part)? as f64 / 1e3)))
            .collect();
        page.family("ludus_verdict_seconds", "gauge", "From submission to verdict, in the last 15 minutes.", &values);
        page.one("ludus_verdicts_lately", "gauge", "Verdicts in the last 15 minutes.", took.len() as f64);
        Ok(())
    }

    async fn fleet(&self, page: &mut Page, fleet: &Fleet) -> Result<()> {
        page.one("ludus_workers", "gauge", "Workers on other machines that get work.", fleet.workers() as f64);
        page.one("ludus_worker_cores", "gauge", "Their cores.", fleet.cores() as f64);
        let counts = fleet.counts();
        for (name, help, count) in [
            ("ludus_orders_total", "Orders that were sent to workers.", &counts.orders),
            ("ludus_answers_total", "Answers that came to them.", &counts.answers),
            ("ludus_worker_matches_total", "Matches that workers have played.", &counts.matches),
            ("ludus_orders_taken_away_total", "Orders that went to another worker.", &counts.taken_away),
            ("ludus_worker_troubles_total", "Orders that a worker's machine could not do.", &counts.troubles),
            ("ludus_lies_total", "Answers that were not believed.", &counts.lies),
            ("ludus_compared_total", "Answers that two workers were asked for.", &counts.checked),
            ("ludus_disagreements_total", "Those of them that differed.", &counts.disagreements),
        ] {
            page.one(name, "counter", help, count.load(Ordering::Relaxed) as f64);
        }
        let unconfirmed = trust::unconfirmed(&self.site.database).await? as f64;
        page.one("ludus_unconfirmed_results", "gauge", "Results that one worker told alone.", unconfirmed);
        let paces: Vec<(String, f64)> = fleet
            .paces()
            .into_iter()
            .map(|(worker, cores, orders)| (format!("{{worker=\"{worker}\",cores=\"{cores}\"}}"), f64::from(orders)))
            .collect();
        page.family("ludus_worker_orders", "gauge", "Orders that each worker has.", &paces);
        Ok(())
    }
}
