//! Programs that nobody wrote: as long and as mixed as real ones, no two alike.

use super::Chance;

const ASKED: [&str; 16] = [
    "cell", "unit", "pos_ok", "abs", "random", "status", "citizen", "ant", "workers", "soldiers", "rows", "cols",
    "dist", "value", "enemy", "score",
];
const DONE: [&str; 8] = ["move", "build", "take", "leave", "lay", "command", "push_back", "insert"];
const FIELDS: [&str; 8] = ["pos", "id", "type", "player", "i", "j", "life", "owner"];
const KINDS: [&str; 8] = ["Worker", "Queen", "Soldier", "Water", "Street", "Wall", "Ghost", "Money"];

/// A player in C++ of so many lines.
pub fn program(seed: u64, lines: usize) -> String {
    let mut writer = Writer { chance: Chance::new(seed), text: Vec::new(), names: 0 };
    writer.line(0, "#include \"Player.hh\"");
    writer.line(0, &format!("#define PLAYER_NAME P{seed}"));
    writer.line(0, "struct PLAYER_NAME : public Player {");
    while writer.text.len() + 2 < lines {
        writer.function(lines);
    }
    writer.line(0, "};");
    writer.line(0, "RegisterPlayer(PLAYER_NAME);");
    writer.text.join("\n")
}

struct Writer {
    chance: Chance,
    text: Vec<String>,
    names: usize,
}

impl Writer {
    fn line(&mut self, depth: usize, text: &str) {
        self.text.push(format!("{}{text}", "  ".repeat(depth)));
    }

    fn one<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.chance.below(from.len())]
    }

    fn function(&mut self, lines: usize) {
        self.names += 1;
        let head = format!("int f{}(int a, Pos p) {{", self.names);
        self.line(1, &head);
        let end = (self.text.len() + 8 + self.chance.below(25)).min(lines);
        while self.text.len() < end {
            self.statement(2);
        }
        let value = self.value(2);
        self.line(2, &format!("return {value};"));
        self.line(1, "}");
    }

    fn statement(&mut self, depth: usize) {
        let choice = self.chance.below(if depth > 3 { 7 } else { 11 });
        match choice {
            5 => {
                let place = self.place();
                self.line(depth, &format!("++{place};"));
            }
            6 => {
                let name = self.one(&DONE);
                self.line(depth, &format!("{name}(a, p);"));
            }
            0 | 1 => {
                self.names += 1;
                let value = self.value(2);
                let text = format!("int v{} = {value};", self.names);
                self.line(depth, &text);
            }
            2 => {
                let (place, value) = (self.place(), self.value(1));
                let sign = self.one(&["=", "+=", "-=", "="]);
                self.line(depth, &format!("{place} {sign} {value};"));
            }
            3 | 4 => {
                let (name, a, b) = (self.one(&DONE), self.value(1), self.value(1));
                self.line(depth, &format!("{name}({a}, {b});"));
            }
            7 | 8 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(depth + 1);
                self.line(depth, "}");
            }
            9 => {
                self.names += 1;
                let (name, end) = (format!("k{}", self.names), self.value(1));
                self.line(depth, &format!("for (int {name} = 0; {name} < {end}; ++{name}) {{"));
                self.block(depth + 1);
                self.line(depth, "}");
            }
            _ => {
                let condition = self.condition();
                self.line(depth, &format!("while ({condition}) {{"));
                self.block(depth + 1);
                self.line(depth, "}");
            }
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.chance.below(3) {
            self.statement(depth);
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(1), self.value(1));
        let sign = self.one(&["<", ">", "==", "!=", "<=", ">="]);
        let first = format!("{a} {sign} {b}");
        if self.chance.below(5) == 0 { format!("{first} and {}", self.condition()) } else { first }
    }

    fn place(&mut self) -> String {
        let name = format!("v{}", self.chance.below(self.names.max(1)));
        match self.chance.below(4) {
            0 => format!("{name}[{}]", self.value(1)),
            1 => format!("{name}.{}", self.one(&FIELDS)),
            2 => format!("{name}[a][{}]", self.value(1)),
            _ => name,
        }
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.place();
        }
        match self.chance.below(8) {
            0 | 6 => self.chance.below(100).to_string(),
            1 => self.one(&KINDS).to_owned(),
            2 => format!("{}({})", self.one(&ASKED), self.value(depth - 1)),
            3 => format!("{}({}, {})", self.one(&ASKED), self.value(depth - 1), self.value(depth - 1)),
            4 | 5 => {
                format!("{} {} {}", self.value(depth - 1), self.one(&["+", "-", "*", "/", "%"]), self.value(depth - 1))
            }
            _ => self.place(),
        }
    }
}
