//! Why seats were frozen. The sandbox tells it in English, and so it is kept; what
//! it is made of is translated where it is shown.

use std::borrow::Cow;

use super::{Language, Text};
use crate::matches::SeatFault;

texts! {
    FAULT_TEXTS;
    FAULT_CPU: "out of CPU time", "ha esgotat la CPU", "ha agotado la CPU";
    FAULT_MEMORY: "over the memory limit", "ha superat el límit de memòria", "ha superado el límite de memoria";
    FAULT_STACK: "stack overflow", "ha desbordat la pila", "ha desbordado la pila";
    FAULT_OVERTIME: "far past its CPU time in two tries, so that it is not asked any more", "s'ha passat molt del temps de CPU en dos intents, i ja no se li pregunta res més", "se ha pasado mucho del tiempo de CPU en dos intentos, y ya no se le pregunta nada más";
    FAULT_ORDERS: "more than 1000 orders in one round", "ha donat més de 1000 ordres en una ronda", "ha dado más de 1000 órdenes en una ronda";
}

/// What a fault begins with; what follows is in `DETAILS`, or words of a program.
const BEGINNINGS: [Text; 3] = [
    Text(["crashed: ", "ha fallat: ", "ha fallado: "], "FAULT_CRASHED"),
    Text(
        ["ended its own program: ", "ha acabat el seu propi programa: ", "ha terminado su propio programa: "],
        "FAULT_ENDED",
    ),
    Text(["malformed orders: ", "ordres mal formades: ", "órdenes mal formadas: "], "FAULT_MALFORMED"),
];

const DETAILS: [Text; 21] = [
    detail(["wasm trap: integer divide by zero", "divisió entera per zero", "división entera por cero"]),
    detail(["wasm trap: integer overflow", "desbordament d'un enter", "desbordamiento de un entero"]),
    detail(["wasm trap: out of bounds memory access", "accés fora de la memòria", "acceso fuera de la memoria"]),
    detail([
        "wasm trap: wasm `unreachable` instruction executed",
        "ha arribat on no es pot arribar mai (un panic, un assert o una funció sense return)",
        "ha llegado a donde nunca se puede llegar (un panic, un assert o una función sin return)",
    ]),
    detail([
        "wasm trap: invalid conversion to integer",
        "conversió impossible a enter",
        "conversión imposible a entero",
    ]),
    detail([
        "wasm trap: indirect call type mismatch",
        "crida a una funció d'un altre tipus",
        "llamada a una función de otro tipo",
    ]),
    detail([
        "wasm trap: uninitialized element",
        "crida a una funció que no hi és",
        "llamada a una función que no existe",
    ]),
    detail([
        "wasm trap: undefined element: out of bounds table access",
        "crida a una funció que no hi és",
        "llamada a una función que no existe",
    ]),
    detail(["wasm trap: unaligned atomic", "accés atòmic mal alineat", "acceso atómico mal alineado"]),
    detail(["aborted", "abort()", "abort()"]),
    detail([
        "an exception that nobody caught",
        "una excepció que ningú no ha capturat",
        "una excepción que nadie ha capturado",
    ]),
    detail(["an unknown reason", "un motiu desconegut", "un motivo desconocido"]),
    detail(["too many orders", "massa ordres", "demasiadas órdenes"]),
    detail(["out of memory", "sense memòria", "sin memoria"]),
    detail(["no memory", "sense memòria pròpia", "sin memoria propia"]),
    detail([
        "the room for the state is outside the memory",
        "el lloc per a l'estat és fora de la memòria",
        "el sitio para el estado está fuera de la memoria",
    ]),
    detail([
        "the orders are outside the memory",
        "les ordres són fora de la memòria",
        "las órdenes están fuera de la memoria",
    ]),
    detail(["a negative number of orders", "un nombre negatiu d'ordres", "un número negativo de órdenes"]),
    detail(["orders with too many words", "ordres amb massa paraules", "órdenes con demasiadas palabras"]),
    detail([
        "orders with too many words in this match",
        "ordres amb massa paraules en aquesta partida",
        "órdenes con demasiadas palabras en esta partida",
    ]),
    detail(["exited with ", "exit amb el codi ", "exit con el código "]),
];

