//! The parameters that a source declares, and the source in which they take the
//! values that the host gives.

use anyhow::{Result, bail};
use ludus_arena::tune::Parameter;
use ludus_sandbox::build::Language;
use ludus_sandbox::source::tokens::{Token, tokens};

/// As many as the SDK has room for.
const MOST: usize = 64;

/// A parameter and where its declaration stands in the source.
pub struct Declared {
    pub parameter: Parameter,
    line: usize,
    /// The macro's name, and everything between its brackets.
    name: std::ops::Range<usize>,
    inside: std::ops::Range<usize>,
    /// Its type, in Rust.
    kind: String,
}

fn macro_of(language: Language) -> &'static str {
    match language {
        Language::Cpp => "LUDUS_PARAM",
        Language::Rust => "ludus_param",
    }
}

/// The parameters of a source, in their order.
pub fn declared(source: &str, language: Language) -> Result<Vec<Declared>> {
    let tokens = tokens(source, language);
    let place = |token: &Token<'_>| token.text.as_ptr() as usize - source.as_ptr() as usize;
    let mut found: Vec<Declared> = Vec::new();
    for at in 0..tokens.len() {
        let is_defined = at > 0 && ["define", "undef", "ifdef", "ifndef"].contains(&tokens[at - 1].text);
        if tokens[at].text != macro_of(language) || is_defined {
            continue;
        }
        let mut rest = tokens[at + 1..].iter().skip_while(|token| token.text == "!");
        let Some(open) = rest.next().filter(|token| token.text == "(") else { continue };
        let line = tokens[at].line;
        let Some(close) = rest.find(|token| token.text == ")") else { bail!("line {line}: a bracket is missing") };
        let (name, inside) =
            (place(&tokens[at])..place(&tokens[at]) + tokens[at].text.len(), place(open) + 1..place(close));
        let (parameter, kind) = read(&source[inside.clone()], language).map_err(|error| {
            error.context(format!("line {line}: {}({})", macro_of(language), &source[inside.clone()]))
        })?;
        if found.iter().any(|other| other.parameter.name == parameter.name) {
            bail!("line {line}: there are two parameters called {}", parameter.name);
        }
        found.push(Declared { parameter, line, name, inside, kind });
    }
    if found.len() > MOST {
        bail!("it has {} parameters, and at most {MOST} are tuned at once", found.len());
    }
    Ok(found)
}

/// Reads `name, value, least, most`, or `name: type = value, least, most`.
fn read(inside: &str, language: Language) -> Result<(Parameter, String)> {
    let words: Vec<&str> = match language {
        Language::Cpp => inside.split(',').map(str::trim).collect(),
        Language::Rust => inside.trim().trim_end_matches(',').split([':', '=', ',']).map(str::trim).collect(),
    };
    let (name, kind, numbers) = match (language, &words[..]) {
        (Language::Cpp, [name, numbers @ ..]) if numbers.len() == 3 => (*name, "", numbers),
        (Language::Rust, [name, kind, numbers @ ..]) if numbers.len() == 3 => (*name, *kind, numbers),
        (Language::Cpp, _) => bail!("a parameter is a name, a value, the least and the most"),
        (Language::Rust, _) => bail!("a parameter is written as name: type = value, least, most"),
    };
    let whole = match language {
        Language::Cpp => !numbers[0].contains(['.', 'e', 'E']),
        Language::Rust => !kind.starts_with('f'),
    };
    let number = |text: &str| {
        let plain = text.trim_end_matches(['f', 'F', 'l', 'L', 'u', 'U']).replace(['_', '\''], "");
        let value = plain.parse::<f64>().ok().filter(|value| value.is_finite());
        value.ok_or_else(|| anyhow::anyhow!("'{text}' is no plain number"))
    };
    let (standard, low, high) = (number(numbers[0])?, number(numbers[1])?, number(numbers[2])?);
    if low >= high || !(low..=high).contains(&standard) {
        bail!("the value must lie between the least and the most");
    }
    if whole && [standard, low, high].iter().any(|number| number.fract() != 0.0) {
        bail!("a whole number has whole limits; write {standard}.0 if others make sense");
    }
    Ok((Parameter { name: name.to_owned(), standard, low, high, whole }, kind.to_owned()))
}

