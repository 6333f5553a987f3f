// Collects what the package shares with the page of the service: `node assemble.mjs [FOLDER]`.
//
// Into `page` of the folder, by default this one, go the modules that `board.js` needs and the style of the board. npm
// runs this before it packs the package or links the folder.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const own = (place) => fileURLToPath(new URL(place, import.meta.url));
const asset = (name) => own(`../../assets/${name}`);
const text = (path) => readFileSync(path, "utf8");
const folder = process.argv[2] ?? own(".");

/** The modules that a script imports from `place`, without those that are made here. */
const imported = (script, place) =>
  [...text(script).matchAll(/ from "([^"]+)"/g)].map(([, module]) => module)
    .filter((module) => module.startsWith(place) && !module.endsWith("/style.js"))
    .map((module) => module.slice(place.length));

/** Every module of the page that `board.js` needs. */
function modules() {
  const found = new Set(imported(own("board.js"), "./page/"));
  // A set that grows is walked to its end.
  for (const name of found) for (const other of imported(asset(name), "./")) found.add(other);
  return found;
}

/** A part of a text, from `begin` to `end`. */
function part(whole, begin, end) {
  const from = whole.indexOf(begin);
  const to = whole.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`style.css: expected ${JSON.stringify(begin)} and then ${JSON.stringify(end)}`);
  return whole.slice(from, to);
}

/** The colours of the page and the style of its board, for a shadow root. */
function style() {
  const whole = text(asset("style.css"));
  const colours = part(whole, ":root {", "* {").replace(/:root((?:\[[^\]]*\]|:not\([^)]*\))*)/g, (_, which) => (which ? `:host(${which})` : ":host"));
  const lines = [".win {", ".board svg {"].map((begin) => part(whole, begin, "\n"));
  return [colours, ...lines, part(whole, "/* The board. */", "\n\n")].join("\n");
}

/** A style in which every variable has a value, also those that `board.js` uses; otherwise a part of it is missing. */
function complete(style) {
  const used = [...(style + text(own("board.js"))).matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  const lacking = used.filter((name) => !style.includes(`${name}:`));
  if (lacking.length) throw new Error(`style.css: expected values for ${[...new Set(lacking)].join(", ")} in the parts for the board`);
  return style;
}

mkdirSync(`${folder}/page`, { recursive: true });
for (const name of modules()) copyFileSync(asset(name), `${folder}/page/${name}`);
writeFileSync(`${folder}/page/style.js`, `export const STYLE = ${JSON.stringify(complete(style()))};\n`);
copyFileSync(own("../../../LICENSE"), `${folder}/LICENSE`);
