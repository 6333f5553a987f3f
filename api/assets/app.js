// The page: which game is shown, whether it is played or set up, and the state in the address.

import { readRecord, studies, tables } from "./api.js";
import { Balancing } from "./balance.js";
import { Board } from "./board.js";
import { byId, element, loaded, prose, trouble } from "./dom.js";
import { Designing } from "./design.js";
import { Editor, FIRST_SETUP } from "./editor.js";
import { Gallery } from "./gallery.js";
import { gameOf } from "./games.js";
import { layoutOf, upright } from "./layouts.js";
import { noteWords } from "./glossary.js";
import { keep, linkOf, readLink } from "./link.js";
import { offer } from "./offline.js";
import { HIGHEST } from "./opponent.js";
import { Play } from "./play.js";
import { Puzzle } from "./puzzle.js";
import { gameOfRecord } from "./record.js";
import { RecordBox } from "./recordbox.js";
import { Reviewing } from "./review.js";
import { Rulebook } from "./rulebook.js";

/** Milliseconds after the page is drawn before the browser's own search is fetched. */
const SETTLED = 1500;

const { games: listed } = JSON.parse(byId("listed").textContent);
const HELP = "Click or drag a piece to a marked cell. Keys: left and right go through the game, F flips the board. On a cell reached by Tab, arrows move the cursor, Enter picks up and puts down, Escape cancels, Backspace undoes.";
/** The owner of the board: the game or the editor. */
let owner = null;

const board = new Board(byId("board"), {
  act: (id) => owner?.act(id),
  take: (id) => owner === play && play.from !== id && play.pick(id),
  drop: (from, to) => owner?.drop(from, to),
  letGo: () => owner?.letGo(),
  hasPlies: () => owner === play,
  key: (key, id) => (owner === play ? key === "Backspace" && play.undo() !== false : owner?.key(key, id)),
});
const play = new Play(board);
const editor = new Editor(board, () => balancing.reset());
const balancing = new Balancing((position, known) => playFrom(editor.game, position, { known }), (traps) => editor.point(traps));
const reviewing = new Reviewing(play);
const rulebook = new Rulebook();
new RecordBox(play, (game, text) => recordFrom(game ?? play.game, text));

/** The game shown, and the mode: play, set up, gallery, puzzle or design. */
let shown = { game: null, mode: null };
const ways = { play: (position) => challenge(position, position.split(" ")[1] === "w" ? "b" : "w"), open: (board) => setUp(shown.game, { setup: board }) };
const VIEWS = { gallery: new Gallery((name) => pose(shown.game, name)), design: new Designing(ways) };
const puzzle = new Puzzle(play, {
  draw: (game, setup) => board.show(layoutOf(game, setup), { title: "The set-up" }),
  open: (name) => pose(shown.game, name),
  playOut: challenge,
  list: () => visit(shown.game, "gallery"),
  inLaboratory: ways.open,
});
/** The modes without a game on the board, and the button that stands for each. */
const APART = { gallery: "gallery", puzzle: "gallery", design: "design" };

byId("balance").addEventListener("click", () => weigh());
for (const colour of ["w", "b"]) byId(`play-${colour}`).addEventListener("click", () => playFrom(editor.game, editor.begin(colour)));
for (const id of ["mode-play", "play-here"]) byId(id).addEventListener("click", () => owner === editor && playFrom(editor.game, editor.begin()));
byId("mode-play").addEventListener("click", () => shown.mode in APART && playFrom(shown.game, `${FIRST_SETUP} w`));
byId("mode-setup").addEventListener("click", () => owner === play && setUp(play.game, { setup: boardOf(play.begun), edit: play.position }));
byId("vary").addEventListener("click", () => vary());
byId("mode-setup").addEventListener("click", () => shown.mode in APART && setUp(shown.game, {}));
for (const view of Object.keys(VIEWS)) byId(`mode-${view}`).addEventListener("click", () => shown.mode !== view && visit(shown.game, view));
byId("theme").addEventListener("click", changeTheme);
byId("flip").addEventListener("click", flip);
document.addEventListener("keydown", pressed);
window.addEventListener("popstate", () => arrive(false));
upright.addEventListener("change", () => owner?.draw());
byId("tables").addEventListener("click", () => showTables().catch(trouble));

