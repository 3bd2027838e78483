//! Attacks on the machine by what runs in the jail: a program that means harm,
//! as if a compiler had been taken over, and sources that make a compiler reach
//! for what is not theirs.

use std::path::{Path, PathBuf};

use ludus_sandbox::build::{Bounds, BuildError, Builder, CommandLine, Exit, Jail, JailError, Language, Ran, is_root};

use crate::builder;

/// What nobody in a jail may ever see.
const SECRET: &str = "ninety-nine-hedgehogs";

/// A file with the secret, readable by everybody outside.
fn secret() -> (tempfile::TempDir, PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    (folder, file)
}

/// A folder to work in, which others cannot get to.
fn work() -> (tempfile::TempDir, PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    for (path, mode) in [(folder.path(), 0o700), (&inside, 0o777)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    (folder, inside)
}

/// A program in the jail that does what it is told, in Perl.
fn run_in(folder: &Path, script: &str, bounds: &Bounds) -> Result<Ran, JailError> {
    let args = ["-e".into(), script.into()].to_vec();
    let tools = vec![("/usr/bin/sleep".into(), "/usr/bin/sleep".into())];
    let command = CommandLine { program: "/usr/bin/perl".into(), args, tools, ..CommandLine::default() };
    Jail::Bubblewrap.run(&command, folder, bounds)
}

/// What it says on standard error, having ended well.
fn said(script: &str) -> String {
    let (_folder, inside) = work();
    let ran = run_in(&inside, script, &Bounds::COMPILER).unwrap();
    assert_eq!(ran.exit, Exit::Success, "{script}: {}", ran.messages);
    ran.messages
}

#[test]
fn there_is_nothing_to_read() {
    let (_folder, secret) = secret();
    let places = [
        "/proc",
        "/proc/1/environ",
        "/proc/self/environ",
        "/proc/self/cmdline",
        "/proc/cpuinfo",
        "/sys",
        "/etc",
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hostname",
        "/root",
        "/home",
        "/var",
        "/run",
        "/usr/include",
        "/usr/src",
        "/usr/share",
        "/usr/bin/bash",
        "/bin/sh",
        "/dev/zero",
        "/dev/tty",
        "/dev/fd/0",
        "/dev/shm",
        env!("CARGO_MANIFEST_DIR"),
        env!("CARGO_TARGET_TMPDIR"),
        secret.to_str().unwrap(),
    ];
    let list = places.map(|place| format!("'{place}'")).join(", ");
    assert_eq!(said(&format!("print STDERR \"$_ \" for grep {{ lstat }} ({list})")), "");
    assert_eq!(said("opendir(D, '/'); print STDERR join ' ', sort readdir D"), ". .. dev lib lib64 ludus tmp usr");
    assert_eq!(said("opendir(D, '/dev'); print STDERR join ' ', sort readdir D"), ". .. null");
    assert_eq!(said("opendir(D, '/ludus'); print STDERR join ' ', sort readdir D"), ". .. work");
    assert_eq!(said("opendir(D, '/tmp/'); print STDERR join ' ', sort readdir D"), ". ..");
    assert_eq!(
        said("print STDERR \"$_=$ENV{$_} \" for sort keys %ENV"),
        "GLIBC_TUNABLES=glibc.malloc.hugetlb=1 PATH=/usr/bin:/bin PWD=/ludus/work SOURCE_DATE_EPOCH=0 "
    );
    assert_eq!(said("print STDERR join ' ', grep { open(my $f, \"<&=\", $_) } 3 .. 255"), "");
    // Its own name and that of the machine, from the kernel.
    assert_eq!(said("syscall(63, my $b = \"\\0\" x 400); print STDERR unpack 'x65Z65', $b"), "jail");
}

#[test]
fn there_is_nowhere_to_write() {
    let places = ["/x", "/usr/x", "/lib/x", "/dev/x", "/ludus/x", "/usr/bin/perl", "/ludus/work/../x"];
    let list = places.map(|place| format!("'{place}'")).join(", ");
    assert_eq!(said(&format!("print STDERR \"$_ \" for grep {{ open(my $f, '>', $_) }} ({list})")), "");
    assert_eq!(said(&format!("print STDERR \"$_ \" for grep {{ mkdir or unlink }} ({list})")), "");
    let (_folder, inside) = work();
    let ran = run_in(&inside, "open(F, '>', 'made') or die; print F 'x'", &Bounds::COMPILER).unwrap();
    assert_eq!(ran.exit, Exit::Success, "{}", ran.messages);
    let made = std::fs::metadata(inside.join("made")).unwrap();
    // Where we are root, the program is not, for the world outside too.
    let owner = std::os::unix::fs::MetadataExt::uid(&made);
    assert!(if is_root() { owner == 65534 } else { owner != 0 }, "{owner}");
}

#[test]
fn the_program_is_nobody_and_stays_so() {
    assert_eq!(
        said("my %all = map { $_ => 1 } $<, $>, split(' ', $(), split(' ', $)); print STDERR keys %all"),
        "65534"
    );
    assert_eq!(said("$< = $> = 0; $( = $) = 0; print STDERR \"$< $>\""), "65534 65534");
    // The one process that is not its own is above its reach.
    assert_eq!(said("kill 9, 1; kill 9, getppid; select undef, undef, undef, 0.01; print STDERR getppid"), "1");
}

#[test]
fn system_calls_that_no_compiler_needs_do_not_exist() {
    let forbidden = [
        ("socket", 41),
        ("socketpair", 53),
        ("ptrace", 101),
        ("syslog", 103),
        ("setuid", 105),
        ("setgid", 106),
        ("capset", 126),
        ("personality", 135),
        ("pivot_root", 155),
        ("chroot", 161),
        ("acct", 163),
        ("settimeofday", 164),
        ("mount", 165),
        ("umount2", 166),
        ("swapon", 167),
        ("reboot", 169),
        ("sethostname", 170),
        ("init_module", 175),
        ("kexec_load", 246),
        ("add_key", 248),
        ("request_key", 249),
        ("keyctl", 250),
        ("inotify_init", 253),
        ("unshare", 272),
        ("perf_event_open", 298),
        ("fanotify_init", 300),
        ("name_to_handle_at", 303),
        ("open_by_handle_at", 304),
        ("setns", 308),
        ("process_vm_readv", 310),
        ("process_vm_writev", 311),
        ("finit_module", 313),
        ("bpf", 321),
        ("userfaultfd", 323),
        ("io_uring_setup", 425),
        ("open_tree", 428),
        ("move_mount", 429),
        ("fsopen", 430),
        ("pidfd_open", 434),
        ("clone3", 435),
        ("pidfd_getfd", 438),
        ("write as the other interface knows it", 0x4000_0001),
    ];
    let list = forbidden.map(|(_, number)| number.to_string()).join(", ");
    let answers =
        said(&format!("print STDERR join ' ', map {{ $! = 0; syscall($_, 0, 0, 0, 0, 0) . ':' . ($!+0) }} ({list})"));
    for ((name, _), answer) in forbidden.iter().zip(answers.split(' ')) {
        assert_eq!(answer, format!("-1:{}", libc::ENOSYS), "{name}");
    }
    assert_eq!(answers.split(' ').count(), forbidden.len());
    // A new namespace of every kind, with the call that also makes processes.
    for flag in [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000] {
        let answer = said(&format!("print STDERR syscall(56, {flag} | 17, 0, 0, 0, 0), ' ', $!+0"));
        assert_eq!(answer, format!("-1 {}", libc::EPERM), "{flag:x}");
    }
    // Typing into the terminal of whoever started the judge.
    assert_eq!(said("print STDERR syscall(16, 0, 0x5412, my $key = 'x'), ' ', $!+0"), format!("-1 {}", libc::ENOTTY));
}

#[test]
fn nothing_can_be_used_up() {
    let (_folder, inside) = work();
    let run = |script: &str, bounds: &Bounds| run_in(&inside, script, bounds).unwrap();
    let few = Bounds { processes: 12, ..Bounds::COMPILER };
    let forks = run(
        "my $n = 0; while ($n < 200) { my $p = fork; last unless defined $p; if (!$p) { sleep 20; exit } $n++ } print STDERR $n",
        &few,
    );
    assert!((1..=12).contains(&forks.messages.parse::<u32>().unwrap()), "{}", forks.messages);
    let small = Bounds { memory: 256 << 20, ..Bounds::COMPILER };
    assert_ne!(run("my $x = 'x' x (1 << 29); print STDERR 'had it'", &small).messages, "had it");
    let files = Bounds { file: 1 << 20, ..Bounds::COMPILER };
    let written = run("open(F, '>', 'large'); print F 'x' x 65536 for 1 .. 100", &files);
    assert_eq!(written.exit, Exit::Signal(libc::SIGXFSZ));
    assert!(std::fs::metadata(inside.join("large")).unwrap().len() <= 1 << 20);
    // Only what is kept of endless words takes room.
    let words = Bounds { cpu_seconds: 1, ..Bounds::COMPILER };
    let endless = run("print STDERR 'words ' x 1000 while 1", &words);
    assert_eq!((endless.exit, endless.messages.len()), (Exit::OutOfTime, 64 << 10));
    // Whoever is left behind ends with the program.
    let begun = std::time::Instant::now();
    assert_eq!(run("if (!fork) { exec 'sleep', 600 }", &Bounds::COMPILER).exit, Exit::Success);
    assert!(begun.elapsed().as_secs() < 300);
}

fn cpp(builder: &Builder, prelude: &str) -> Result<Vec<u8>, String> {
    let source = format!(
        "#include \"Player.hh\"\n#define PLAYER_NAME Nosy\n{prelude}\nstruct PLAYER_NAME : public Player {{\nstatic Player* factory() {{ return new PLAYER_NAME; }}\nvirtual void play() {{ cerr << __FILE__ << __builtin_FILE() << endl; assert(round() >= 0); }}\n}};\nRegisterPlayer(PLAYER_NAME);\n"
    );
    told(builder.build("ants", Language::Cpp, source.as_bytes()))
}

/// The module, or the compiler's messages; whatever it is, the secret is not in
/// it, nor anything of this machine.
fn told(built: Result<Vec<u8>, BuildError>) -> Result<Vec<u8>, String> {
    let bytes = match &built {
        Ok(module) => module.clone(),
        Err(BuildError::Compiler(messages)) => messages.clone().into_bytes(),
        Err(error) => panic!("trouble of the machine: {error}"),
    };
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let here = [SECRET, env!("CARGO_MANIFEST_DIR"), env!("CARGO_TARGET_TMPDIR"), "/root", "/home/", "LUDUS_", "x86_64"];
    for word in here.into_iter().chain([machine.trim()].into_iter().filter(|name| name.len() > 4)) {
        let found = bytes.windows(word.len()).any(|window| window == word.as_bytes());
        assert!(!found, "{word:?} is in {}", String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]));
    }
    built.map_err(|error| error.to_string())
}