const fn detail(texts: [&'static str; 3]) -> Text {
    Text(texts, "FAULT_DETAIL")
}

/// Why a seat was frozen, in a language.
pub fn fault(language: Language, fault: &SeatFault) -> Cow<'_, str> {
    let known = match fault {
        SeatFault::OutOfCpu => FAULT_CPU,
        SeatFault::OutOfMemory => FAULT_MEMORY,
        SeatFault::StackOverflow => FAULT_STACK,
        SeatFault::Overtime => FAULT_OVERTIME,
        SeatFault::Other(told) if told == FAULT_ORDERS.0[0] => FAULT_ORDERS,
        SeatFault::Other(told) => return translated(language, told),
    };
    Cow::Borrowed(language.of_text(known))
}

fn translated(language: Language, told: &str) -> Cow<'_, str> {
    let begins = BEGINNINGS.iter().find_map(|text| Some((text, told.strip_prefix(text.0[0])?)));
    let Some((beginning, rest)) = begins else { return Cow::Borrowed(told) };
    let whole = DETAILS.iter().find(|text| text.0[0] == rest);
    let exit = DETAILS.iter().find_map(|text| Some((text, rest.strip_prefix(text.0[0])?.parse::<i32>().ok()?)));
    let rest = match (whole, exit) {
        (Some(text), _) => language.of_text(*text).to_owned(),
        (_, Some((text, code))) => format!("{}{code}", language.of_text(*text)),
        _ => rest.to_owned(),
    };
    Cow::Owned(format!("{}{rest}", language.of_text(*beginning)))
}

/// The same of a detail alone, if it is known.
pub fn detail_of(language: Language, told: &str) -> Option<&'static str> {
    DETAILS.iter().find(|text| text.0[0] == told).map(|text| language.of_text(*text))
}

#[cfg(test)]
mod tests {
    use ludus_arena::Fault;

    use super::*;

    fn faults() -> Vec<Fault> {
        let mut all = vec![
            Fault::OutOfFuel,
            Fault::OutOfMemory,
            Fault::StackOverflow,
            Fault::Overtime,
            Fault::TooManyOrders(ludus_games::orders::TooManyOrders),
            Fault::Trap("words of a program".to_owned()),
            Fault::Trap("wasm trap: integer divide by zero".to_owned()),
            Fault::Ended("exited with -3".to_owned()),
            Fault::Ended("an exception that nobody caught".to_owned()),
        ];
        all.extend(
            ["orders with too many words", "a negative number of orders"]
                .map(|what| Fault::MalformedOrders(what.into())),
        );
        all
    }

    #[test]
    fn faults_are_told_in_english_as_the_sandbox_tells_them() {
        for known in faults() {
            assert_eq!(fault(Language::English, &SeatFault::of(&known)), known.to_string());
        }
    }

    #[test]
    fn faults_are_told_in_every_language() {
        for known in faults() {
            let kept = SeatFault::of_stored(SeatFault::of(&known).stored().to_owned());
            for language in [Language::Catalan, Language::Spanish] {
                assert_ne!(fault(language, &kept), known.to_string());
            }
        }
        let told = |text: &str| fault(Language::Catalan, &SeatFault::Other(text.to_owned())).into_owned();
        assert_eq!(told("ended its own program: exited with 3"), "ha acabat el seu propi programa: exit amb el codi 3");
        assert_eq!(told("crashed: no such thing"), "ha fallat: no such thing");
        assert_eq!(told("what an older Ludus wrote"), "what an older Ludus wrote");
        for text in BEGINNINGS.iter().chain(&DETAILS) {
            assert!(text.0.iter().all(|translation| !translation.is_empty()));
        }
    }

    /// What the sandbox can tell is in the table: its own words are asked for in
    /// its sources, so that a new one is noticed.
    #[test]
    fn every_ending_of_the_sandbox_is_translated() {
        let imports = include_str!("../../../sandbox/src/imports.rs");
        let endings = imports.split("pub enum Ending").nth(1).unwrap().split('}').next().unwrap();
        let mut words: Vec<&str> =
            endings.split("#[error(\"").skip(1).map(|rest| rest.split(['"', '{']).next().unwrap()).collect();
        let player = include_str!("../../../sandbox/src/player.rs");
        words.extend(player.split("Failure::Malformed(\"").skip(1).map(|rest| rest.split('"').next().unwrap()));
        assert!(words.len() > 9, "{words:?}");
        for word in words {
            assert!(DETAILS.iter().any(|text| text.0[0] == word), "{word}");
        }
    }
}