/** The board of a position, if a set-up can have it. */
function boardOf(position) {
  return /^[wbo\d/]+/.exec(position ?? "")?.[0] ?? FIRST_SETUP;
}

function frame(game, mode) {
  const { name, setUps } = gameOf(game);
  for (const link of byId("games").querySelectorAll("a")) {
    if (link.dataset.game === game) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${name} · Marquis`;
  byId("rules").href = `/rules/${game}`;
  byId("rules").textContent = `Rules of ${name}`;
  byId("modes").hidden = false;
  byId("mode-setup").textContent = setUps ? "Set up and balance" : "Set up";
  rulebook.show(game);
  shown = { game, mode };
  if (mode !== "puzzle") puzzle.leave();
  for (const view of ["setup", "play", ...Object.keys(VIEWS)]) byId(`mode-${view}`).setAttribute("aria-pressed", String((APART[mode] ?? mode) === view));
  for (const view of Object.keys(VIEWS)) {
    byId(`mode-${view}`).hidden = !setUps;
    byId(view).hidden = mode !== view;
  }
  byId("table").hidden = mode in VIEWS;
  byId("panel").hidden = mode !== "play";
  byId("puzzle").hidden = mode !== "puzzle";
  byId("palette").hidden = mode !== "setup";
  byId("editor").hidden = mode !== "setup";
  if (mode === "play") byId("board-help").textContent = HELP;
  const about = listed.find(({ id }) => id === game);
  // Text between backticks is typed literally.
  byId("grammar").replaceChildren(...prose(about?.grammar ?? ""));
  const starts = setUps ?? (about?.starts ?? []).map(({ name, position }) => [name.replace("start:", ""), position]);
  const place = byId("start");
  place.replaceChildren(new Option("choose …", ""), ...starts.map(([name, position]) => new Option(name, position)));
  place.options[0].disabled = true;
}

function playFrom(game, position, more = {}) {
  balancing.reset();
  reviewing.leave(game, more.begun ?? position);
  frame(game, "play");
  owner = play;
  return play.open(game, position, more);
}

/** Opens a record at its end or at `ply`; the board stays unchanged if the service refuses it. */
async function recordFrom(game, text, { ply, replace = false } = {}) {
  if (!listed.some(({ id }) => id === game)) throw new Error(`There is no game ${game}.`);
  const read = gameOfRecord(await readRecord(game, text));
  trouble(null);
  const at = Math.min(ply ?? read.line.length, read.line.length);
  // Not awaited: the search of the position may take longer.
  playFrom(game, at ? read.line[at - 1].after : read.begun, { ...read, ply: at, replace });
}

/** Shows the gallery or the design of a game; a design may start from a board. */
function visit(game, view, replace = false, setup = "") {
  empty(game, view);
  keep({ game, view, setup }, null, replace);
  VIEWS[view].show(game, setup);
}

/** Designs set-ups from the board of the editor, harder ones if its level is known. */
function vary() {
  const { rating } = balancing;
  const { board } = editor.setup;
  visit(editor.game, "design", false, board);
  byId("design-harder-than").value = rating >= 1 ? String(Math.min(8, Math.floor(rating))) : "";
}

/** Shows a puzzle. */
function pose(game, name, replace = false) {
  empty(game, "puzzle");
  board.show(layoutOf(game, FIRST_SETUP), { title: "The set-up" });
  for (const id of ["turn", "legend", "why", "board-help"]) byId(id).textContent = "";
  byId("throws").hidden = true;
  keep({ game, view: "gallery", puzzle: name }, null, replace);
  puzzle.show(game, name);
}

/** A mode without a game. */
function empty(game, mode) {
  play.close();
  balancing.reset();
  frame(game, mode);
  owner = null;
}

/** Plays a set-up out against Marquis at full strength; values stay hidden, because it is a puzzle. */
function challenge(position, rival) {
  byId("hints").checked = false;
  byId("level").value = String(HIGHEST);
  playFrom(shown.game, position);
  byId("rival").value = rival;
  board.focus();
}

function setUp(game, fields, replace = false) {
  play.close();
  frame(game, "setup");
  owner = editor;
  editor.open(game, fields, replace);
  byId("board-help").textContent = editor.help;
  if (gameOf(game).setUps && fields.setup && !byId("balance").disabled) recall(fields.balance === "1");
}

/** Shows the state in the address. */
function arrive(replace) {
  const fields = readLink();
  const known = listed.some(({ id }) => id === fields.game);
  const game = known ? fields.game : listed[0].id;
  trouble(null);
  if (gameOf(game).setUps && fields.view === "gallery" && fields.puzzle) return pose(game, fields.puzzle, true);
  if (gameOf(game).setUps && fields.view in VIEWS) return visit(game, fields.view, true, fields.setup);
  if (gameOf(game).setUps ? fields.setup || !fields.position : fields.edit) return setUp(game, fields, true);
  frame(game, "play");
  const starts = listed.find(({ id }) => id === game)?.starts ?? [];
  const position = fields.position || starts.find(({ usual }) => usual)?.position;
  const kept = history.state;
  if (fields.moves && !kept?.line) {
    const agreed = fields.immobile ? `[Immobile "${fields.immobile}"]` : "";
    const text = `[Position "${fields.from ?? "start"}"] ${agreed} ${fields.moves}`;
    const ply = fields.ply === undefined ? undefined : Number(fields.ply) || 0;
    recordFrom(game, text, { ply, replace: true }).catch((excuse) => playFrom(game, position, { replace: true, excuse }));
    return;
  }
  const headers = fields.immobile ? [["Immobile", fields.immobile]] : [];
  const excuse = fields.game && !known ? new Error(`There is no game ${fields.game}; here is ${gameOf(game).name}.`) : null;
  playFrom(game, position, { begun: position, headers, ...kept, replace: true, excuse });
}

/** Shows the last balance of the set-up; with `further`, balances it if that is incomplete. */
async function recall(further) {
  const { game, setup } = editor;
  const isWhole = await balancing.recall(game, setup);
  if (further && !isWhole) weigh();
}

/** Balances the set-up; the address records it, so that a reload finds the result or the running job. */
function weigh() {
  editor.keep("1", true);
  balancing.start(editor.game, editor.setup);
}

/** The tables of the service, in readable form. */
async function showTables() {
  const loaded = await tables();
  const far = loaded.some((one) => one.address);
  const head = ["game", "board", "layer", "positions", "wins", "draws", "losses", "longest win", "bytes", ...(far ? ["location"] : [])];
  const figure = (count) => count.toLocaleString("en");
  const row = (one) => [gameOf(one.game).name, one.variant, one.layer, ...[one.positions, one.wins, one.draws, one.losses, one.longest_win, one.bytes].map(figure), ...(far ? [one.address ?? "here"] : [])];
  byId("shelf-list").replaceChildren(loaded.length
    ? element("table", { className: "figures" },
      element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col", textContent: name })))),
      element("tbody", {}, ...loaded.map((one) => element("tr", {}, ...row(one).map((said) => element("td", { textContent: said }))))))
    : element("p", { textContent: "No tables: every answer comes from a search." }));
  byId("shelf").showModal();
}

function changeTheme() {
  const shown = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const theme = shown === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function begin() {
  byId("games").append(...listed.map(({ id }) => element("li", {},
    element("a", { href: linkOf({ game: id }), textContent: gameOf(id).name, "data-game": id }))));
  arrive(true);
  // The visible page comes first.
  setTimeout(() => {
    offer(again);
    studies().then((shown) => { byId("studies").hidden = !shown.length; }, () => {});
  }, SETTLED);
}

function flip() {
  board.flip();
  owner?.draw();
}

/** Keys that work wherever nothing else takes them. */
function pressed(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
  const acts = { ArrowLeft: () => play.undo(), ArrowRight: () => play.goTo(play.ply + 1), f: flip };
  if (owner !== play || !acts[event.key]) return;
  acts[event.key]();
  event.preventDefault();
}

/** Asks about the position again. */
function again() {
  if (owner !== play) return;
  play.answer = null;
  play.arrive(true);
}

loaded();
noteWords();
begin();
