//! The first moments of the program: secrets leave the places where others can
//! read them, and root is sent away.
//!
//! The kernel shows the command line with which a program was started to every
//! user of the machine, and its environment to everything of the same user, for
//! as long as it runs. So a program that was started with anything that may be
//! secret starts itself again without it, and gets it through a pipe.

use std::ffi::{OsStr, OsString};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, anyhow, bail, ensure};

/// Options whose values may hold passwords, and the variables that stand for them.
const SECRET: [(&str, &str); 4] = [
    ("--database", "LUDUS_DATABASE"),
    ("--store", "LUDUS_STORE"),
    ("--smtp", "LUDUS_SMTP"),
    ("--token", "LUDUS_WORKER_TOKEN"),
];

/// The one variable of PostgreSQL's that holds a password.
const PASSWORD: &str = "PGPASSWORD";

/// What the judge, its database and the compilers have a use for, and what
/// begins like our own; everything else of the environment may be a secret of
/// somebody's.
const KEPT: &str = "PATH HOME USER TZ TZDIR TMPDIR XDG_DATA_HOME XDG_CACHE_HOME CARGO_HOME RUSTUP_HOME \
    RUSTUP_TOOLCHAIN RUST_BACKTRACE LC_ALL PGHOST PGHOSTADDR PGPORT PGUSER PGDATABASE PGSSLMODE PGSSLROOTCERT \
    PGSSLCERT PGSSLKEY PGAPPNAME PGOPTIONS PGPASSFILE";
const OURS: &str = "LUDUS_";

/// The variable and the option with which root is let in, both of them.
pub const AS_ROOT: &str = "LUDUS_AS_ROOT";

/// The last argument of a program that has started itself again.
const SECRETS_COME: &str = "--secrets-on-standard-input";

/// What fits into a pipe that nobody reads yet.
const MOST: usize = 60_000;

/// The arguments of this program, secret ones included. Whatever was secret is
/// not in its command line or its environment when this returns.
pub fn arguments() -> Result<Vec<OsString>> {
    let mut given: Vec<OsString> = std::env::args_os().collect();
    if given.last().is_some_and(|last| last == SECRETS_COME) {
        given.pop();
        let mut secrets = Vec::new();
        std::io::stdin().take(MOST as u64).read_to_end(&mut secrets).context("cannot read what is secret")?;
        return Ok(with_secrets(given, &secrets));
    }
    let (open, secrets) = apart(given.clone(), |name| std::env::var_os(name))?;
    let clean = std::env::vars_os().all(|(name, _)| is_kept(&name));
    if secrets.is_empty() && clean {
        return Ok(given);
    }
    Err(again(open, &secrets))
}

/// Starts this program again; gives the reason if that does not work.
fn again(open: Vec<OsString>, secrets: &[u8]) -> anyhow::Error {
    let start = || -> Result<std::io::Error> {
        let (reader, mut writer) = std::io::pipe().context("no pipe for what is secret")?;
        ensure!(secrets.len() < MOST, "the addresses of the database and the store are too long");
        writer.write_all(secrets).context("the pipe for what is secret is full")?;
        drop(writer);
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        let kept = std::env::vars_os().filter(|(name, _)| is_kept(name));
        Ok(Command::new(program)
            .args(open.into_iter().skip(1))
            .arg(SECRETS_COME)
            .env_clear()
            .envs(kept)
            .stdin(Stdio::from(reader))
            .exec())
    };
    match start() {
        Ok(error) => anyhow!("this program cannot start itself without what is secret: {error}"),
        Err(error) => error,
    }
}

/// Whether a variable of the environment may be seen by others.
pub fn is_kept(name: &OsStr) -> bool {
    let secret = SECRET.iter().any(|(_, variable)| name == *variable);
    let ours = name.as_bytes().starts_with(OURS.as_bytes());
    !secret && (ours || KEPT.split_whitespace().any(|kept| name == kept))
}

/// The arguments without secrets, and the secrets: options and values, each
/// with a zero behind it.
fn apart(given: Vec<OsString>, variable: impl Fn(&str) -> Option<OsString>) -> Result<(Vec<OsString>, Vec<u8>)> {
    let mut open = Vec::new();
    let mut found: Vec<(&str, OsString)> = Vec::new();
    let mut rest = given.into_iter();
    while let Some(argument) = rest.next() {
        let option = SECRET.iter().map(|(option, _)| *option).find(|option| {
            let tail = argument.as_bytes().strip_prefix(option.as_bytes());
            tail.is_some_and(|tail| tail.is_empty() || tail.starts_with(b"="))
        });
        match option {
            None => open.push(argument),
            Some(option) if argument.len() > option.len() => {
                found.push((option, OsString::from_vec(argument.as_bytes()[option.len() + 1..].to_vec())));
            }
            Some(option) => match rest.next() {
                Some(value) => found.push((option, value)),
                // Whoever reads the arguments says what is missing.
                None => open.push(argument),
            },
        }
    }
    for (option, name) in SECRET {
        if let Some(value) = variable(name).filter(|_| !found.iter().any(|(known, _)| *known == option)) {
            found.push((option, value));
        }
    }
    let mut secrets = Vec::new();
    for (option, mut value) in found {
        if option == "--database" {
            value = with_password(value, variable(PASSWORD));
        }
        if value.as_bytes().contains(&0) {
            bail!("the value of {option} has a zero byte");
        }
        secrets.extend_from_slice(option.as_bytes());
        secrets.push(0);
        secrets.extend_from_slice(value.as_bytes());
        secrets.push(0);
    }
    Ok((open, secrets))
}

