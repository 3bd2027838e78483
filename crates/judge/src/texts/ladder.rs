//! What the pages of the ladder say: a name, then English, Catalan and Spanish.

use super::Text;

texts! {
    LADDER_TEXTS;
    LADDER_PAGE: "Ladder", "Classificació", "Clasificación";
    LADDER_LEAD: "Public players meet whenever the judge has nothing else to do. It counts for nothing but fame.", "Els jugadors públics s'enfronten quan el jutge no té cap altra feina. Només hi ha en joc la fama.", "Los jugadores públicos se enfrentan cuando el juez no tiene otro trabajo. Solo está en juego la fama.";
    LADDER_EMPTY: "Nobody is on the ladder yet", "Encara no hi ha ningú a la classificació", "Todavía no hay nadie en la clasificación";
    LADDER_EMPTY_HINT: "An accepted player joins as soon as its author makes it public, on the page of its verdict.", "Un jugador acceptat hi entra quan el seu autor el fa públic, a la pàgina del veredicte.", "Un jugador aceptado entra cuando su autor lo hace público, en la página del veredicto.";
    LADDER_ONE_PLAYER: "1 player", "1 jugador", "1 jugador";
    LADDER_PLAYERS: "{count} players", "{count} jugadors", "{count} jugadores";
    LADDER_CLIMBING: "Matches are being played: {played} so far.", "S'estan jugant partides: {played} fins ara.", "Se están jugando partidas: {played} hasta ahora.";
    LADDER_RESTS: "At rest after {played} matches: every rating is known well enough. It goes on when somebody joins.", "En repòs després de {played} partides: totes les valoracions es coneixen prou bé. Continuarà quan hi entri algú.", "En reposo tras {played} partidas: todas las valoraciones se conocen bastante bien. Continuará cuando entre alguien.";
    LADDER_RANK: "Rank", "Posició", "Posición";
    LADDER_RATING: "Rating", "Valoració", "Valoración";
    LADDER_RANGE: "Range", "Marge", "Margen";
    LADDER_OF_GAME: "comes with the game", "ve amb el joc", "viene con el juego";
    LADDER_LATEST: "Latest matches", "Últimes partides", "Últimas partidas";
    LADDER_HOW: "How it works", "Com funciona", "Cómo funciona";
    LADDER_HOW_PAIRED: "Whoever is known least plays next, against players that are close and uncertain, in the seats in which they have sat least. Nobody meets two players of one author.", "Juga primer el jugador de qui se sap menys, contra jugadors de valoració propera i encara incerta, als seients on han jugat menys. Ningú no s'enfronta a dos jugadors d'un mateix autor.", "Juega primero el jugador del que menos se sabe, contra jugadores de valoración cercana y todavía incierta, en los asientos en los que menos han jugado. Nadie se enfrenta a dos jugadores de un mismo autor.";
    LADDER_HOW_RATED: "The rating is that of Weng and Lin, with a range in which it lies in 95 of 100 cases. The order is by what is sure: the lower end of the range. Everybody begins at 25 ± 16.7, that is, at the bottom.", "La valoració és la de Weng i Lin, amb un marge en què es troba en 95 de cada 100 casos. S'ordena pel que és segur: l'extrem inferior del marge. Tothom comença a 25 ± 16,7, és a dir, a baix de tot.", "La valoración es la de Weng y Lin, con un margen en el que se encuentra en 95 de cada 100 casos. Se ordena por lo que es seguro: el extremo inferior del margen. Todos empiezan en 25 ± 16,7, es decir, abajo del todo.";
    LADDER_HOW_ENDS: "A rating is known when its range is at most ± 3, or after 400 matches. When all are known the ladder rests until somebody joins.", "Una valoració es coneix quan el marge és com a molt ± 3, o després de 400 partides. Quan es coneixen totes, la classificació descansa fins que hi entra algú.", "Una valoración se conoce cuando el margen es como mucho ± 3, o tras 400 partidas. Cuando se conocen todas, la clasificación descansa hasta que entra alguien.";
    LADDER_HOW_WHO: "The newest three public players of each author take part. Of the matches of each player the newest 20 can be watched; the results of all count.", "Hi participen els tres jugadors públics més recents de cada autor. De cada jugador es poden veure les 20 últimes partides; compten els resultats de totes.", "Participan los tres jugadores públicos más recientes de cada autor. De cada jugador se pueden ver las 20 últimas partidas; cuentan los resultados de todas.";
    LADDER_PLACE: "{rank} of {of}", "{rank} de {of}", "{rank} de {of}";
    LADDER_OUT_RETIRED: "It left the ladder because it is retired.", "Ha deixat la classificació perquè està retirat.", "Ha dejado la clasificación porque está retirado.";
    LADDER_OUT_NEWER: "It left the ladder because three newer players of its author are on it.", "Ha deixat la classificació perquè hi ha tres jugadors més recents del mateix autor.", "Ha dejado la clasificación porque hay tres jugadores más recientes del mismo autor.";
    LADDER_OUT: "It is not on the ladder any more.", "Ja no és a la classificació.", "Ya no está en la clasificación.";
    LADDER_OUT_OVERRAN: "It is barred from the ladder: in two matches it took far more CPU than its limit stands for, so that they had to be stopped. Another version may join.", "Està exclòs de la classificació: en dues partides ha gastat molta més CPU de la que representa el seu límit, i s'han hagut d'aturar. Una altra versió hi pot entrar.", "Está excluido de la clasificación: en dos partidas ha gastado mucha más CPU de la que representa su límite, y se han tenido que detener. Otra versión puede entrar.";
    LADDER_OUT_LOST: "It left the ladder because its module was lost and cannot be made again.", "Ha deixat la classificació perquè se n'ha perdut el mòdul i no es pot tornar a fer.", "Ha dejado la clasificación porque su módulo se ha perdido y no se puede volver a hacer.";
    RATING_OVER_TIME: "Rating over time", "Evolució de la valoració", "Evolución de la valoración";
    RATING_TOLD: "From {first} after {one} matches to {last} ± {margin} after {all}; lowest {low}, highest {high}.", "De {first} després de {one} partides a {last} ± {margin} després de {all}; mínim {low}, màxim {high}.", "De {first} tras {one} partidas a {last} ± {margin} tras {all}; mínimo {low}, máximo {high}.";
    RATING_AXIS: "matches played", "partides jugades", "partidas jugadas";
}