#[test]
fn cpp_sources_reach_for_files() {
    let (_folder, secret) = secret();
    let secret = secret.display().to_string();
    let builder = builder();
    let places = [
        "/proc/1/environ",
        "/proc/self/environ",
        "/etc/passwd",
        "/usr/include/stdio.h",
        "/bin/sh",
        "/dev/zero",
        &secret,
    ];
    // Asked in every way that the language has; were one there, it would not compile.
    let mut nosy = String::new();
    for place in places {
        nosy += &format!("#if __has_include(\"{place}\") || __has_include(<{place}>)\n#error it is there\n#endif\n");
        nosy += &format!("%:if __has_include_next(<../../../..{place}>)\n%:error it is there\n%:endif\n");
        nosy += &format!("??=if __has_embed(\"{place}\") == 1\n??=error it is there\n??=endif\n").replace("??=", "#");
    }
    cpp(&builder, &nosy).unwrap();
    for (name, attack) in [
        ("include", format!("#include \"{secret}\"")),
        ("digraph", format!("%:include <{secret}>")),
        ("macro", format!("#define FILE \"{secret}\"\n#include FILE")),
        ("path upwards", format!("#include \"../../../../../../..{secret}\"")),
        ("import", format!("#import \"{secret}\"")),
        ("embed", format!("const unsigned char stolen[] = {{\n#embed \"{secret}\"\n}};")),
        ("pragma", format!("#pragma GCC dependency \"{secret}\"\n#error stop")),
        ("assembler", format!("asm(\".incbin \\\"{secret}\\\"\");")),
        ("assembler include", format!("asm(\".include \\\"{secret}\\\"\");")),
    ] {
        let messages = cpp(&builder, &attack).expect_err(name);
        assert!(messages.contains("error"), "{name}: {messages}");
    }
}

