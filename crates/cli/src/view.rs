//! `ludus view`: a match in the browser.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result};
use ludus_view::{Server, Site, document, self_contained};

use crate::match_file;
use crate::output::Output;

/// Watch a match in the browser
#[derive(clap::Args)]
#[command(after_help = "\
The address is printed and opened in the browser; Ctrl-C ends the server.
It answers to this machine only. Other files can be dropped on the page.

Examples:
  ludus view match.ludus
  ludus view                                  an empty viewer, to drop a file on
  ludus view match.res --html match.html      one file that can be mailed")]
pub struct Args {
    /// A match: a .ludus, .res, .out or .req file
    file: Option<PathBuf>,
    /// Write a page that needs no server, instead of starting one
    #[arg(long, value_name = "OUT", requires = "file", conflicts_with_all = ["no_open", "port"])]
    html: Option<PathBuf>,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
    /// The port to listen on, instead of any that is free
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let scene = |path: &PathBuf| {
        Ok::<_, anyhow::Error>(document(&match_file::open(path)?).with_context(|| path.display().to_string())?.json)
    };
    let scene = args.file.as_ref().map(scene).transpose()?;
    if let (Some(out), Some(scene)) = (&args.html, &scene) {
        let mut output = Output::create(out)?;
        output.write(&self_contained(scene))?;
        output.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    serve(scene, args.port, args.no_open)
}

/// Shows a match that has just been played, from a file that may be for nothing
/// else.
pub fn show(path: &Path, is_temporary: bool) -> Result<ExitCode> {
    let scene = document(&match_file::open(path)?).with_context(|| path.display().to_string())?.json;
    if is_temporary {
        std::fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    serve(Some(scene), 0, false)
}

fn serve(scene: Option<Vec<u8>>, port: u16, no_open: bool) -> Result<ExitCode> {
    let server = Server::start(Site::new(scene), port)
        .with_context(|| format!("cannot listen on port {port} of this machine"))?;
    let address = server.address();
    writeln!(std::io::stdout(), "{address}")?;
    if !no_open {
        eprintln!("opening the browser; press Ctrl-C to end");
        open_browser(&address);
    }
    server.run().context("cannot go on listening")?;
    Ok(ExitCode::SUCCESS)
}

/// Asks the desktop to show the address. Where there is none the user has it in print.
fn open_browser(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        // Without a desktop, xdg-open may start a browser inside this terminal.
        if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() {
            return;
        }
        Command::new("xdg-open")
    };
    let started = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut child) = started {
        // Some launchers stay as long as the browser does, so nobody waits for them here.
        std::thread::spawn(move || child.wait());
    }
}
