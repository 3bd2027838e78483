//! `ludus manual`: man pages, and what shells need to complete the command.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;

/// Write man pages and completions for shells into a folder
#[derive(clap::Args)]
#[command(after_help = "\
The folder gets what packages put below /usr/share or ~/.local/share:

  man/man1/ludus.1 and a page for every command
  bash-completion/completions/ludus
  zsh/site-functions/_ludus
  fish/vendor_completions.d/ludus.fish

Examples:
  ludus manual ~/.local/share")]
pub struct Args {
    /// Where to; it is made if need be
    folder: PathBuf,
}

/// Where each shell looks for completions.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions/ludus"),
    (Shell::Zsh, "zsh/site-functions/_ludus"),
    (Shell::Fish, "fish/vendor_completions.d/ludus.fish"),
];

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut command = crate::command();
    command.build();
    for (shell, file) in COMPLETIONS {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command, "ludus", &mut text);
        write(&args.folder.join(file), &text)?;
    }
    let pages = args.folder.join("man/man1");
    page(&pages, "ludus", &command)?;
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        page(&pages, &format!("ludus-{}", command.get_name()), command)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(folder: &Path, name: &str, command: &Command) -> Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name).render(&mut text)?;
    write(&folder.join(format!("{name}.1")), &text)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    std::fs::write(path, bytes).with_context(|| format!("cannot write to {}", path.display()))
}
