//! Puts the files of a folder into a binary: a list of their names and contents.
//! The build scripts share it. The crate `include_dir` does the same in fewer
//! lines, but does not notice on a stable compiler that a file has been added.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Writes `FILES` for `include!`, with every wanted file below a folder of the
/// project, by name.
pub fn files(folder: &str, list: &str, is_wanted: fn(&str) -> bool) {
    let root = folder_of("CARGO_MANIFEST_DIR").join("../..").join(folder);
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    walk(&root, is_wanted, &mut files);
    files.sort();
    let mut text = String::from("pub static FILES: &[(&str, &str)] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&root).expect("it was found below").to_str().expect("files have plain names");
        let path = file.canonicalize().expect("it exists");
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("writing to memory");
    }
    text.push_str("];\n");
    std::fs::write(folder_of("OUT_DIR").join(list), text).expect("the output folder can be written");
}

fn folder_of(variable: &str) -> PathBuf {
    PathBuf::from(std::env::var_os(variable).expect("cargo sets it"))
}

fn walk(folder: &Path, is_wanted: fn(&str) -> bool, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let name = entry.file_name().into_string().expect("files have plain names");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && name != "target" => walk(&entry.path(), is_wanted, files),
            Ok(kind) if kind.is_file() && is_wanted(&name) => files.push(entry.path()),
            _ => {}
        }
    }
}