/// The address of a PostgreSQL database with the password that PostgreSQL's own
/// programs would find in the environment, unless it has one.
fn with_password(url: OsString, password: Option<OsString>) -> OsString {
    let text = url.to_string_lossy();
    let (Some(password), Some((scheme, rest))) = (password, text.split_once("://")) else { return url };
    let user = rest.split(['/', '?']).next().unwrap_or_default().rsplit_once('@').map_or("", |(user, _)| user);
    if !scheme.starts_with("postgres") || user.contains(':') || rest.contains("password=") {
        return url;
    }
    let encoded: String = password.as_bytes().iter().map(|byte| format!("%{byte:02X}")).collect();
    let mark = if rest.contains('?') { '&' } else { '?' };
    format!("{text}{mark}password={encoded}").into()
}

/// The arguments with the secrets behind the subcommand, which is where they
/// are understood.
fn with_secrets(open: Vec<OsString>, secrets: &[u8]) -> Vec<OsString> {
    let secrets = secrets.split(|byte| *byte == 0).map(|part| OsString::from_vec(part.to_vec()));
    let mut secrets: Vec<OsString> = secrets.collect();
    // What is behind the last zero is no part of anything.
    secrets.pop();
    let subcommands = ["serve", "worker", "migrate", "admin"];
    let at = open.iter().position(|argument| subcommands.iter().any(|subcommand| argument == subcommand));
    let mut all = open;
    if let Some(at) = at {
        all.splice(at + 1..at + 1, secrets);
    }
    all
}

/// Sends root away, unless told twice to let it in.
pub fn refuse_root(asked: bool) -> Result<()> {
    let is_root = std::fs::metadata("/proc/self").context("cannot find out who runs this")?.uid() == 0;
    let confirmed = std::env::var_os(AS_ROOT).is_some_and(|value| value == "yes");
    if is_root && !(asked && confirmed) {
        bail!(
            "the judge runs code of strangers and should not be root: make a user for it and start it as that user, \
             for instance with 'runuser -u ludus -- ludus-judge serve --data /srv/ludus'; \
             to run it as root nevertheless, give --as-root and set {AS_ROOT}=yes"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn check(given: &str, environment: &[(&str, &str)], open: &str, all: &str) {
        let variable =
            |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, v)| OsString::from(v));
        let (rest, secrets) = apart(words(given), variable).unwrap();
        assert_eq!(rest, words(open), "{given}");
        assert_eq!(with_secrets(rest, &secrets), words(all), "{given}");
    }

    #[test]
    fn secrets_are_taken_out_and_put_back() {
        check("j serve --demo", &[], "j serve --demo", "j serve --demo");
        let all = "j serve --database postgres://u:p@h/d --demo";
        check(all, &[], "j serve --demo", all);
        check("j serve --demo --database=postgres://u:p@h/d", &[], "j serve --demo", all);
        check("j serve --demo", &[("LUDUS_DATABASE", "postgres://u:p@h/d")], "j serve --demo", all);
        check(all, &[("LUDUS_DATABASE", "sqlite:other")], "j serve --demo", all);
        check(
            "j admin --store s3://k:s@h/b --data x link a@b",
            &[],
            "j admin --data x link a@b",
            "j admin --store s3://k:s@h/b --data x link a@b",
        );
        check("j serve --database", &[], "j serve --database", "j serve --database");
        check("j --help", &[("LUDUS_STORE", "s3://k:s@h/b")], "j --help", "j --help");
    }

    #[test]
    fn the_password_of_postgres_goes_with_the_address() {
        let password = Some(OsString::from("a&b"));
        let with = |url: &str| with_password(url.into(), password.clone()).into_string().unwrap();
        assert_eq!(with("postgres://u@h/d"), "postgres://u@h/d?password=%61%26%62");
        assert_eq!(with("postgres://h/d?host=x"), "postgres://h/d?host=x&password=%61%26%62");
        for url in ["postgres://u:own@h/d", "sqlite:file", "postgres://u@h/d?password=own"] {
            assert_eq!(with(url), url);
        }
    }

    #[test]
    fn only_what_is_of_use_stays_in_the_environment() {
        for name in ["PATH", "HOME", "PGHOST", "LUDUS_AS_ROOT", "LUDUS_CACHE"] {
            assert!(is_kept(name.as_ref()), "{name}");
        }
        for name in [
            "PGPASSWORD",
            "LUDUS_DATABASE",
            "LUDUS_STORE",
            "LUDUS_SMTP",
            "AWS_SECRET_ACCESS_KEY",
            "SMTP_URL",
            "LD_PRELOAD",
        ] {
            assert!(!is_kept(name.as_ref()), "{name}");
        }
    }
}
