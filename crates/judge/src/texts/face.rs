//! Texts of the editor, the theme and what visitors see first.

use super::Text;

texts! {
    FACE_TEXTS;
    EDITOR_KEYS: "Tab indents; Escape and then Tab leaves the editor. Ctrl+F finds.", "Tab afegeix sagnat; Esc i després Tab per sortir de l'editor. Ctrl+F per cercar.", "Tab añade sangría; Esc y después Tab para salir del editor. Ctrl+F para buscar.";
    CHANGE_NAME: "Change the name", "Canvia el nom", "Cambiar el nombre";
    WHOLE_MESSAGES: "All that the compiler said", "Tot el que ha dit el compilador", "Todo lo que ha dicho el compilador";
    CONTENTS: "Contents", "Índex", "Índice";
    SIDE_BY_SIDE: "Side by side", "En paral·lel", "En paralelo";
    THINGS: "Things on the board", "Què hi ha al tauler", "Qué hay en el tablero";
    THINGS_UNITS: "Units and things", "Unitats i objectes", "Unidades y objetos";
    THINGS_MARKS: "Marks", "Marques", "Marcas";
    THINGS_GROUND: "Ground", "Terreny", "Terreno";
    LATEST_MATCHES: "Latest matches", "Últimes partides", "Últimas partidas";
    ACCEPTED_PLAYERS: "Accepted players", "Jugadors acceptats", "Jugadores aceptados";
    SUBMIT_TO: "Submit a player: {season}", "Envia un jugador: {season}", "Enviar un jugador: {season}";
    NEXT_TRAIN: "Next: watch it play, and train it against others.", "I ara: mira com juga i entrena'l contra d'altres.", "Y ahora: mira cómo juega y entrénalo contra otros.";
    NEXT_TRAIN_AND_CHOOSE: "Next: watch it play, train it against others, and choose which of your players stands for you in official rounds.", "I ara: mira com juga, entrena'l contra d'altres i tria quin dels teus jugadors et representa a les rondes oficials.", "Y ahora: mira cómo juega, entrénalo contra otros y elige cuál de tus jugadores te representa en las rondas oficiales.";
    CHOOSE_REPRESENTATIVE: "Choose your representative", "Tria el teu representant", "Elegir tu representante";
    NO_ROUND_PLANNED: "No round is announced or being played.", "No hi ha cap ronda anunciada ni en joc.", "No hay ninguna ronda anunciada ni en juego.";
    TO_SCHEDULE: "To the schedule", "Al calendari", "Al calendario";
    TRAIN_IN: "Train: {season}", "Entrena: {season}", "Entrenar: {season}";
    SHOW_EVERYTHING: "Show everything", "Mostra-ho tot", "Mostrar todo";
    NOTHING_FITS: "Nothing fits the filter", "Res no compleix el filtre", "Nada cumple el filtro";
    SIZE: "Size", "Mida", "Tamaño";
    FINALS: "Finals", "Finals", "Finales";
    DESK_NO_STUDENTS: "There are no students yet.", "Encara no hi ha estudiants.", "Todavía no hay estudiantes.";
    YOURS: "yours", "teu", "tuyo";
    OPEN_NOW: "Open now", "Obertes ara", "Abiertas ahora";
    OTHER_SEASONS: "Other seasons", "Altres temporades", "Otras temporadas";
    PARTICIPANTS: "Participants", "Participants", "Participantes";
    NO_PARTICIPANTS: "No participants yet", "Encara sense participants", "Todavía sin participantes";
    ONE_PARTICIPANT: "1 participant", "1 participant", "1 participante";
    MANY_PARTICIPANTS: "{count} participants", "{count} participants", "{count} participantes";
    A_DAY_AGO: "a day ago", "fa un dia", "hace un día";
    KIT_HINT: "One archive with the ludus program ({platform}), the config of this season, rules, examples, API and the headers of the SDK:", "Un sol arxiu comprimit amb el programa ludus ({platform}), la configuració d'aquesta temporada, les regles, els exemples, l'API i les capçaleres de l'SDK:", "Un solo archivo comprimido con el programa ludus ({platform}), la configuración de esta temporada, las reglas, los ejemplos, la API y las cabeceras del SDK:";
    KIT_HINT_PLAIN: "One archive with the config of this season, rules, examples, API and the headers of the SDK, for whoever has the ludus program:", "Un sol arxiu comprimit amb la configuració d'aquesta temporada, les regles, els exemples, l'API i les capçaleres de l'SDK, per a qui té el programa ludus:", "Un solo archivo comprimido con la configuración de esta temporada, las reglas, los ejemplos, la API y las cabeceras del SDK, para quien tiene el programa ludus:";
    KIT_DOWNLOAD: "Download the kit", "Baixa el kit", "Descargar el kit";
    THEME: "Theme", "Tema", "Tema";
    THEME_SYSTEM: "System", "Sistema", "Sistema";
    THEME_LIGHT: "Light", "Clar", "Claro";
    THEME_DARK: "Dark", "Fosc", "Oscuro";
    END_ALL_SESSIONS: "Sign out everywhere", "Tanca totes les sessions", "Cerrar todas las sesiones";
    END_ALL_HINT: "On this device too; tokens of programs stay.", "També en aquest dispositiu; els testimonis dels programes es mantenen.", "También en este dispositivo; los tokens de los programas se mantienen.";
    SAID_ENDED_ALL: "You have been signed out everywhere.", "S'han tancat totes les teves sessions.", "Se han cerrado todas tus sesiones.";
}
