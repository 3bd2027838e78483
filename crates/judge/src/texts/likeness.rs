//! Players that share code, which instructors alone read of.

use super::Text;

texts! {
    LIKENESS_TEXTS;
    COMPARISON: "comparison", "comparació", "comparación";
    LIKENESS_PAGE: "Shared code", "Codi compartit", "Código compartido";
    LIKENESS_LEAD: "Every accepted player is compared with all others of its game and with earlier years. What two authors share proves nothing by itself: read the two sources before you judge. Students see none of this.", "Cada jugador acceptat es compara amb tots els altres del seu joc i amb els d'anys anteriors. El que comparteixen dos autors no demostra res per si sol: llegeix els dos codis abans de jutjar. Els estudiants no veuen res d'això.", "Cada jugador aceptado se compara con todos los demás de su juego y con los de años anteriores. Lo que comparten dos autores no demuestra nada por sí solo: lee los dos códigos antes de juzgar. Los estudiantes no ven nada de esto.";
    LIKENESS_NONE: "Nobody shares code", "Ningú no comparteix codi", "Nadie comparte código";
    LIKENESS_NONE_HINT: "Pairs of authors appear here as players are accepted and compared.", "Les parelles d'autors apareixen aquí a mesura que s'accepten i es comparen jugadors.", "Las parejas de autores aparecen aquí a medida que se aceptan y comparan jugadores.";
    LIKENESS_PROGRESS: "Players compared: {compared}. Waiting: {waiting}.", "Jugadors comparats: {compared}. En espera: {waiting}.", "Jugadores comparados: {compared}. En espera: {waiting}.";
    LIKENESS_REFUSED: "Players that cannot be compared", "Jugadors que no es poden comparar", "Jugadores que no se pueden comparar";
    LIKENESS_ALIKE: "Alike", "Semblança", "Parecido";
    LIKENESS_AUTHORS: "Authors", "Autors", "Autores";
    LIKENESS_SHARE: "Share of each", "Part de cadascun", "Parte de cada uno";
    LIKENESS_LONGEST: "Longest run", "Tram més llarg", "Tramo más largo";
    LIKENESS_LINES: "{count} lines", "{count} línies", "{count} líneas";
    LIKENESS_FIRST: "First", "Primer", "Primero";
    LIKENESS_ACROSS: "C++ and Rust: less certain", "C++ i Rust: menys segur", "C++ y Rust: menos seguro";
    LIKENESS_EARLIER: "earlier year", "any anterior", "año anterior";
    LIKENESS_NEW: "new", "nou", "nuevo";
    LIKENESS_REVIEW: "under review", "en revisió", "en revisión";
    LIKENESS_DISMISSED: "dismissed", "descartat", "descartado";
    LIKENESS_CONFIRMED: "confirmed", "confirmat", "confirmado";
    LIKENESS_OF: "{a} and {b}", "{a} i {b}", "{a} y {b}";
    LIKENESS_RUNS: "Common runs", "Trams comuns", "Tramos comunes";
    LIKENESS_RUN: "run {number}", "tram {number}", "tramo {number}";
    LIKENESS_RUN_LINES: "lines {a} to {b}, and {c} to {d}: {steps} steps", "línies {a} a {b}, i {c} a {d}: {steps} passos", "líneas {a} a {b}, y {c} a {d}: {steps} pasos";
    LIKENESS_SIDES: "Side by side", "En paral·lel", "En paralelo";
    LIKENESS_SIDES_HINT: "The same colour on both sides is a common run; a click on it shows its place on the other side. Lines without a colour are not in the other source, or come with the game, or are in many programs. The page can be printed.", "El mateix color a banda i banda és un tram comú; un clic en mostra el lloc a l'altra banda. Les línies sense color no són a l'altre codi, o venen amb el joc, o són en molts programes. La pàgina es pot imprimir.", "El mismo color a ambos lados es un tramo común; un clic muestra su lugar al otro lado. Las líneas sin color no están en el otro código, o vienen con el juego, o están en muchos programas. La página se puede imprimir.";
    LIKENESS_OPINION: "What do you think?", "Què en penses?", "¿Qué opinas?";
    LIKENESS_OPINION_HINT: "Why, for the other instructors and the log of actions. When you confirm it, the note stands in the log about both people, who may ask for it: do not name the other one.", "Per què, per a la resta del professorat i el registre d'accions. Si ho confirmes, el comentari consta al registre de totes dues persones, que el poden demanar: no hi anomenis l'altra.", "Por qué, para el resto del profesorado y el registro de acciones. Si lo confirmas, el comentario consta en el registro de ambas personas, que pueden pedirlo: no nombres en él a la otra.";
    LIKENESS_NOTE: "Note", "Comentari", "Comentario";
    LIKENESS_NOTES: "Notes", "Comentaris", "Comentarios";
    LIKENESS_GRADES: "Carry it into the grades", "Trasllada-ho a les notes", "Trasladarlo a las notas";
    LIKENESS_GRADES_HINT: "The mark replaces the one that the rule gives, with this reason, until somebody withdraws it.", "La nota substitueix la que dona la regla, amb aquest motiu, fins que algú la retiri.", "La nota sustituye a la que da la regla, con este motivo, hasta que alguien la retire.";
    LIKENESS_NOT_LISTED: "{name} is not on the list of the grades, which is made at the deadline.", "{name} no és a la llista de notes, que es fa en acabar el termini.", "{name} no está en la lista de notas, que se hace al acabar el plazo.";
    LIKENESS_REASON: "Copied code (case {number})", "Codi copiat (cas {number})", "Código copiado (caso {number})";
    LIKENESS_CASE: "Case {number}", "Cas {number}", "Caso {number}";
    LIKENESS_AGAIN: "Compare all again", "Torna a comparar-ho tot", "Volver a comparar todo";
    LIKENESS_AGAIN_HINT: "What was found before others submitted may weigh less by now. Cases that somebody has looked at stay.", "El que es va trobar abans que altres enviessin el seu jugador pot pesar menys ara. Els casos que algú ha mirat es conserven.", "Lo que se encontró antes de que otros enviaran su jugador puede pesar menos ahora. Los casos que alguien ha mirado se conservan.";
    WITNESS: "How they play", "Com juguen", "Cómo juegan";
    WITNESS_HINT: "Both are asked what they would do on the same states of matches that others play. Those who have nothing to do with each other agree too, above all where one thing is best: what counts is what is beyond that, and it proves nothing by itself.", "Es pregunta a tots dos què farien en les mateixes situacions de partides que juguen altres. Jugadors que no tenen res a veure l'un amb l'altre també coincideixen, sobretot quan hi ha una opció clarament millor: el que compta és el que va més enllà, i no demostra res per si sol.", "Se pregunta a ambos qué harían en las mismas situaciones de partidas que juegan otros. Jugadores que no tienen nada que ver entre sí también coinciden, sobre todo cuando hay una opción claramente mejor: lo que cuenta es lo que va más allá, y no demuestra nada por sí solo.";
    WITNESS_AGREEMENT: "Equal orders", "Ordres iguals", "Órdenes iguales";
    WITNESS_USUAL: "With others", "Amb altres", "Con otros";
    WITNESS_BEYOND: "Beyond the usual", "Més enllà de l'habitual", "Más allá de lo habitual";
    WITNESS_CODE: "Compiled code that only these two have", "Codi compilat que només tenen aquests dos", "Código compilado que solo tienen estos dos";
    WITNESS_COUNT: "{orders} orders; {others} players of others as a measure.", "{orders} ordres; {others} jugadors d'altres com a mesura.", "{orders} órdenes; {others} jugadores de otros como medida.";
    WITNESS_WAITS: "They will be asked when nobody waits for the judge.", "Se'ls preguntarà quan ningú no esperi el jutge.", "Se les preguntará cuando nadie espere al juez.";
    WITNESS_ASK: "Ask how they play", "Pregunta com juguen", "Preguntar cómo juegan";
    DESK_LIKENESS: "Cases of shared code in {season} that nobody has looked at: {count}", "Casos de codi compartit a {season} que ningú no ha mirat: {count}", "Casos de código compartido en {season} que nadie ha mirado: {count}";
    DESK_TO_LIKENESS: "Look at them", "Mira'ls", "Mirarlos";
    DID_REVIEW_LIKENESS: "Shared code judged", "Codi compartit valorat", "Código compartido valorado";
    DID_COMPARE_AGAIN: "All players compared again", "Tots els jugadors comparats de nou", "Todos los jugadores comparados de nuevo";
}
