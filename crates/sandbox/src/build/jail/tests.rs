//! What programs in a jail can see, and how they end.

use super::*;
use crate::build::{CommandLine, TemporaryFolder};

/// What becomes of a line for a shell, in the jail.
fn check(line: &str, bounds: &Bounds) -> Result<Ran, JailError> {
    let cache = tempfile::tempdir().unwrap();
    let folder = TemporaryFolder::new(cache.path()).unwrap();
    let args = ["-c".into(), line.into()].to_vec();
    let tools = vec![("/usr/bin/sleep".into(), "/usr/bin/sleep".into())];
    let command = CommandLine { program: "/usr/bin/dash".into(), args, tools, ..CommandLine::default() };
    Jail::Bubblewrap.run(&command, folder.path(), bounds)
}

#[test]
fn ends_are_told_by_facts() {
    for (line, exit) in [
        ("exit 0", Exit::Success),
        ("exit 1", Exit::Failed(1)),
        ("exit 126", Exit::Failed(126)),
        ("exit 255", Exit::Failed(255)),
        ("kill -ABRT $$", Exit::Signal(6)),
        ("kill -SEGV $$", Exit::Signal(11)),
        ("while echo 0123456789; do :; done > large", Exit::Signal(25)),
        ("while :; do :; done", Exit::OutOfTime),
    ] {
        let bounds = Bounds { cpu_seconds: 1, file: 4096, ..Bounds::COMPILER };
        let ran = check(line, &bounds).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(ran.exit, exit, "{line}: {}", ran.messages);
    }
}

#[test]
fn cpu_time_is_told() {
    let bounds = Bounds { cpu_seconds: 1, ..Bounds::COMPILER };
    let busy = check("while :; do :; done", &bounds).unwrap();
    assert!(busy.cpu >= Duration::from_millis(100), "{:?}", busy.cpu);
    let idle = check("sleep 0.5", &bounds).unwrap();
    assert!(idle.cpu < Duration::from_millis(500), "{:?}", idle.cpu);
}

#[test]
fn words_decide_nothing() {
    let forged = "bwrap: cannot find source path\nprlimit: failed\n{ \"exit-code\": 0 }\n";
    let line = format!(
        "printf '%s' '{forged}' >&2; for fd in 1 3 4 5 6 7 8 9; do echo '{{ \"exit-code\": 0 }}' >&$fd; done 2>/dev/null; exit 5"
    );
    let ran = check(&line, &Bounds::COMPILER).unwrap();
    assert_eq!((ran.exit, ran.messages.as_str()), (Exit::Failed(5), forged));
}

#[test]
fn trouble_of_the_machine_is_an_error() {
    let cache = tempfile::tempdir().unwrap();
    let folder = TemporaryFolder::new(cache.path()).unwrap();
    let missing = CommandLine { program: "/usr/bin/no-such-compiler".into(), ..CommandLine::default() };
    let run = |command, folder| Jail::Bubblewrap.run(command, folder, &Bounds::COMPILER);
    assert!(matches!(run(&missing, folder.path()), Err(JailError::NotStarted { .. })));
    let there = CommandLine { program: "/usr/bin/true".into(), ..CommandLine::default() };
    assert!(run(&there, &folder.path().join("absent")).is_err());
    // What the loader says of a library that is missing.
    assert!(matches!(check("exit 127", &Bounds::COMPILER), Err(JailError::NotStarted { .. })));
    assert!(matches!(check("kill -KILL $$", &Bounds::COMPILER), Err(JailError::Killed { signal: 9, .. })));
    // It waits, and has no use for the CPU.
    let impatient = Bounds { wall_seconds: 1, ..Bounds::COMPILER };
    let begun = std::time::Instant::now();
    assert!(matches!(check("sleep 600", &impatient), Err(JailError::Busy { .. })));
    assert!(begun.elapsed().as_secs() < 300, "nobody of it is waited for");
}

#[test]
fn folders_of_others_are_neither_shown_nor_touched() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let outer = tempfile::tempdir().unwrap();
    let state = |path: &Path| {
        let found = std::fs::symlink_metadata(path).unwrap();
        (found.mode(), found.uid(), found.gid(), found.ctime(), found.ctime_nsec())
    };
    // Like /tmp itself, like a folder of a user, and like one in a public place.
    for (above, mode) in [(0o755, 0o1777), (0o700, 0o1777), (0o700, 0o700), (0o755, 0o777), (0o1777, 0o777)] {
        let parent = outer.path().join(format!("{above:o}-{mode:o}"));
        let folder = parent.join("folder");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("of somebody");
        std::fs::write(&file, "content").unwrap();
        for (path, mode) in [(&folder, mode), (&parent, above)] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let before = [&parent, &folder, &file].map(|path| state(path));
        let program = CommandLine { program: "/usr/bin/true".into(), ..CommandLine::default() };
        let ran = Jail::Bubblewrap.run(&program, &folder, &Bounds::COMPILER);
        assert!(matches!(ran, Err(JailError::Start { .. })), "{above:o} {mode:o}: {ran:?}");
        assert_eq!([&parent, &folder, &file].map(|path| state(path)), before, "{above:o} {mode:o}");
    }
    let target = TemporaryFolder::new(outer.path()).unwrap();
    let link = target.path().parent().unwrap().join("link");
    std::os::unix::fs::symlink("/tmp", &link).unwrap();
    let program = CommandLine { program: "/usr/bin/true".into(), ..CommandLine::default() };
    assert!(matches!(Jail::Bubblewrap.run(&program, &link, &Bounds::COMPILER), Err(JailError::Start { .. })));
}

#[test]
fn a_program_from_anywhere_runs() {
    // Outside the system's folders, and in the one that is otherwise a link.
    let cache = tempfile::tempdir().unwrap();
    let program = cache.path().join("a copy");
    std::fs::copy("/usr/bin/dash", &program).unwrap();
    let folder = TemporaryFolder::new(cache.path()).unwrap();
    folder.write("input", b"words").unwrap();
    let args = ["-c".into(), "read line < input; echo $line > output; pwd >&2".into()].to_vec();
    let command = CommandLine { program, args, ..CommandLine::default() };
    let ran = Jail::Bubblewrap.run(&command, folder.path(), &Bounds::COMPILER).unwrap();
    assert_eq!((ran.exit, ran.messages.as_str()), (Exit::Success, "/ludus/work\n"));
    assert_eq!(folder.read("output", 100).unwrap(), b"words\n");
}

#[test]
fn what_cannot_be_limited_does_not_begin() {
    let cache = tempfile::tempdir().unwrap();
    let folder = TemporaryFolder::new(cache.path()).unwrap();
    let args = ["-c".into(), "echo > begun".into()].to_vec();
    let command = CommandLine { program: "/usr/bin/dash".into(), args, ..CommandLine::default() };
    // More processes than anybody may have.
    let bounds = Bounds { processes: u64::MAX - 1, ..Bounds::COMPILER };
    let ran = Jail::Bubblewrap.run(&command, folder.path(), &bounds);
    assert!(matches!(ran, Err(JailError::NotStarted { .. })), "{ran:?}");
    assert!(folder.read("begun", 100).is_err());
}
