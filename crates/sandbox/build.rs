//! Puts the SDK into the binary: a list of every file below `sdk/`, so that an
//! installed `ludus` needs nothing beside it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../sdk");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    walk(&root, &mut files);
    files.sort();
    let mut list = String::from("pub static FILES: &[(&str, &[u8])] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name =
            file.strip_prefix(&root).expect("it was found below").to_str().expect("the SDK's files have plain names");
        writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.canonicalize().expect("it exists"))
            .expect("writing to memory");
    }
    list.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("sdk.rs");
    std::fs::write(out, list).expect("the output folder can be written");
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the SDK can be read").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && name != "target" => walk(&path, files),
            Ok(kind) if kind.is_file() && name != "Cargo.lock" => files.push(path),
            _ => {}
        }
    }
}