#[test]
fn cpp_sources_pretend_to_be_the_machine() {
    let builder = builder();
    for (name, attack) in [
        ("a name", "#line 1 \"bwrap\"\nint x = ;"),
        ("a message", "#error bwrap: Can't find source path /usr: No such file or directory"),
        ("a header", "#line 1 \"fatal error: malformed or corrupted AST file: 'player.pch'\"\nint x = ;"),
        (
            "a library",
            "#pragma comment(lib, \"no-such-library\")\nextern void missing(); static int x = (missing(), 1);",
        ),
    ] {
        // The names of what is imported decide in the sandbox, not here.
        assert!(cpp(&builder, attack).is_err() || name == "a library", "{name}");
    }
}

fn rust(prelude: &str) -> Result<Vec<u8>, String> {
    let source = format!(
        "{prelude}\nuse ludus_player::ants::*;\nstruct Nosy;\nimpl Player for Nosy {{ fn new(_: &Game) -> Self {{ Nosy }} fn play(&mut self, game: &Game) {{ if game.round() < 0 {{ panic!(\"{{}}\", file!()) }} }} }}\nplayer!(Nosy, \"Nosy\");\n"
    );
    told(builder().build("ants", Language::Rust, source.as_bytes()))
}

#[test]
fn rust_sources_reach_for_files() {
    let (_folder, secret) = secret();
    let secret = secret.display();
    let absent = "No such file or directory";
    for (attack, answer) in [
        (format!("#[path = \"{secret}\"] mod stolen;"), absent),
        ("#[path = \"/proc/1/environ\"] mod environment;".into(), absent),
        ("mod other;".into(), "file not found for module"),
        ("use core::include as h; fn a() { h!(\"/proc/1/environ\"); }".into(), absent),
        (format!("use std::include_bytes as b; static B: &[u8] = b!(\"{secret}\");"), absent),
        (format!("static C: &str = include_str!(\"../../../../../..{secret}\");"), absent),
        (format!("#[doc = include_str!(\"{secret}\")] struct Documented;"), absent),
        (
            format!("macro_rules! m {{ ($i:ident) => {{ $i!(\"{secret}\") }} }} static D: &str = m!(include_str);"),
            absent,
        ),
        ("static E: &str = include_str!(\"/etc/passwd\");".into(), absent),
        ("static F: &str = include_str!(concat!(\"/pro\", \"c/self/environ\"));".into(), absent),
        ("static G: &str = env!(\"HOME\");".into(), "not defined at compile time"),
        ("use std::env as e; static H: &str = e!(\"PGPASSWORD\");".into(), "not defined at compile time"),
        ("#![feature(trace_macros)]".into(), "may not be used on the stable release channel"),
        ("extern crate serde;".into(), "can't find crate"),
    ] {
        let messages = rust(&attack).expect_err(&attack);
        assert!(messages.contains(answer), "{attack}: {messages}");
    }
}

