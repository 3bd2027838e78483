// Everything the viewer says, in English, Catalan and Spanish.

/** @typedef {keyof typeof TEXTS} TextKey */

/** @type {{[code in Language]: string}} */
export const LANGUAGES = { en: "English", ca: "Català", es: "Español" };

const ORDER = /** @type {Language[]} */ (Object.keys(LANGUAGES));

/** The three languages are separated by bars. */
const TEXTS = {
	play: "Play|Reprodueix|Reproducir",
	pause: "Pause|Pausa|Pausar",
	start: "To the start|Al principi|Al principio",
	end: "To the end|Al final|Al final",
	back: "One round back|Una ronda enrere|Una ronda atrás",
	forward: "One round forward|Una ronda endavant|Una ronda adelante",
	back10: "Ten rounds back|Deu rondes enrere|Diez rondas atrás",
	forward10: "Ten rounds forward|Deu rondes endavant|Diez rondas adelante",
	speed: "Speed|Velocitat|Velocidad",
	faster: "Faster|Més ràpid|Más rápido",
	slower: "Slower|Més lent|Más lento",
	animation: "Animation|Animació|Animación",
	round: "Round|Ronda|Ronda",
	roundOf: "Round {round} of {last}|Ronda {round} de {last}|Ronda {round} de {last}",
	controls: "Playback|Reproducció|Reproducción",
	open: "Open a match|Obre una partida|Abrir una partida",
	options: "View options|Opcions de visualització|Opciones de visualización",
	help: "Help|Ajuda|Ayuda",
	legend: "What is on the board|Què hi ha al tauler|Qué hay en el tablero",
	things: "Units and things|Unitats i objectes|Unidades y objetos",
	states: "Marks|Marques|Marcas",
	dismissOutcome: "Dismiss|Descarta|Descartar",
	wins: "{name} wins with {score}|Guanya {name} amb {score}|Gana {name} con {score}",
	tied: "{names} share the win with {score}|{names} empaten al capdavant amb {score}|{names} empatan en cabeza con {score}",
	and: "and|i|y",
	fullScreen: "Full screen|Pantalla completa|Pantalla completa",
	leave: "Close|Tanca|Cerrar",
	close: "Close the match|Tanca la partida|Cerrar la partida",
	dismiss: "Dismiss|Descarta|Descartar",
	players: "Players|Jugadors|Jugadores",
	ranking: "Ranking|Classificació|Clasificación",
	scores: "Scores|Puntuacions|Puntuaciones",
	chartHint:
		"Scores over the match, key events below|" +
		"Puntuacions al llarg de la partida, amb els esdeveniments clau a sota|" +
		"Puntuaciones a lo largo de la partida, con los eventos clave debajo",
	output: "What it wrote|El que ha escrit|Lo que ha escrito",
	outputCut: "The file has the rest.|La resta és al fitxer.|El resto está en el archivo.",
	noOutput: "It wrote nothing.|No ha escrit res.|No ha escrito nada.",
	events: "Events|Esdeveniments|Eventos",
	keyEvents: "Key|Clau|Clave",
	allEvents: "All|Tots|Todos",
	unitEvents: "Selected|Selecció|Selección",
	noEvents: "Nothing of this kind happens.|No passa res d'aquesta mena.|No sucede nada de este tipo.",
	follow: "Follow|Segueix|Seguir",
	owner: "Player|Jugador|Jugador",
	nobody: "nobody|ningú|nadie",
	place: "Row, column|Fila, columna|Fila, columna",
	life: "Life|Vida|Vida",
	lastOrder: "Last order|Última ordre|Última orden",
	noOrder: "none|cap|ninguna",
	done: "done|feta|hecha",
	noEffect: "no effect|sense efecte|sin efecto",
	state: "State|Estat|Estado",
	gone: "not on the board in this round|no és al tauler en aquesta ronda|no está en el tablero en esta ronda",
	ground: "Ground|Terreny|Terreno",
	here: "Here|Aquí|Aquí",
	empty: "nothing|res|nada",
	boardHint: "Board of {game}, H for help|Tauler de {game}, H per a l'ajuda|Tablero de {game}, H para la ayuda",
	zoomIn: "Zoom in|Amplia|Ampliar",
	zoomOut: "Zoom out|Redueix|Reducir",
	fit: "Whole board|Tauler sencer|Tablero entero",
	theme: "Theme|Tema|Tema",
	auto: "System|Sistema|Sistema",
	light: "Light|Clar|Claro",
	dark: "Dark|Fosc|Oscuro",
	language: "Language|Llengua|Idioma",
	colours: "Colours|Colors|Colores",
	classic: "Of the game|Del joc|Del juego",
	safe: "Colour-blind safe|Aptes per a daltònics|Aptos para daltónicos",
	show: "Show|Mostra|Mostrar",
	lifeBars: "Life bars|Barres de vida|Barras de vida",
	effects: "Effects|Efectes|Efectos",
	drawn: "What players drew|El que han dibuixat els jugadors|Lo que han dibujado los jugadores",
	seed: "seed {seed}|llavor {seed}|semilla {seed}",
	judged: "played by the judge|jugada pel jutge|jugada por el juez",
	out: "frozen|congelat|congelado",
	damaged:
		"This file is damaged: {rounds} of {total} rounds can be shown ({damage})|" +
		"Aquest fitxer està malmès: es poden mostrar {rounds} de {total} rondes ({damage})|" +
		"Este archivo está dañado: se pueden mostrar {rounds} de {total} rondas ({damage})",
	loading: "Opening the match…|S'està obrint la partida…|Abriendo la partida…",
	failed: "This match cannot be shown|No es pot mostrar aquesta partida|No se puede mostrar esta partida",
	offline:
		"The server does not answer. Is `ludus view` still running?|" +
		"El servidor no respon. Encara s'executa `ludus view`?|" +
		"El servidor no responde. ¿Sigue en marcha `ludus view`?",
	welcome: "Watch a match|Mira una partida|Mira una partida",
	welcomeHint:
		"Drop a match file here, or choose one.|" +
		"Deixa anar aquí un fitxer de partida o tria'n un.|" +
		"Suelta aquí un archivo de partida o elige uno.",
	choose: "Choose a file|Tria un fitxer|Elegir un archivo",
	formats:
		"Replays (.ludus) and records (.res, .out, .req)|" +
		"Repeticions (.ludus) i registres (.res, .out, .req)|" +
		"Repeticiones (.ludus) y registros (.res, .out, .req)",
	fromDisk:
		"This page holds one match and opens no others. To watch another file, run: ludus view FILE|" +
		"Aquesta pàgina conté una sola partida i no n'obre d'altres. Per mirar un altre fitxer, executa: ludus view FITXER|" +
		"Esta página contiene una sola partida y no abre otras. Para ver otro archivo, ejecuta: ludus view ARCHIVO",
	playing: "Playing|En reproducció|Reproduciendo",
	leader: "{name} leads with {score}|{name} va al davant amb {score}|{name} va en cabeza con {score}",
	keys: "Keys|Tecles|Teclas",
	pointer: "Mouse and touch|Ratolí i pantalla tàctil|Ratón y pantalla táctil",
	pointerHelp:
		"Click or tap a unit or a cell to inspect it. Drag to pan, scroll or pinch to zoom.|" +
		"Fes clic en una unitat o una casella, o toca-la, per inspeccionar-la. Arrossega per desplaçar el tauler; gira la roda o pessiga per ampliar-lo.|" +
		"Haz clic en una unidad o una casilla, o tócala, para inspeccionarla. Arrastra para desplazar el tablero; gira la rueda o pellizca para ampliarlo.",
	keySpace: "Space|Espai|Espacio",
	keyEnter: "Enter|Retorn|Intro",
	keyShift: "Shift|Maj|Mayús",
	nextEvent: "Next or previous key event|Esdeveniment clau següent o anterior|Evento clave siguiente o anterior",
	nextUnit: "Next or previous unit|Unitat següent o anterior|Unidad siguiente o anterior",
	moveCursor: "Move the cell cursor|Mou el cursor de caselles|Mover el cursor de casillas",
	inspectCell: "Inspect the cell|Inspecciona la casella|Inspeccionar la casilla",
	letGo: "Let go of the selection|Treu la selecció|Quitar la selección",
};

