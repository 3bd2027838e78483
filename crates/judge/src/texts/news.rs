//! What the pages of news and of the state of the judge say: a name, then English, Catalan and Spanish.

use super::Text;

texts! {
    NEWS_TEXTS;
    NEWS: "News", "Notícies", "Noticias";
    NO_NEWS: "Nothing new", "Cap novetat", "Ninguna novedad";
    NO_NEWS_HINT: "What the instructors write appears here.", "Aquí apareix el que escriu el professorat.", "Aquí aparece lo que escribe el profesorado.";
    NEWS_FEED: "Atom feed", "Canal Atom", "Canal Atom";
    WRITE_NEWS: "Write", "Escriu", "Escribir";
    EDIT_NEWS: "Edit", "Edita", "Editar";
    NEWS_KIND: "Kind", "Tipus", "Tipo";
    KIND_NEWS: "News", "Notícia", "Noticia";
    KIND_INCIDENT: "Incident: a banner on every page until it is over", "Incidència: un avís a cada pàgina fins que s'acabi", "Incidencia: un aviso en cada página hasta que termine";
    INCIDENT: "Incident", "Incidència", "Incidencia";
    INCIDENT_OPEN: "open", "oberta", "abierta";
    INCIDENT_OVER: "over", "resolta", "resuelta";
    END_INCIDENT: "It is over", "Ja està resolta", "Ya está resuelta";
    TITLE_IN: "Title ({language})", "Títol ({language})", "Título ({language})";
    TEXT_IN: "Text ({language}, Markdown)", "Text ({language}, Markdown)", "Texto ({language}, Markdown)";
    NEWS_LANGUAGES_HINT: "One language is enough: whoever reads another gets this one.", "Amb una llengua n'hi ha prou: qui en fa servir una altra veu aquesta.", "Con un idioma basta: quien usa otro ve este.";
    NEWS_NEEDS_TITLE: "A title is missing, in at least one language.", "Falta un títol, almenys en una llengua.", "Falta un título, al menos en un idioma.";
    NEWS_TOO_LONG: "A title has at most 120 characters, a text 20,000.", "Un títol té com a màxim 120 caràcters, i un text 20.000.", "Un título tiene como máximo 120 caracteres, y un texto 20.000.";
    PUBLISH: "Publish", "Publica", "Publicar";

    STATUS: "State of the judge", "Estat del jutge", "Estado del juez";
    STATUS_GOOD: "Everything works", "Tot funciona", "Todo funciona";
    STATUS_BAD: "Something does not work", "Alguna cosa no funciona", "Algo no funciona";
    STATUS_WAITING: "Waiting", "A la cua", "En cola";
    STATUS_RUNNING: "Being done", "En curs", "En curso";
    STATUS_WORKERS: "Workers", "Processos de treball", "Procesos de trabajo";
    STATUS_EXPECTED: "Expected wait for a verdict", "Espera prevista d'un veredicte", "Espera prevista de un veredicto";
    STATUS_UNKNOWN: "No verdict yet to tell from", "Encara no hi ha cap veredicte que permeti saber-ho", "Aún no hay ningún veredicto que permita saberlo";
    STATUS_LAST_INCIDENT: "Last incident", "Última incidència", "Última incidencia";
    STATUS_NO_INCIDENT: "None so far", "Cap fins ara", "Ninguna hasta ahora";
    SECONDS: "{count} s", "{count} s", "{count} s";
    ABOUT_MINUTES: "about {count} min", "uns {count} min", "unos {count} min";

    COURSE_LINKS: "Links of the course", "Enllaços del curs", "Enlaces del curso";
    COURSE_LINKS_HINT: "At the foot of every page. One per line: Forum | https://forum.example.edu/", "Al peu de cada pàgina. Un per línia: Fòrum | https://forum.example.edu/", "Al pie de cada página. Uno por línea: Foro | https://forum.example.edu/";
    COURSE_LINK_WRONG: "A line of the links is not a title, a bar and an address of the web.", "Una línia dels enllaços no té la forma títol, barra i adreça web.", "Una línea de los enlaces no tiene la forma título, barra y dirección web.";

    DID_PUBLISH_NEWS: "News published", "Notícia publicada", "Noticia publicada";
    DID_CHANGE_NEWS: "News changed", "Notícia canviada", "Noticia cambiada";
    DID_END_INCIDENT: "Incident ended", "Incidència resolta", "Incidencia resuelta";
}
