//! What the page of workers says: a name, then English, Catalan and Spanish.

use super::Text;

texts! {
    WORKER_TEXTS;
    FLEET: "Workers on other machines", "Treballadors en altres màquines", "Trabajadores en otras máquinas";
    FLEET_HINT: "They get work through a NATS server, hold nothing but their token, and are checked: some matches are played by two of them.", "Reben feina a través d'un servidor NATS, només tenen el seu testimoni i se'ls comprova: algunes partides les juguen dos d'ells.", "Reciben trabajo a través de un servidor NATS, solo tienen su token y se les comprueba: algunas partidas las juegan dos de ellos.";
    FLEET_EMPTY: "No workers on other machines", "Cap treballador en altres màquines", "Ningún trabajador en otras máquinas";
    FLEET_EMPTY_HINT: "The judge does all work itself, unless it was started with --nats.", "El jutge fa tota la feina ell mateix, si no s'ha engegat amb --nats.", "El juez hace todo el trabajo él mismo, salvo que se haya arrancado con --nats.";
    WORKER: "Worker", "Treballador", "Trabajador";
    WORKER_NEW: "New worker", "Nou treballador", "Nuevo trabajador";
    WORKER_NAME: "Name", "Nom", "Nombre";
    WORKER_NAME_HINT: "Such as the machine it runs on.", "Per exemple, la màquina on s'executa.", "Por ejemplo, la máquina en la que se ejecuta.";
    WORKER_NO_NAME: "A name is needed.", "Cal un nom.", "Hace falta un nombre.";
    WORKER_OWNER: "E-mail of whose machine it is", "Correu de qui és la màquina", "Correo de quién es la máquina";
    WORKER_OWNER_HINT: "Empty for your own. Two volunteers that check each other belong to different people.", "Buit si és teva. Dos voluntaris que es comproven l'un a l'altre són de persones diferents.", "Vacío si es tuya. Dos voluntarios que se comprueban entre sí son de personas distintas.";
    WORKER_NO_OWNER: "Nobody has this address.", "Ningú no té aquesta adreça.", "Nadie tiene esta dirección.";
    WORKER_SCOPE: "It may be given", "Se li pot donar", "Se le puede dar";
    WORKER_PLAYS: "Matches of every kind", "Partides de tota mena", "Partidas de todo tipo";
    WORKER_COMPILES: "Matches of every kind, and sources to compile", "Partides de tota mena, i codi per compilar", "Partidas de todo tipo, y código para compilar";
    WORKER_VOLUNTEERS: "Matches of the ladder and of training only (a volunteer)", "Només partides de la classificació i d'entrenament (un voluntari)", "Solo partidas de la clasificación y de entrenamiento (un voluntario)";
    WORKER_NO_SCOPE: "Say what it may be given.", "Digues què se li pot donar.", "Di qué se le puede dar.";
    WORKERS_FULL: "There are {most} workers, which is all that there may be. Revoke one.", "Hi ha {most} treballadors, que són tots els que hi pot haver. Revoca'n un.", "Hay {most} trabajadores, que son todos los que puede haber. Revoca uno.";
    WORKER_MAKE: "Make the token", "Crea el testimoni", "Crear el token";
    WORKER_MADE: "The token of the worker, which is shown only now", "El testimoni del treballador, que només es mostra ara", "El token del trabajador, que solo se muestra ahora";
    WORKER_USE: "On the other machine: LUDUS_WORKER_TOKEN=… ludus-judge worker --nats nats://SERVER:4222. The NATS server must read its users again first.", "A l'altra màquina: LUDUS_WORKER_TOKEN=… ludus-judge worker --nats nats://SERVIDOR:4222. Abans, el servidor NATS ha de rellegir els seus usuaris.", "En la otra máquina: LUDUS_WORKER_TOKEN=… ludus-judge worker --nats nats://SERVIDOR:4222. Antes, el servidor NATS debe releer sus usuarios.";
    WORKER_VERSION: "Version", "Versió", "Versión";
    WORKER_CORES: "Cores", "Nuclis", "Núcleos";
    WORKER_PACE: "Matches per minute", "Partides per minut", "Partidas por minuto";
    WORKER_MATCHES: "Matches", "Partides", "Partidas";
    WORKER_SEEN: "Last seen", "Vist per última vegada", "Visto por última vez";
    WORKER_UNSEEN: "never", "mai", "nunca";
    WORKER_DISAGREED: "Disagreements", "Desacords", "Desacuerdos";
    WORKER_SUSPENDED: "suspended", "suspès", "suspendido";
    WORKER_ADMIT: "Let it in again", "Torna'l a admetre", "Volver a admitirlo";
    WORKERS_UNCONFIRMED: "{count} results of the last 30 days were played by one worker only; if it is suspended they are played again.", "{count} resultats dels últims 30 dies els ha jugat un sol treballador; si se'l suspèn, es tornen a jugar.", "{count} resultados de los últimos 30 días los ha jugado un solo trabajador; si se le suspende, se vuelven a jugar.";
    DID_MAKE_WORKER: "Worker made", "Treballador creat", "Trabajador creado";
    DID_REVOKE_WORKER: "Worker revoked", "Treballador revocat", "Trabajador revocado";
    DID_SUSPEND_WORKER: "Worker suspended by the judge", "Treballador suspès pel jutge", "Trabajador suspendido por el juez";
    DID_ADMIT_WORKER: "Worker let in again", "Treballador tornat a admetre", "Trabajador vuelto a admitir";
}