/** @type {Language} */
let language = "en";

/** The language that the browser asks for, as far as it is spoken here. @returns {Language} */
export function browserLanguage() {
	for (const wanted of navigator.languages ?? [navigator.language]) {
		const code = ORDER.find((known) => wanted.toLowerCase().split("-")[0] === known);
		if (code) return code;
	}
	return "en";
}

/** @param {Language} code */
export function speak(code) {
	language = code;
	document.documentElement.lang = code;
}

/** A text of the viewer, with values in the place of the words in braces. @param {TextKey} key @param {Record<string, string | number>} [values] */
export function text(key, values = {}) {
	const words = TEXTS[key].split("|")[ORDER.indexOf(language)];
	return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A text of the scene. @param {Words | undefined} texts */
export function sceneText(texts) {
	return texts ? (texts[language] ?? texts.en ?? "") : "";
}

/** A number as it is written here. @param {number} value @param {number} [decimals] */
export function number(value, decimals = 0) {
	const [separator, point] = language === "en" ? [",", "."] : [".", ","];
	const [whole, rest] = value.toFixed(decimals).split(".");
	return whole.replace(/\B(?=(\d{3})+$)/g, separator) + (rest ? point + rest : "");
}

/** Translates every element of the page that names its text. */
export function translatePage() {
	for (const element of document.querySelectorAll("[data-text]")) {
		element.textContent = text(/** @type {TextKey} */ (element.getAttribute("data-text")));
	}
	for (const element of document.querySelectorAll("[data-label]")) {
		label(element, text(/** @type {TextKey} */ (element.getAttribute("data-label"))));
	}
}

/**
 * Names a control for those who hear it and those who point at it.
 * @param {Element} element
 * @param {string} name
 * @param {string} [key] that does the same
 */
export function label(element, name, key = "") {
	element.setAttribute("aria-label", name);
	if (element.matches("button, select")) element.setAttribute("title", key ? `${name} (${key})` : name);
}
