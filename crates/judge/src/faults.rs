//! Faults on purpose: what a trial lets the machine do to the judge.
//!
//! The seams are compiled always and cost one load of an atomic. A machine has
//! one disk and one clock, so faults are of the whole process; whoever switches
//! them on has them alone.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where the judge meets the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seam {
    /// A transaction begins.
    Begin,
    /// A statement that only reads.
    Read,
    /// A statement that writes, outside a transaction.
    Write,
    /// A transaction is about to be committed, and is not.
    Commit,
    /// A transaction has been committed, and nobody hears of it.
    Committed,
    Put,
    Get,
    /// A compiler is to be started.
    Jail,
}

const SEAMS: usize = Seam::Jail as usize + 1;

static ARMED: AtomicBool = AtomicBool::new(false);
static PLAN: Mutex<Plan> = Mutex::new(Plan { chance: 0, rates: [0; SEAMS], full: false });
/// Milliseconds by which the clock on the wall is wrong.
static SKEW: AtomicI64 = AtomicI64::new(0);
/// Milliseconds that have passed for the judge alone.
static HASTE: AtomicU64 = AtomicU64::new(0);
static TRIAL: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

struct Plan {
    chance: u64,
    /// Failures of a thousand, by seam.
    rates: [u64; SEAMS],
    full: bool,
}

fn plan() -> std::sync::MutexGuard<'static, Plan> {
    PLAN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The switches, for as long as this lives. Only trials make one.
pub struct Faults(#[allow(dead_code, reason = "held for its drop")] tokio::sync::MutexGuard<'static, ()>);

impl Faults {
    /// Waits until nobody else has them.
    pub async fn switch_on(seed: u64) -> Faults {
        let alone = TRIAL.lock().await;
        *plan() = Plan { chance: seed, rates: [0; SEAMS], full: false };
        ARMED.store(true, Ordering::SeqCst);
        Faults(alone)
    }

    /// How many of a thousand passages through a seam fail.
    pub fn set(&self, seam: Seam, per_mille: u64) {
        plan().rates[seam as usize] = per_mille;
    }

    /// SQLite finds no room for another page, and says so itself.
    pub fn fill(&self, full: bool) {
        plan().full = full;
    }

    /// Nothing fails from now on; the clock stays as it is.
    pub fn stop(&self) {
        let mut plan = plan();
        plan.rates = [0; SEAMS];
        plan.full = false;
    }

    /// Sets the clock on the wall forward or back.
    pub fn jump(&self, milliseconds: i64) {
        SKEW.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// Lets time pass, by the clock that nobody can set.
    pub fn pass(&self, time: Duration) {
        HASTE.fetch_add(time.as_millis() as u64, Ordering::SeqCst);
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        ARMED.store(false, Ordering::SeqCst);
        SKEW.store(0, Ordering::SeqCst);
    }
}

/// Fails if a trial wants it to.
pub fn at(seam: Seam) -> io::Result<()> {
    if !ARMED.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut plan = plan();
    if draw(&mut plan.chance, 1000) >= plan.rates[seam as usize] {
        return Ok(());
    }
    let codes = match seam {
        Seam::Begin | Seam::Read => [libc::ECONNRESET, libc::EMFILE, libc::EIO],
        Seam::Jail => [libc::ENOMEM, libc::EMFILE, libc::EAGAIN],
        _ => [libc::ENOSPC, libc::EIO, libc::ENOSPC],
    };
    let code = codes[draw(&mut plan.chance, 3) as usize];
    Err(io::Error::from_raw_os_error(code))
}

/// The pages that SQLite may have, where a trial sets them.
pub fn most_pages() -> Option<&'static str> {
    if !ARMED.load(Ordering::Relaxed) {
        return None;
    }
    // It never goes below the pages that are there.
    Some(if plan().full { "PRAGMA max_page_count = 1" } else { "PRAGMA max_page_count = 1073741823" })
}

pub fn skew() -> i64 {
    SKEW.load(Ordering::Relaxed)
}

pub fn haste() -> Duration {
    Duration::from_millis(HASTE.load(Ordering::Relaxed))
}

/// Numbers without a pattern, the same for the same seed.
pub fn draw(chance: &mut u64, below: u64) -> u64 {
    *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*chance >> 33) % below
}