/// The source to be compiled for tuning. Its lines keep their numbers.
pub fn tunable(source: &str, language: Language, declared: &[Declared]) -> String {
    let mut text = source.to_owned();
    for (number, one) in declared.iter().enumerate().rev() {
        text.insert_str(one.inside.start, &format!("{number}, "));
        let is_path = source[..one.name.start].trim_end().ends_with("::");
        text.replace_range(
            one.name.clone(),
            match language {
                Language::Cpp => "LUDUS_TUNED",
                Language::Rust if is_path => "ludus_tuned",
                Language::Rust => "::ludus_player::ludus_tuned",
            },
        );
    }
    match language {
        Language::Cpp => format!("#include \"Tune.hh\"\n#line 1\n{text}"),
        Language::Rust => format!("{text}\n::ludus_player::ludus_tune_table!();\n"),
    }
}

impl Declared {
    /// The declaration with another value, to be put in the place of this one.
    pub fn with(&self, value: f64, language: Language) -> String {
        let Parameter { name, low, high, whole, .. } = &self.parameter;
        let number = |value: f64| if *whole { format!("{value:.0}") } else { format!("{value:?}") };
        let [value, low, high] = [value, *low, *high].map(number);
        let text = match language {
            Language::Cpp => format!("LUDUS_PARAM({name}, {value}, {low}, {high});"),
            Language::Rust => format!("ludus_param!({name}: {} = {value}, {low}, {high});", self.kind),
        };
        format!("{text}  // line {}", self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_and_made_tunable() {
        let source = "// LUDUS_PARAM(no, 1, 0, 2);\nLUDUS_PARAM(patience, 12, 0, 40);\nLUDUS_PARAM( bold , 0.5f, -1.0, 1.0 );\nint x = patience;\n";
        let found = declared(source, Language::Cpp).unwrap();
        let shown: Vec<_> = found
            .iter()
            .map(|one| (one.parameter.name.as_str(), one.parameter.standard, one.parameter.whole))
            .collect();
        assert_eq!(shown, [("patience", 12.0, true), ("bold", 0.5, false)]);
        assert_eq!(
            tunable(source, Language::Cpp, &found),
            "#include \"Tune.hh\"\n#line 1\n// LUDUS_PARAM(no, 1, 0, 2);\nLUDUS_TUNED(0, patience, 12, 0, 40);\n\
             LUDUS_TUNED(1,  bold , 0.5f, -1.0, 1.0 );\nint x = patience;\n"
        );
        assert_eq!(found[0].with(7.0, Language::Cpp), "LUDUS_PARAM(patience, 7, 0, 40);  // line 2");
        let rust =
            "ludus_param!(patience: i32 = 1_2, 0, 40);\nludus_player::ludus_param!(bold: f64 = 0.5, -1.0, 1.0,);\n";
        let found = declared(rust, Language::Rust).unwrap();
        assert_eq!((found[0].parameter.standard, found[0].parameter.whole), (12.0, true));
        assert_eq!(
            tunable(rust, Language::Rust, &found),
            "::ludus_player::ludus_tuned!(0, patience: i32 = 1_2, 0, 40);\nludus_player::ludus_tuned!(1, bold: f64 = 0.5, -1.0, 1.0,);\n\n\
             ::ludus_player::ludus_tune_table!();\n"
        );
        assert_eq!(found[1].with(0.25, Language::Rust), "ludus_param!(bold: f64 = 0.25, -1.0, 1.0);  // line 2");
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let check = |source: &str, message: &str| {
            let error = format!("{:#}", declared(source, Language::Cpp).err().unwrap());
            assert!(error.contains(message), "{error}");
        };
        check(
            "\nLUDUS_PARAM(a, 1, 0)",
            "line 2: LUDUS_PARAM(a, 1, 0): a parameter is a name, a value, the least and the most",
        );
        check("LUDUS_PARAM(a, N, 0, 2)", "'N' is no plain number");
        check("LUDUS_PARAM(a, 5, 0, 2)", "must lie between");
        check("LUDUS_PARAM(a, 1, 0.5, 2)", "write 1.0 if others make sense");
        check("LUDUS_PARAM(a, 1, 0, 2); LUDUS_PARAM(a, 1, 0, 2);", "two parameters called a");
        check("LUDUS_PARAM(a, 1, 0, 2", "a bracket is missing");
        assert!(declared("#define LUDUS_PARAM(a, b, c, d) int a = b\n", Language::Cpp).unwrap().is_empty());
    }
}
