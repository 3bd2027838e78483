//! What the pages of official rounds say: a name, then English, Catalan and Spanish.

use super::Text;

texts! {
    OFFICIAL_TEXTS;
    NAMES: "Names on the pages of official rounds", "Noms a les pàgines de les rondes oficials", "Nombres en las páginas de las rondas oficiales";
    NAMES_HINT: "Instructors always see everything.", "El professorat sempre ho veu tot.", "El profesorado siempre lo ve todo.";
    NAMES_PLAYERS: "Names of players only", "Només els noms dels jugadors", "Solo los nombres de los jugadores";
    NAMES_SIGNED_IN: "Students' names too, for those who are signed in", "També els noms de l'estudiantat, per a qui ha iniciat la sessió", "También los nombres de los estudiantes, para quien ha iniciado sesión";
    NAMES_EVERYBODY: "Students' names too, for everybody", "També els noms de l'estudiantat, per a tothom", "También los nombres de los estudiantes, para todos";
}
