//! What the sandbox says of sources and modules. It says so in English, and so it is
//! kept; it is translated where it is shown. Words of compilers stay as they are.

use std::borrow::Cow;

use super::{Language, detail_of};

/// A sentence in every language; what stands for `{}` is the same, in the same order.
type Saying = [&'static str; 3];

/// Lines of ours among those of a compiler.
const OF_SOURCES: [Saying; 5] = [
    [
        "this never catches anything: an exception ends the player",
        "això no captura mai res: una excepció acaba amb el jugador",
        "esto nunca captura nada: una excepción termina con el jugador",
    ],
    [
        "'{}': players have no threads, a match asks one player at a time",
        "'{}': els jugadors no tenen fils, una partida pregunta als jugadors d'un en un",
        "'{}': los jugadores no tienen hilos, una partida pregunta a los jugadores de uno en uno",
    ],
    ["it is larger than {} KB", "fa més de {} KB", "ocupa más de {} KB"],
    ["its module is larger than {} MiB", "el seu mòdul fa més de {} MiB", "su módulo ocupa más de {} MiB"],
    [
        "compiling takes longer than {} s of CPU",
        "compilar-lo triga més de {} s de CPU",
        "compilarlo tarda más de {} s de CPU",
    ],
];

/// Why a module is no player.
const OF_MODULES: [Saying; 12] = [
    ["it has {} {}, and at most {} are allowed", "té {} {}, i el màxim és {}", "tiene {} {}, y el máximo es {}"],
    [
        "it takes more than {} to make machine code of it",
        "fan falta més de {} per convertir-lo en codi de màquina",
        "hacen falta más de {} para convertirlo en código de máquina",
    ],
    [
        "it is no valid WebAssembly module: {}",
        "no és un mòdul de WebAssembly vàlid: {}",
        "no es un módulo de WebAssembly válido: {}",
    ],
    [
        "it imports {}, which players may not use",
        "importa {}, que els jugadors no poden fer servir",
        "importa {}, que los jugadores no pueden usar",
    ],
    ["it does not export {}", "no exporta {}", "no exporta {}"],
    [
        "its memory starts larger than the limit of {} MiB",
        "la seva memòria inicial supera el límit de {} MiB",
        "su memoria inicial supera el límite de {} MiB",
    ],
    [
        "it exports {}, and has no page to guard",
        "exporta {}, i no té cap pàgina per protegir",
        "exporta {}, y no tiene ninguna página que proteger",
    ],
    [
        "it is made for version {} of the player ABI, this is version {}",
        "està fet per a la versió {} de l'ABI dels jugadors, i aquesta és la {}",
        "está hecho para la versión {} de la ABI de los jugadores, y esta es la {}",
    ],
    ["it cannot be asked what it is: {}", "no se li pot preguntar què és: {}", "no se le puede preguntar qué es: {}"],
    ["the machine cannot translate it: {}", "la màquina no el pot traduir: {}", "la máquina no lo puede traducir: {}"],
    ["it is a player of {}, not of {}", "és un jugador de {}, no de {}", "es un jugador de {}, no de {}"],
    ["it registers no player", "no registra cap jugador", "no registra ningún jugador"],
];

/// What parts of a module are called.
const PARTS: [Saying; 22] = [
    ["bytes", "bytes", "bytes"],
    ["bytes of code", "bytes de codi", "bytes de código"],
    ["types", "tipus", "tipos"],
    ["parameters in one type", "paràmetres en un sol tipus", "parámetros en un solo tipo"],
    ["results in one type", "resultats en un sol tipus", "resultados en un solo tipo"],
    ["imports", "importacions", "importaciones"],
    ["functions", "funcions", "funciones"],
    ["tables", "taules", "tablas"],
    ["elements in a table", "elements en una taula", "elementos en una tabla"],
    ["memories", "memòries", "memorias"],
    ["variables", "variables", "variables"],
    ["exports", "exportacions", "exportaciones"],
    ["lists of elements", "llistes d'elements", "listas de elementos"],
    ["elements in lists", "elements en llistes", "elementos en listas"],
    ["pieces of data", "blocs de dades", "bloques de datos"],
    ["sections for other uses", "seccions per a altres usos", "secciones para otros usos"],
    ["bytes of code in one function", "bytes de codi en una sola funció", "bytes de código en una sola función"],
    ["locals in one function", "variables locals en una sola funció", "variables locales en una sola función"],
    ["blocks in one function", "blocs en una sola funció", "bloques en una sola función"],
    ["blocks within each other", "blocs l'un dins de l'altre", "bloques uno dentro de otro"],
    [
        "targets of branches in one function",
        "destins de salts en una sola funció",
        "destinos de saltos en una sola función",
    ],
    [
        "locals times blocks and loops times loops, added up over functions",
        "variables locals per blocs i bucles per bucles, sumats en totes les funcions",
        "variables locales por bloques y bucles por bucles, sumados en todas las funciones",
    ],
];

/// Why a module is no player, in a language.
pub fn module(language: Language, told: &str) -> Cow<'_, str> {
    OF_MODULES.iter().find_map(|saying| said(language, saying, told)).map_or(Cow::Borrowed(told), Cow::Owned)
}

