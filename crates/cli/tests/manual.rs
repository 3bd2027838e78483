//! `ludus manual`: a page for every command, and completions for three shells.

use std::process::Command;

use crate::ludus::{folder, ludus, text};

#[test]
fn every_command_has_a_page_and_is_completed() {
    let folder = folder!("pages");
    let output = ludus(&folder, "manual share");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |file: &str| std::fs::read_to_string(folder.join("share").join(file)).unwrap();
    for command in ["play", "arena", "compare", "tune", "league", "new", "manual"] {
        let page = read(&format!("man/man1/ludus-{command}.1"));
        assert!(page.contains("SYNOPSIS") && page.contains(".TH"), "{command}: {page}");
        for file in
            ["bash-completion/completions/ludus", "zsh/site-functions/_ludus", "fish/vendor_completions.d/ludus.fish"]
        {
            assert!(read(file).contains(command), "{file} lacks {command}");
        }
    }
    assert!(read("man/man1/ludus-arena.1").contains("head\\-to\\-head"));
    assert!(read("bash-completion/completions/ludus").contains("--head-to-head"));
    // What bash makes of it, where there is one.
    let complete = "source share/bash-completion/completions/ludus && COMP_WORDS=(ludus comp) COMP_CWORD=1 && _ludus ludus comp ludus && echo ${COMPREPLY[@]}";
    if let Ok(completed) = Command::new("bash").args(["-c", complete]).current_dir(&folder).output() {
        assert_eq!(text(&completed.stdout).trim(), "compare", "{}", text(&completed.stderr));
    }
}
