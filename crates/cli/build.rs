//! Puts the folders that `ludus new` makes into the binary: example players,
//! API pages and configs of every game.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../content");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    walk(&root, &mut files);
    files.sort();
    let mut list = String::from("pub static FILES: &[(&str, &str)] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&root).expect("it was found below").to_str().expect("content has plain names");
        let path = file.canonicalize().expect("it exists");
        writeln!(list, "    ({name:?}, include_str!({path:?})),").expect("writing to memory");
    }
    list.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("content.rs");
    std::fs::write(out, list).expect("the output folder can be written");
}

/// Players, API pages and default configs; the rules pages and the translations
/// are for the site.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("content can be read").flatten() {
        let path = entry.path();
        let name = entry.file_name().into_string().expect("content has plain names");
        if path.is_dir() {
            walk(&path, files);
        } else if ["default.cnf", "api.cpp.md", "api.rust.md"].contains(&name.as_str())
            || name.ends_with(".cc")
            || name.ends_with(".rs")
        {
            files.push(path);
        }
    }
}
