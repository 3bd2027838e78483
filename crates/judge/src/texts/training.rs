//! What the pages of training and friends say: a name, then English, Catalan and Spanish.

use super::Text;

texts! {
    TRAINING_TEXTS;
    TRAINING_PAGE: "Training", "Entrenament", "Entrenamiento";
    TRAIN: "Train", "Entrena", "Entrenar";
    NEW_TRAINING: "New training matches", "Partides d'entrenament noves", "Nuevas partidas de entrenamiento";
    TRAINING_PRIVATE: "Training counts for nothing. Only the authors of the players in a match see how it went, and the instructors.", "L'entrenament no compta per a res. Només veuen com ha anat una partida els autors dels jugadors que hi juguen, i el professorat.", "El entrenamiento no cuenta para nada. Solo ven cómo ha ido una partida los autores de los jugadores que participan, y el profesorado.";
    NO_TRAINING: "You have not trained yet", "Encara no has entrenat", "Todavía no has entrenado";
    NO_TRAINING_HINT: "Let an accepted player of yours meet others, on the page of a season.", "Fes que un jugador teu acceptat s'enfronti a d'altres, des de la pàgina d'una temporada.", "Haz que un jugador tuyo aceptado se enfrente a otros, desde la página de una temporada.";
    SEAT_PLAYER: "Player {seat}", "Jugador {seat}", "Jugador {seat}";
    WHO_MAY_PLAY: "Your own players, public ones, private ones of friends, and those of the game: {names}.", "Els teus jugadors, els públics, els privats dels amics i els del joc: {names}.", "Tus jugadores, los públicos, los privados de tus amigos y los del juego: {names}.";
    SEATING: "Seats", "Seients", "Asientos";
    SEATING_HINT: "Turning: everybody sits in every seat. Fixed: in the order above.", "Rotatius: cada jugador juga a tots els seients. Fixos: en l'ordre de dalt.", "Rotatorios: cada jugador juega en todos los asientos. Fijos: en el orden de arriba.";
    SEATING_TURNING: "Turning, four matches per seed", "Rotatius, 4 partides per llavor", "Rotatorios, 4 partidas por semilla";
    SEATING_FIXED: "Fixed, one match per seed", "Fixos, una partida per llavor", "Fijos, una partida por semilla";
    FIRST_SEED: "First seed", "Primera llavor", "Primera semilla";
    FIRST_SEED_HINT: "The others follow it. Leave it empty for one drawn by lot.", "Les altres són les següents. Si es deixa buida, se'n sorteja una.", "Las demás son las siguientes. Si se deja vacía, se sortea una.";
    HOW_MANY_MATCHES: "Matches", "Partides", "Partidas";
    MATCHES_LEFT: "From 1 to {most}; you have {left} left today.", "D'1 a {most}; avui te'n queden {left}.", "De 1 a {most}; hoy te quedan {left}.";
    START_TRAINING: "Play", "Juga", "Jugar";
    NO_SUCH_PLAYER: "{name} is no accepted player of this season.", "{name} no és cap jugador acceptat d'aquesta temporada.", "{name} no es un jugador aceptado de esta temporada.";
    PLAYER_IS_PRIVATE: "{name} is private: its author must be a friend of everybody else whose player takes part.", "{name} és privat: el seu autor ha de ser amic de tots els altres que hi tenen un jugador.", "{name} es privado: su autor debe ser amigo de todos los demás que tienen un jugador en la partida.";
    NONE_OWN: "At least one player must be yours.", "Almenys un jugador ha de ser teu.", "Al menos un jugador debe ser tuyo.";
    QUOTA_LEFT: "That is more than you have left today: {left}.", "Són més de les que et queden avui: {left}.", "Son más de las que te quedan hoy: {left}.";
    TRAINING_FULL: "Your training fills all the space that one person has for it. Wait until the matches that you have asked for are played.", "El teu entrenament ocupa tot l'espai que hi té cada persona. Espera que es juguin les partides que has demanat.", "Tu entrenamiento ocupa todo el espacio que tiene cada persona para ello. Espera a que se jueguen las partidas que has pedido.";
    SEED_RANGE: "A number from 0 to {most}.", "Un nombre de 0 a {most}.", "Un número de 0 a {most}.";
    PLAYED_OF: "{played} of {all} matches played", "partides jugades: {played} de {all}", "partidas jugadas: {played} de {all}";
    GIVEN_UP: "Matches given up: {count}. A player ran far past its time.", "Partides abandonades: {count}. Un jugador ha superat de molt el seu temps.", "Partidas abandonadas: {count}. Un jugador ha superado con mucho su tiempo.";
    ASKED_BY: "asked for by {name}", "a petició de {name}", "a petición de {name}";
    WINS: "Wins", "Victòries", "Victorias";
    MEAN_RANK: "Mean rank", "Posició mitjana", "Posición media";
    MEAN_SCORE: "Mean score", "Puntuació mitjana", "Puntuación media";
    FROZEN_SHARE: "Frozen", "Congelat", "Congelado";
    HEAD_TO_HEAD: "Head to head", "Cara a cara", "Cara a cara";
    HEAD_TO_HEAD_HINT: "The share of matches in which the player on the left was ahead of the one above.", "La part de partides en què el jugador de l'esquerra va quedar davant del de dalt.", "La parte de partidas en que el jugador de la izquierda quedó por delante del de arriba.";
    WORST_LOSSES: "Worst losses", "Pitjors derrotes", "Peores derrotas";
    BEHIND_BY: "−{points} in seat {seat}", "−{points} al seient {seat}", "−{points} en el asiento {seat}";
    NEVER_LOST: "None so far", "Cap per ara", "Ninguna por ahora";
    BY_SEAT: "Mean rank by seat", "Posició mitjana per seient", "Posición media por asiento";
    WAITING_FOR_WORKERS: "Waiting for the first match", "S'espera la primera partida", "Se espera la primera partida";
    AGAIN: "Again, with other seeds", "Un altre cop, amb altres llavors", "Otra vez, con otras semillas";

    FRIENDS: "Friends", "Amics", "Amigos";
    FRIENDS_HINT: "Friends may let their private players meet in training. It takes both: you are friends once each has listed the other.", "Els amics poden enfrontar els seus jugadors privats en l'entrenament. Ha de ser mutu: sou amics quan cadascú ha posat l'altre a la seva llista.", "Los amigos pueden enfrentar sus jugadores privados en el entrenamiento. Tiene que ser mutuo: sois amigos cuando cada uno ha puesto al otro en su lista.";
    FRIEND_EMAIL: "E-mail address of a friend", "Adreça de correu d'un amic", "Dirección de correo de un amigo";
    LIST_FRIEND: "Add to the list", "Afegeix", "Añadir";
    LIST_BACK: "Add too", "Afegeix també", "Añadir también";
    UNLIST_FRIEND: "Take off the list", "Treu de la llista", "Quitar de la lista";
    IS_FRIEND: "Friends", "Amics", "Amigos";
    IS_WAITING: "Has not listed you yet", "Encara no t'ha afegit", "Todavía no te ha añadido";
    LISTS_YOU: "Has listed you", "T'ha afegit", "Te ha añadido";
    NO_FRIENDS: "Nobody yet", "Encara ningú", "Todavía nadie";
    NO_FRIENDS_HINT: "Ask a classmate for the address they sign in with.", "Demana a algú de classe l'adreça amb què inicia la sessió.", "Pide a alguien de clase la dirección con la que inicia sesión.";
    FRIEND_UNKNOWN: "Nobody here has this address.", "Aquí ningú no té aquesta adreça.", "Aquí nadie tiene esta dirección.";
    FRIEND_ONESELF: "This is your own address.", "Aquesta adreça és la teva.", "Esta dirección es la tuya.";
    FRIEND_GUESSING: "Too many addresses that nobody here has. Wait a little before the next.", "Massa adreces que aquí no té ningú. Espera una mica abans de la següent.", "Demasiadas direcciones que aquí no tiene nadie. Espera un poco antes de la siguiente.";
    FRIENDS_FULL: "Your list is full.", "La teva llista és plena.", "Tu lista está llena.";

    PUBLIC_PLAYER: "Public: anybody may let their players meet it in training.", "Públic: tothom pot enfrontar-hi els seus jugadors en l'entrenament.", "Público: cualquiera puede enfrentar a sus jugadores con él en el entrenamiento.";
    PRIVATE_PLAYER: "Private: only you and your friends may let it play in training. Its source stays yours in any case.", "Privat: només tu i els teus amics el podeu fer jugar en l'entrenament. El codi continua sent teu en qualsevol cas.", "Privado: solo tú y tus amigos podéis hacerlo jugar en el entrenamiento. El código sigue siendo tuyo en cualquier caso.";
    MAKE_PUBLIC: "Make it public for ever", "Fes-lo públic per sempre", "Hacerlo público para siempre";

    STANDS_FOR_AUTHOR: "representative", "representant", "representante";
    VERDICT_PAGE: "Verdict and source", "Veredicte i codi", "Veredicto y código";
    VERSIONS: "Players of this author", "Jugadors d'aquest autor", "Jugadores de este autor";
    PLAYER_NO_MATCHES: "None that you may see.", "Cap que puguis veure.", "Ninguna que puedas ver.";
    PLAYER_SUMMARY: "The newest {count} results of those that you may see.", "Els {count} resultats més recents dels que pots veure.", "Los {count} resultados más recientes de los que puedes ver.";
    CPU_MEAN_MOST: "{mean} in the mean, {most} at most", "{mean} de mitjana, {most} com a màxim", "{mean} de media, {most} como máximo";
    BY_RIVAL: "By rival", "Per rival", "Por rival";
    BY_RIVAL_HINT: "How often this player ended ahead; level scores count half.", "Amb quina freqüència aquest jugador ha quedat davant; els empats compten la meitat.", "Con qué frecuencia este jugador ha quedado por delante; los empates cuentan la mitad.";
    RIVAL: "Rival", "Rival", "Rival";
    MET: "Met", "Enfrontaments", "Enfrentamientos";
    AHEAD: "Ahead", "Davant", "Por delante";
    BEST_MATCHES: "Best matches", "Millors partides", "Mejores partidas";
    WORST_MATCHES: "Worst matches", "Pitjors partides", "Peores partidas";
    GIVE_MODULE: "Let others play against it at home", "Deixa que altres persones hi juguin en contra a casa", "Dejar que otras personas jueguen contra él en casa";
    GIVE_MODULE_HINT: "Sharing the compiled module is allowed; sharing the source is not. With the link, ludus play and ludus arena let the player take part like any other.", "Compartir el mòdul compilat està permès; compartir el codi, no. Amb l'enllaç, ludus play i ludus arena fan jugar el jugador com qualsevol altre.", "Compartir el módulo compilado está permitido; compartir el código, no. Con el enlace, ludus play y ludus arena hacen jugar al jugador como a cualquier otro.";
    MODULE_LINK: "Link to the module", "Enllaç al mòdul", "Enlace al módulo";
    MODULE_FOR_EVERYBODY: "Whoever has this link gets the module.", "Qui tingui aquest enllaç obté el mòdul.", "Quien tenga este enlace obtiene el módulo.";
    MODULE_FOR_FRIENDS: "Friends of yours who are signed in get the module with this link.", "Els teus amics que hagin iniciat la sessió obtenen el mòdul amb aquest enllaç.", "Tus amigos que hayan iniciado sesión obtienen el módulo con este enlace.";
    GIVE_EVERYBODY: "Make a link for everybody", "Crea un enllaç per a tothom", "Crear un enlace para todos";
    GIVE_FRIENDS: "Make a link for friends", "Crea un enllaç per als amics", "Crear un enlace para los amigos";
    GIVE_NOBODY: "End the link", "Anul·la l'enllaç", "Anular el enlace";
}
