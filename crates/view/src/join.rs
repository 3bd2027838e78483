//! One script out of many modules.
//!
//! A module becomes a function that is called once, imports become constants
//! and exports its result, so names need not differ between modules. This
//! understands the plain forms that the viewer uses, one to a line, and no others:
//! `import { a, b } from "./file.js";` and `export` before a declaration.

/// The modules that `entry` needs, each after those it imports.
///
/// # Panics
/// If a module imports one that is not there, or a line is of another form:
/// the modules are part of the program, and its tests join them.
pub fn join(modules: &[(&str, &str)], entry: &str) -> String {
    let mut joined = String::new();
    add(modules, entry, &mut Vec::new(), &mut joined);
    joined
}

fn add<'a>(modules: &[(&'a str, &'a str)], name: &'a str, done: &mut Vec<&'a str>, joined: &mut String) {
    if done.contains(&name) {
        return;
    }
    // Noted before its imports, so that modules in a circle end here too.
    done.push(name);
    let (_, text) = modules.iter().find(|(known, _)| *known == name).expect("a module of the viewer");
    let mut body = String::new();
    let mut exports = Vec::new();
    for line in text.lines() {
        if let Some(import) = line.strip_prefix("import ") {
            let (names, from) = import.split_once(" from \"./").expect("an import of a module of the viewer");
            let from = from.strip_suffix("\";").expect("an import on one line");
            add(modules, from, done, joined);
            body.push_str(&format!("const {names} = {};\n", variable(from)));
        } else if let Some(declaration) = line.strip_prefix("export ") {
            exports.push(declared(declaration));
            body.push_str(declaration);
            body.push('\n');
        } else {
            body.push_str(line);
            body.push('\n');
        }
    }
    let exports = exports.join(", ");
    joined.push_str(&format!("const {} = (() => {{\n{body}return {{ {exports} }};\n}})();\n", variable(name)));
}

/// The name that a declaration gives.
fn declared(declaration: &str) -> &str {
    let kinds = ["async function ", "function ", "class ", "const "];
    let name = kinds.iter().find_map(|kind| declaration.strip_prefix(kind)).expect("a declaration");
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    &name[..end]
}

fn variable(module: &str) -> String {
    format!("${}", module.strip_suffix(".js").expect("a script"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::{MODULES, SCRIPT};

    #[test]
    fn modules_come_after_what_they_import() {
        let modules = [
            ("a.js", "import { two, Three } from \"./b.js\";\nconsole.log(two(), Three);\n"),
            ("b.js", "export function two() {}\nexport class Three {}\nexport const four = 4;\nconst five = 5;\n"),
        ];
        let expected = "const $b = (() => {\nfunction two() {}\nclass Three {}\nconst four = 4;\nconst five = 5;\n\
                        return { two, Three, four };\n})();\n\
                        const $a = (() => {\nconst { two, Three } = $b;\nconsole.log(two(), Three);\nreturn {  };\n})();\n";
        assert_eq!(join(&modules, "a.js"), expected);
    }

    #[test]
    fn a_module_is_joined_once() {
        let modules = [
            ("a.js", "import { b } from \"./b.js\";\nimport { c } from \"./c.js\";\n"),
            ("b.js", "import { c } from \"./c.js\";\nexport const b = c;\n"),
            ("c.js", "export const c = 1;\n"),
        ];
        assert_eq!(join(&modules, "a.js").matches("const $c").count(), 1);
    }

    #[test]
    fn the_whole_viewer_is_joined() {
        for (name, _) in MODULES {
            assert!(SCRIPT.contains(&format!("const {} = (() =>", variable(name))), "{name} is not reached");
        }
        assert!(!SCRIPT.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    }
}
