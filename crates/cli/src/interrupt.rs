//! Ctrl-C: the first one asks to stop, the second one does not ask.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};

/// Exit status of a command that was stopped, as shells give it.
pub const STOPPED: u8 = 130;

/// A flag that Ctrl-C sets.
pub fn flag() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let signal = signal_hook::consts::SIGINT;
    // In this order: the flag is still unset when the first signal comes.
    signal_hook::flag::register_conditional_shutdown(signal, STOPPED.into(), stop.clone())
        .and_then(|_| signal_hook::flag::register(signal, stop.clone()))
        .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