/// Messages of a compiler, with our own lines among them in a language.
pub fn compiler(language: Language, messages: &str) -> Cow<'_, str> {
    if language == Language::English || !messages.lines().any(|line| of_source(language, line).is_some()) {
        return Cow::Borrowed(messages);
    }
    let lines = messages.split_inclusive('\n').map(|whole| {
        let line = whole.trim_end_matches('\n');
        of_source(language, line).map_or_else(|| whole.to_owned(), |said| said + &whole[line.len()..])
    });
    Cow::Owned(lines.collect())
}

/// A line that is ours, with the place that it begins with.
fn of_source(language: Language, line: &str) -> Option<String> {
    let at = ["warning: ", "error: "].iter().find_map(|word| Some(line.find(word)? + word.len())).unwrap_or(0);
    let (place, told) = line.split_at(at);
    let said = OF_SOURCES.iter().find_map(|saying| said(language, saying, told))?;
    Some(format!("{place}{said}"))
}

/// A sentence in a language, if it is this one.
fn said(language: Language, [english, rest @ ..]: &Saying, told: &str) -> Option<String> {
    let mut pieces = english.split("{}");
    let mut told = told.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let end = if pieces.peek().is_none() { told.strip_suffix(piece)?.len() } else { told.find(piece)? };
        values.push(&told[..end]);
        told = &told[end + piece.len()..];
    }
    if !told.is_empty() {
        return None;
    }
    let sentence = match language {
        Language::English => english,
        Language::Catalan => rest[0],
        Language::Spanish => rest[1],
    };
    let filled = values.into_iter().fold(sentence.to_owned(), |sentence, value| {
        let part = PARTS.iter().find(|part| part[0] == value);
        let translated = match language {
            Language::English => None,
            Language::Catalan => part.map(|part| part[1]).or_else(|| detail_of(language, value)),
            Language::Spanish => part.map(|part| part[2]).or_else(|| detail_of(language, value)),
        };
        sentence.replacen("{}", translated.unwrap_or(value), 1)
    });
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_sandbox_says_is_told_in_every_language() {
        let told = |text| module(Language::Catalan, text).into_owned();
        assert_eq!(told("it registers no player"), "no registra cap jugador");
        assert_eq!(
            told("it has 2000 exports, and at most 1000 are allowed"),
            "té 2000 exportacions, i el màxim és 1000"
        );
        assert_eq!(
            told("it is made for version 3 of the player ABI, this is version 2"),
            "està fet per a la versió 3 de l'ABI dels jugadors, i aquesta és la 2"
        );
        assert_eq!(
            told("it cannot be asked what it is: wasm trap: integer overflow"),
            "no se li pot preguntar què és: desbordament d'un enter"
        );
        assert_eq!(told("what an older Ludus wrote"), "what an older Ludus wrote");
        for text in ["it registers no player", "it has 2000 exports, and at most 1000 are allowed"] {
            assert_eq!(module(Language::English, text), text);
        }
    }

    #[test]
    fn only_our_lines_among_those_of_a_compiler_are_translated() {
        let messages = "player.cc:2: error: 'thread': players have no threads, a match asks one player at a time\nplayer.cc:4:1: error: no such thing\n";
        let told = compiler(Language::Spanish, messages);
        assert_eq!(
            told,
            "player.cc:2: error: 'thread': los jugadores no tienen hilos, una partida pregunta a los jugadores de uno en uno\nplayer.cc:4:1: error: no such thing\n"
        );
        assert_eq!(compiler(Language::English, messages), messages);
        let warning = "AIx.cc:3: warning: this never catches anything: an exception ends the player\n";
        assert!(
            compiler(Language::Catalan, warning)
                .ends_with("warning: això no captura mai res: una excepció acaba amb el jugador\n")
        );
    }

    /// New sentences of the sandbox and of the machine are noticed.
    #[test]
    fn every_sentence_is_in_the_table() {
        let after = |text: &'static str, what: &'static str| {
            text.split(what).skip(1).map(|rest| rest.split('"').next().unwrap())
        };
        let runtime = include_str!("../../../sandbox/src/runtime.rs");
        let refused = runtime.split("pub enum Refused").nth(1).unwrap().split("\n}").next().unwrap();
        let mut sentences: Vec<String> = after(refused, "#[error(\"").map(ToOwned::to_owned).collect();
        let caps = include_str!("../../../sandbox/src/caps.rs");
        sentences.extend(after(caps, "#[error(\"").map(ToOwned::to_owned));
        let machine = include_str!("../local_machine.rs");
        sentences.extend(after(machine, "Reason::Module(format!(\"").map(ToOwned::to_owned));
        sentences.extend(after(machine, "Reason::Module(\"").map(ToOwned::to_owned));
        assert!(sentences.len() > 11, "{sentences:?}");
        for sentence in &mut sentences {
            for name in ["{0}", "{ABI}", "{has}", "{other}", "{game}"] {
                *sentence = sentence.replace(name, "{}");
            }
            assert!(OF_MODULES.iter().any(|saying| saying[0] == sentence), "{sentence}");
        }
        for part in after(caps, "what: \"") {
            assert!(PARTS.iter().any(|saying| saying[0] == part), "{part}");
        }
        let hints = include_str!("../../../sandbox/src/build/hints.rs");
        for saying in &OF_SOURCES[..2] {
            assert!(hints.contains(saying[0].trim_start_matches("'{}'")), "{}", saying[0]);
        }
        for [english, rest @ ..] in OF_SOURCES.iter().chain(&OF_MODULES) {
            assert!(rest.iter().all(|one| one.matches("{}").count() == english.matches("{}").count()), "{english}");
        }
    }
}
