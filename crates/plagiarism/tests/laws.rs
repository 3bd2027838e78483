//! Ways of writing that are the same, and some that are not.

use ludus_plagiarism::{Analysed, Language};

fn hashes(text: &str, language: Language) -> Vec<u64> {
    let units = Analysed::of(text.as_bytes(), language).unwrap().units;
    units.iter().map(|unit| unit.hash).collect()
}

fn sorted(text: &str, language: Language) -> Vec<u64> {
    let mut hashes = hashes(text, language);
    hashes.sort_unstable();
    hashes
}

/// Two bodies of functions in C++ that are the same steps in the same order.
fn same(a: &str, b: &str) {
    let whole = |body: &str| format!("struct P : Player {{ void play() {{ {body} }} }};");
    let (a, b) = (whole(a), whole(b));
    let steps = hashes(&a, Language::Cpp);
    assert!(!steps.is_empty(), "{a}");
    assert_eq!(steps, hashes(&b, Language::Cpp), "\n{a}\n{b}");
}

fn same_in_any_order(a: &str, b: &str) {
    let whole = |body: &str| format!("struct P : Player {{ void play() {{ {body} }} }};");
    assert_eq!(sorted(&whole(a), Language::Cpp), sorted(&whole(b), Language::Cpp), "\n{a}\n{b}");
}

fn different(a: &str, b: &str) {
    let whole = |body: &str| format!("struct P : Player {{ void play() {{ {body} }} }};");
    assert_ne!(sorted(&whole(a), Language::Cpp), sorted(&whole(b), Language::Cpp), "\n{a}\n{b}");
}

#[test]
fn names_of_ones_own_do_not_count() {
    same("int x, y, z; int d = abs(x - y) + 2 * z;", "int a, b, c; int casa = abs(a - b) + 9 * c;");
    same("int a = 1; int b = move(a, a * 2);", "int foo = 7; int bar = move(foo, foo * 3);");
    different("int a = 1; move(a, a * 2);", "int a = 1; build(a, a * 2);");
}

#[test]
fn members_of_the_game_are_not_confused_with_names_of_ones_own() {
    same("for (int i = 0; i < 4; ++i) f(p.i, q[i]);", "for (int k = 0; k < 4; ++k) f(p.i, q[k]);");
}

#[test]
fn types_do_not_count() {
    same("int d = a + b;", "long long d = a + b;");
    same("int d = a + b;", "auto d = (long) (a + b);");
    same("vector<int> v(n, a + b);", "deque<long> v(n, a + b);");
    same("double d = double(a) / b;", "float d = static_cast<float>(a) / b;");
}

#[test]
fn declarations_are_split_and_joined() {
    same("int a = x + 1, b = y * 2;", "int a = x + 1; int b = y * 2;");
    same("int a; a = x + y;", "int a = x + y;");
}

#[test]
fn for_is_while() {
    same("for (int i = x + 1; i < n; ++i) f(i, x);", "int i = x + 1; while (i < n) { f(i, x); i++; }");
    same("for (;;) { if (a < b) break; f(a, b); }", "while (true) { if (a < b) break; f(a, b); }");
}

#[test]
fn conditions_and_their_opposites_are_the_same() {
    same_in_any_order("if (a < b) f(a, b); else g(b, a);", "if (!(a < b)) g(b, a); else f(a, b);");
    same_in_any_order("if (a < b) f(a, b); else g(b, a);", "if (a >= b) g(b, a); else f(a, b);");
    same("if (a < b and c == d) f(a, b);", "if (a < b) { if (c == d) f(a, b); }");
    same("if (a < b and c == d) f(a, b);", "if (not (a < b)) continue; if (c != d) continue; f(a, b);");
    same_in_any_order("x = a < b ? a + 1 : b + 2;", "if (a < b) x = a + 1; else x = b + 2;");
    same_in_any_order("switch (a.t) { case A: f(a, b); break; }", "if (a.t == A) f(a, b);");
}

#[test]
fn results_with_and_without_a_name_are_the_same() {
    same("move(id, step(p, q));", "int d = step(p, q); move(id, d);");
    same("if (far(p, q) < best) f(p, q);", "int d = far(p, q); if (d < best) f(p, q);");
}

#[test]
fn changes_are_written_in_many_ways() {
    same("v[i] += 2;", "v[i] = v[i] + 2;");
    same("++v[i];", "v[i]++;");
    same("v[i] += 1;", "++v[i];");
    same("p->x = a + b;", "p.x = b + a;");
    same("this->f(a, b);", "f(a, b);");
}

#[test]
fn macros_hide_nothing() {
    let plain = "struct P : Player { void play() { for (int i = 0; i < n; ++i) if (a < b) f(i, b); } };";
    let hidden = "#define per(v, n) for (int v = 0; v < n; ++v)\n#define si if\n#define crida(x) \\\n  f(x, b)\n\
                  struct P : Player { void play() { per(i, n) si (a < b) crida(i); } };";
    assert_eq!(hashes(plain, Language::Cpp), hashes(hidden, Language::Cpp));
    let endless = "#define a b b\n#define b a a\nvoid f() { a; }";
    assert!(Analysed::of(endless.as_bytes(), Language::Cpp).is_ok());
}

#[test]
fn places_are_those_of_the_source() {
    let text = "\u{feff}#define many for (int i = 0; i < 9; ++i)\nvoid f() {\n  many g(i, 1 + x);\n}\n";
    let units = Analysed::of(text.as_bytes(), Language::Cpp).unwrap().units;
    let shown: Vec<&str> = units.iter().map(|unit| &text[unit.start as usize..unit.end as usize]).collect();
    assert!(shown.contains(&"g(i, 1 + x)"), "{shown:?}");
    assert!(shown.contains(&"many"), "{shown:?}");
}

#[test]
fn functions_of_both_languages_are_alike() {
    let cpp = "int best(int n) { int top = 0; for (int i = 0; i < n; ++i) { int d = value(i, n) + grid[i][n]; \
               if (d > top) top = d + 1; visit(i, d); } return top * 2; }";
    let rust = "fn best(n: i32) -> i32 { let mut top = 0; for i in 0..n { let d = value(i, n) + grid[i as usize][n as usize]; \
                if d > top { top = d + 1; } visit(i, d); } top * 2 }";
    assert_eq!(sorted(cpp, Language::Cpp), sorted(rust, Language::Rust));
}
