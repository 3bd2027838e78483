//! What the pages of tokens and calls say: a name, then English, Catalan and Spanish.

use super::Text;

texts! {
    API_TEXTS;
    TOKENS: "Tokens for programs", "Testimonis per a programes", "Tokens para programas";
    TOKENS_HINT: "With a token a program does for you what you do here: the command ludus, or one of your own. Whoever has a token can do it too, so keep it as you keep a password.", "Amb un testimoni un programa fa per tu el que fas aquí: la comanda ludus, o un programa teu. Qui té un testimoni també ho pot fer: guarda'l com una contrasenya.", "Con un token un programa hace por ti lo que haces aquí: el comando ludus, o un programa tuyo. Quien tiene un token también puede hacerlo: guárdalo como una contraseña.";
    TOKENS_LINK: "Tokens for the command line and for programs of your own.", "Testimonis per a la línia de comandes i per a programes teus.", "Tokens para la línea de comandos y para programas tuyos.";
    NEW_TOKEN: "New token", "Testimoni nou", "Token nuevo";
    TOKEN_NAME: "What it is for", "Per a què és", "Para qué es";
    TOKEN_NAME_HINT: "For instance the machine that it is on.", "Per exemple, la màquina on és.", "Por ejemplo, la máquina en la que está.";
    TOKEN_SCOPES: "What it may do", "Què pot fer", "Qué puede hacer";
    SCOPE_READ: "Read everything that you see", "Llegir tot el que veus", "Leer todo lo que ves";
    SCOPE_SUBMIT: "Submit players", "Enviar jugadors", "Enviar jugadores";
    SCOPE_TRAIN: "Ask for training matches", "Demanar partides d'entrenament", "Pedir partidas de entrenamiento";
    SCOPE_MANAGE: "Change friends, public players, representatives, links and settings", "Canviar amics, jugadors públics, representants, enllaços i preferències", "Cambiar amigos, jugadores públicos, representantes, enlaces y preferencias";
    TOKEN_LIFE: "For how long", "Durant quant de temps", "Durante cuánto tiempo";
    TOKEN_DAYS: "{count} days", "{count} dies", "{count} días";
    MAKE_TOKEN: "Make the token", "Crea el testimoni", "Crear el token";
    TOKEN_MADE: "This is the token. It is shown now and never again.", "Aquest és el testimoni. Es mostra ara i mai més.", "Este es el token. Se muestra ahora y nunca más.";
    TOKEN_USE: "Give it to ludus login when it asks, or set LUDUS_TOKEN.", "Dona'l a ludus login quan te'l demani, o posa'l a LUDUS_TOKEN.", "Dáselo a ludus login cuando lo pida, o ponlo en LUDUS_TOKEN.";
    TOKEN_LABEL: "Token", "Testimoni", "Token";
    YOUR_TOKENS: "Your tokens", "Els teus testimonis", "Tus tokens";
    NO_TOKENS: "No tokens", "Cap testimoni", "Ningún token";
    NO_TOKENS_HINT: "Whoever works in the browser needs none.", "Qui treballa al navegador no en necessita cap.", "Quien trabaja en el navegador no necesita ninguno.";
    TOKEN_USED: "last used", "usat per última vegada", "usado por última vez";
    TOKEN_UNUSED: "never used", "mai usat", "nunca usado";
    REVOKE: "Revoke", "Revoca", "Revocar";
    TOKEN_NO_NAME: "Say what it is for.", "Digues per a què és.", "Di para qué es.";
    TOKEN_NO_SCOPE: "Choose at least one thing that it may do.", "Tria almenys una cosa que pugui fer.", "Elige al menos una cosa que pueda hacer.";
    TOKEN_DAYS_WRONG: "Choose one of the numbers of days.", "Tria un dels nombres de dies.", "Elige uno de los números de días.";
    TOKENS_FULL: "You have {most} tokens, which is all that one person may have. Revoke one.", "Tens {most} testimonis, que són tots els que pot tenir una persona. Revoca'n un.", "Tienes {most} tokens, que son todos los que puede tener una persona. Revoca uno.";

    TOKEN_MISSING: "This call needs a token: Authorization: Bearer ludus_…", "Aquesta crida necessita un testimoni: Authorization: Bearer ludus_…", "Esta llamada necesita un token: Authorization: Bearer ludus_…";
    TOKEN_WRONG: "This token is not valid: it is wrong, over or revoked, or its account is locked.", "Aquest testimoni no és vàlid: és erroni, ha caducat o s'ha revocat, o el seu compte està bloquejat.", "Este token no es válido: es erróneo, ha caducado o se ha revocado, o su cuenta está bloqueada.";
    TOO_MANY_WRONG_TOKENS: "Too many wrong tokens: the next one is possible in {seconds} s.", "Massa testimonis erronis: el següent serà possible d'aquí a {seconds} s.", "Demasiados tokens erróneos: el siguiente será posible dentro de {seconds} s.";
    SCOPE_MISSING: "The token may not do this: it lacks the scope {scope}.", "El testimoni no pot fer això: li falta l'àmbit {scope}.", "El token no puede hacer esto: le falta el ámbito {scope}.";
    NO_SUCH_THING: "There is no such thing, or it is not for you.", "Això no existeix, o no és per a tu.", "Eso no existe, o no es para ti.";
    BAD_QUERY: "The query cannot be read.", "No es pot llegir la consulta.", "No se puede leer la consulta.";
    BAD_CURSOR: "This is no cursor that a list has given.", "Aquest cursor no l'ha donat cap llista.", "Este cursor no lo ha dado ninguna lista.";
    BAD_JSON: "The body is not the JSON that this call takes: {why}", "El cos no és el JSON que espera aquesta crida: {why}", "El cuerpo no es el JSON que espera esta llamada: {why}";
    NOT_JSON: "This call takes application/json.", "Aquesta crida només accepta application/json.", "Esta llamada solo acepta application/json.";

    API_PAGE: "The API for programs", "L'API per a programes", "La API para programas";
    API_LEAD: "Everything a student does on these pages can be done by a call. The calls are described here in English; the same for programs is in {link}.", "Tot el que un estudiant fa en aquestes pàgines es pot fer amb una crida. Les crides es descriuen aquí en anglès; la mateixa descripció per a programes és a {link}.", "Todo lo que un estudiante hace en estas páginas se puede hacer con una llamada. Las llamadas se describen aquí en inglés; la misma descripción para programas está en {link}.";
    API_TOKEN: "Every call needs a token in its head:", "Cada crida necessita un testimoni a la capçalera:", "Cada llamada necesita un token en la cabecera:";
    API_CALL: "Call", "Crida", "Llamada";
    API_DOES: "What it does", "Què fa", "Qué hace";
    API_TAKES: "Takes", "Rep", "Recibe";
    API_SCOPE: "Scope", "Àmbit", "Ámbito";
    API_PROBLEMS: "What goes wrong is told as application/problem+json: status, code, title, and where it helps field and line.", "Els errors es comuniquen com a application/problem+json: status, code, title i, quan ajuda, field i line.", "Los errores se comunican como application/problem+json: status, code, title y, cuando ayuda, field y line.";
    API_LISTS: "Lists are given in parts of at most 100: send next as cursor for the rest.", "Les llistes es donen en parts de 100 elements com a molt: envia next com a cursor per obtenir la resta.", "Las listas se dan en partes de 100 elementos como mucho: envía next como cursor para obtener el resto.";
    KIT: "Work at home", "Treballar a casa", "Trabajar en casa";
    KIT_README: "1. In this folder: `{ludus} play {game} {example} {reserve} {reserve} {reserve} -i season.cnf` plays the example against the players to beat.\n2. Copy `AI{example}.cc` to `AIName.cc`, put a name of your own into its `#define` line, and make it better; `rules.md` and `API.cpp.md` say how.\n3. `{ludus} submit AIName.cc --season {season} --wait` submits it.\n", "1. En aquesta carpeta: `{ludus} play {game} {example} {reserve} {reserve} {reserve} -i season.cnf` fa jugar l'exemple contra els jugadors que cal guanyar.\n2. Copia `AI{example}.cc` a `AINom.cc`, posa-hi un nom teu a la línia `#define` i millora'l; `rules.md` i `API.cpp.md` diuen com.\n3. `{ludus} submit AINom.cc --season {season} --wait` l'envia.\n", "1. En esta carpeta: `{ludus} play {game} {example} {reserve} {reserve} {reserve} -i season.cnf` hace jugar al ejemplo contra los jugadores a los que hay que ganar.\n2. Copia `AI{example}.cc` a `AINombre.cc`, pon un nombre tuyo en la línea `#define` y mejóralo; `rules.md` y `API.cpp.md` dicen cómo.\n3. `{ludus} submit AINombre.cc --season {season} --wait` lo envía.\n";
}
