//! The `ludus` program.

fn main() -> std::process::ExitCode {
    ludus_cli::main()
}