#[test]
fn rust_sources_find_no_environment() {
    let names =
        ["HOME", "USER", "LUDUS_DATABASE", "PGPASSWORD", "CARGO_MANIFEST_DIR", "RUSTUP_HOME", "TMPDIR", "LC_ALL"];
    let checks = names.map(|name| format!("const _: () = assert!(option_env!(\"{name}\").is_none());\n"));
    rust(&checks.concat()).unwrap();
}

/// The same test is the other user too: it then finds where to put its module.
#[test]
fn root_and_others_compile_to_the_same_bytes() {
    use std::os::unix::fs::PermissionsExt as _;
    const PLACE: &str = "LUDUS_TEST_OTHER_USER";
    if let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) {
        let builder = Builder::jailed(place.join("cache")).unwrap();
        std::fs::write(place.join("module"), cpp(&builder, "").unwrap()).unwrap();
        return;
    }
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let trial = ["bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"];
    let works = std::process::Command::new("setpriv").args(user).args(trial).output();
    if !is_root() || !works.is_ok_and(|trial| trial.status.success()) {
        eprintln!("only root can be another user, and only where that one may have a jail");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let program = place.path().join("test");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let mut other = std::process::Command::new("setpriv");
    other.args(user).arg(&program).args(["--exact", "jail::root_and_others_compile_to_the_same_bytes"]);
    let path = std::env::var_os("PATH").unwrap();
    let output = other.env_clear().env("PATH", path).env(PLACE, place.path()).current_dir("/").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let own = Builder::jailed(place.path().join("our cache")).unwrap();
    assert!(cpp(&own, "").unwrap() == std::fs::read(place.path().join("module")).unwrap());
}

/// A cache, with all that is in it of one kind.
fn folders(cache: &Path, kind: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir() && path.file_name().unwrap().to_str().unwrap().starts_with(kind)).collect()
}

#[test]
fn what_was_compiled_beforehand_is_made_again_when_it_is_damaged() {
    let caches = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [one, other] = caches.each_ref().map(|cache| Builder::jailed(cache.path().join("a folder")).unwrap());
    // Two caches in different places, one module.
    let expected = cpp(&one, "").unwrap();
    assert!(cpp(&other, "").unwrap() == expected);
    let cache = other.cache().to_owned();
    let spoil = |kind: &str, file: &str| {
        let [folder] = <[PathBuf; 1]>::try_from(folders(&cache, kind)).unwrap();
        let path = folder.join(file);
        let mut content = std::fs::read(&path).unwrap();
        let half = content.len() / 2;
        content[..half].fill(0);
        std::fs::write(&path, content).unwrap();
        std::fs::remove_dir_all(cache.join("players")).unwrap();
    };
    for (kind, file) in [("header-", "header.pch"), ("cpp-", "runtime.o")] {
        spoil(kind, file);
        assert!(cpp(&other, "").unwrap() == expected, "{kind}");
    }
    // A source that is really wrong is still refused, with the same words.
    spoil("header-", "header.pch");
    let wrong = "int wrong = ;";
    assert_eq!(cpp(&other, wrong).unwrap_err(), cpp(&one, wrong).unwrap_err());
    assert_eq!(folders(&cache, "work-"), Vec::<PathBuf>::new());
    assert!(is_root() || !folders(&cache, "header-").is_empty());
}
