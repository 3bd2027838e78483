// What the editor says, where the page does not speak English.

/** @type {Record<string, Record<string, string>>} */
export const PHRASES = {
	ca: {
		"Find": "Cerca", "Replace": "Substitueix per", "next": "següent", "previous": "anterior", "all": "tots", "replace": "substitueix", "replace all": "substitueix-los tots",
		"match case": "majúscules", "regexp": "expressió regular", "by word": "paraules senceres", "close": "tanca",
		"current match": "coincidència actual", "on line": "a la línia", "replaced match on line $": "substituït a la línia $", "replaced $ matches": "$ substitucions fetes",
		"Go to line": "Ves a la línia", "go": "ves-hi", "Diagnostics": "Problemes", "No diagnostics": "Cap problema", "Control character": "Caràcter de control", "Selection deleted": "Selecció esborrada",
	},
	es: {
		"Find": "Buscar", "Replace": "Sustituir por", "next": "siguiente", "previous": "anterior", "all": "todos", "replace": "sustituir", "replace all": "sustituir todos",
		"match case": "mayúsculas", "regexp": "expresión regular", "by word": "palabras enteras", "close": "cerrar",
		"current match": "coincidencia actual", "on line": "en la línea", "replaced match on line $": "sustituido en la línea $", "replaced $ matches": "$ sustituciones hechas",
		"Go to line": "Ir a la línea", "go": "ir", "Diagnostics": "Problemas", "No diagnostics": "Ningún problema", "Control character": "Carácter de control", "Selection deleted": "Selección borrada",
	},
};
