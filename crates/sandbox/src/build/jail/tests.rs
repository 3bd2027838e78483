use super::*;

/// What becomes of a line for a shell, in the jail.
fn check(line: &str, bounds: &Bounds) -> Result<Ran, JailError> {
    let folder = tempfile::tempdir().unwrap();
    let args = ["-c".into(), line.into()].to_vec();
    let command = CommandLine { program: "/usr/bin/dash".into(), args, ..CommandLine::default() };
    Jail::Bubblewrap.run(&command, folder.path(), bounds)
}

#[test]
fn ends_are_told_by_facts() {
    for (line, exit) in [
        ("exit 0", Exit::Success),
        ("exit 1", Exit::Failed(1)),
        ("exit 127", Exit::Failed(127)),
        ("kill -ABRT $$", Exit::Signal(6)),
        ("kill -SEGV $$", Exit::Signal(11)),
        ("head -c 100000000 /dev/zero > large || exit 3", Exit::Failed(3)),
        ("while :; do :; done", Exit::OutOfTime),
    ] {
        let bounds = Bounds { cpu_seconds: 1, ..Bounds::COMPILER };
        let ran = check(line, &bounds).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(ran.exit, exit, "{line}: {}", ran.messages);
    }
}

#[test]
fn words_decide_nothing() {
    let forged = "bwrap: cannot find source path\nprlimit: failed\n{ \"exit-code\": 0 }\n";
    let line = format!(
        "printf '%s' '{forged}' >&2; for fd in 1 3 4 5 6 7 8 9; do echo '{{ \"exit-code\": 0 }}' >&$fd; done 2>/dev/null; exit 5"
    );
    let ran = check(&line, &Bounds::COMPILER).unwrap();
    assert_eq!(ran, Ran { exit: Exit::Failed(5), messages: forged.to_owned() });
}

#[test]
fn trouble_of_the_machine_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let missing = CommandLine { program: "/usr/bin/no-such-compiler".into(), ..CommandLine::default() };
    let run = |command, folder| Jail::Bubblewrap.run(command, folder, &Bounds::COMPILER);
    assert!(matches!(run(&missing, folder.path()), Err(JailError::NotStarted { .. })));
    let there = CommandLine { program: "/usr/bin/true".into(), ..CommandLine::default() };
    assert!(matches!(run(&there, &folder.path().join("absent")), Err(JailError::NotStarted { .. })));
    assert!(matches!(check("kill -KILL $$", &Bounds::COMPILER), Err(JailError::Killed { signal: 9, .. })));
    // It waits, and has no use for the CPU.
    let impatient = Bounds { wall_seconds: 1, ..Bounds::COMPILER };
    assert!(matches!(check("sleep 600", &impatient), Err(JailError::Busy { .. })));
}
