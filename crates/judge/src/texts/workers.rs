//! What the page of workers says: a name, then English, Catalan and Spanish.

use super::Text;

texts! {
    WORKER_TEXTS;
    FLEET: "Workers on other machines", "Processos de treball en altres màquines", "Procesos de trabajo en otras máquinas";
    FLEET_HINT: "They get work through a NATS server, hold nothing but their token, and are checked: some matches are played by two of them.", "Reben feina a través d'un servidor NATS, no guarden res més que el seu testimoni i se'ls comprova: algunes partides les juguen dos d'ells.", "Reciben trabajo a través de un servidor NATS, no guardan nada más que su token y se los comprueba: algunas partidas las juegan dos de ellos.";
    FLEET_EMPTY: "No workers on other machines", "Cap procés de treball en altres màquines", "Ningún proceso de trabajo en otras máquinas";
    FLEET_EMPTY_HINT: "The judge does all work itself, unless it was started with --nats.", "El jutge fa tota la feina ell mateix, si no s'ha engegat amb --nats.", "El juez hace todo el trabajo él mismo, salvo que se haya arrancado con --nats.";
    WORKER: "Worker", "Procés de treball", "Proceso de trabajo";
    WORKER_NEW: "New worker", "Procés de treball nou", "Proceso de trabajo nuevo";
    WORKER_NAME: "Name", "Nom", "Nombre";
    WORKER_NAME_HINT: "Such as the machine it runs on.", "Per exemple, la màquina on s'executa.", "Por ejemplo, la máquina en la que se ejecuta.";
    WORKER_NO_NAME: "A name is needed.", "Cal un nom.", "Hace falta un nombre.";
    WORKER_OWNER: "E-mail of whose machine it is", "Correu de la persona que té la màquina", "Correo de la persona que tiene la máquina";
    WORKER_OWNER_HINT: "Empty for your own. Two volunteers that check each other belong to different people.", "Buit si és teva. Dos voluntaris que es comproven l'un a l'altre són de persones diferents.", "Vacío si es tuya. Dos voluntarios que se comprueban entre sí son de personas distintas.";
    WORKER_NO_OWNER: "Nobody has this address.", "Ningú no té aquesta adreça.", "Nadie tiene esta dirección.";
    WORKER_SCOPE: "It may be given", "Se li pot donar", "Se le puede dar";
    WORKER_PLAYS: "Matches of every kind", "Partides de tota mena", "Partidas de todo tipo";
    WORKER_COMPILES: "Matches of every kind, and sources to compile", "Partides de tota mena, i codi per compilar", "Partidas de todo tipo, y código para compilar";
    WORKER_VOLUNTEERS: "Matches of the ladder and of training only (a volunteer)", "Només partides de la classificació i d'entrenament (un voluntari)", "Solo partidas de la clasificación y de entrenamiento (un voluntario)";
    WORKER_NO_SCOPE: "Say what it may be given.", "Digues què se li pot donar.", "Di qué se le puede dar.";
    WORKERS_FULL: "There are {most} workers, which is all that there may be. Revoke one.", "Hi ha {most} processos de treball, que són tots els que hi pot haver. Revoca'n un.", "Hay {most} procesos de trabajo, que son todos los que puede haber. Revoca uno.";
    WORKER_MAKE: "Make the token", "Crea el testimoni", "Crear el token";
    WORKER_MADE: "The token of the worker, which is shown only now", "El testimoni del procés de treball, que només es mostra ara", "El token del proceso de trabajo, que solo se muestra ahora";
    WORKER_USE: "On the other machine: LUDUS_WORKER_TOKEN=… ludus-judge worker --nats nats://SERVER:4222. The NATS server must read its users again first.", "A l'altra màquina: LUDUS_WORKER_TOKEN=… ludus-judge worker --nats nats://SERVIDOR:4222. Abans, el servidor NATS ha de rellegir els seus usuaris.", "En la otra máquina: LUDUS_WORKER_TOKEN=… ludus-judge worker --nats nats://SERVIDOR:4222. Antes, el servidor NATS debe releer sus usuarios.";
    WORKER_VERSION: "Version", "Versió", "Versión";
    WORKER_CORES: "Cores", "Nuclis", "Núcleos";
    WORKER_PACE: "Matches per minute", "Partides per minut", "Partidas por minuto";
    WORKER_MATCHES: "Matches", "Partides", "Partidas";
    WORKER_SEEN: "Last seen", "Vist per última vegada", "Visto por última vez";
    WORKER_UNSEEN: "never", "mai", "nunca";
    WORKER_DISAGREED: "Disagreements", "Desacords", "Desacuerdos";
    WORKER_SUSPENDED: "suspended", "suspès", "suspendido";
    WORKER_ADMIT: "Let it in again", "Readmet-lo", "Readmitirlo";
    WORKERS_UNCONFIRMED: "Results of the last 30 days that one worker alone has played: {count}. If it is suspended they are played again.", "Resultats dels últims 30 dies d'un sol procés de treball: {count}. Si se'l suspèn, es tornen a jugar.", "Resultados de los últimos 30 días de un solo proceso de trabajo: {count}. Si se lo suspende, se vuelven a jugar.";
    DID_MAKE_WORKER: "Worker made", "Procés de treball creat", "Proceso de trabajo creado";
    DID_REVOKE_WORKER: "Worker revoked", "Procés de treball revocat", "Proceso de trabajo revocado";
    DID_SUSPEND_WORKER: "Worker suspended by the judge", "Procés de treball suspès pel jutge", "Proceso de trabajo suspendido por el juez";
    DID_ADMIT_WORKER: "Worker let in again", "Procés de treball readmès", "Proceso de trabajo readmitido";
}
