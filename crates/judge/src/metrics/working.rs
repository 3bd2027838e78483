//! The figures of a process that only works, with a database or for a broker.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use axum::Router;
use axum::http::header;
use axum::routing::get;
use tokio::net::TcpListener;

use super::Page;
use crate::log;

/// Orders of a broker: begun, under way, and not done because of this machine.
static ORDERS: AtomicU64 = AtomicU64::new(0);
static UNDER_WAY: AtomicI64 = AtomicI64::new(0);
static TROUBLES: AtomicU64 = AtomicU64::new(0);
/// Whether the judge has said that this worker gets work.
static LET_IN: AtomicBool = AtomicBool::new(false);

/// An order that is under way until this is dropped.
pub struct Begun(());

pub fn begin_order() -> Begun {
    ORDERS.fetch_add(1, Ordering::Relaxed);
    UNDER_WAY.fetch_add(1, Ordering::Relaxed);
    Begun(())
}

impl Drop for Begun {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    }
}

pub fn count_trouble() {
    TROUBLES.fetch_add(1, Ordering::Relaxed);
}

pub fn let_in(is_let_in: bool) {
    LET_IN.store(is_let_in, Ordering::Relaxed);
}

/// Answers at an address for as long as the process lives.
pub async fn serve(listener: TcpListener, cores: usize) {
    let answer = move || async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text(cores)) };
    let router = Router::new().route("/metrics", get(answer));
    if let Err(error) = axum::serve(listener, router).await {
        log::error(&format!("figures cannot be given: {error}"));
    }
}

pub fn text(cores: usize) -> String {
    let mut page = Page(String::new());
    page.work();
    let version = format!("{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    page.family("ludus_worker_cores", "gauge", "Orders that it does at a time.", &[(version, cores as f64)]);
    let is_let_in = f64::from(u8::from(LET_IN.load(Ordering::Relaxed)));
    page.one("ludus_worker_let_in", "gauge", "1 when the judge has said that it gets work.", is_let_in);
    let under_way = UNDER_WAY.load(Ordering::Relaxed) as f64;
    page.one("ludus_worker_orders", "gauge", "Orders of the broker under way.", under_way);
    for (name, help, count) in [
        ("ludus_worker_orders_total", "Orders that were begun.", &ORDERS),
        ("ludus_worker_troubles_total", "Those that this machine could not do.", &TROUBLES),
    ] {
        page.one(name, "counter", help, count.load(Ordering::Relaxed) as f64);
    }
    page.0
}
