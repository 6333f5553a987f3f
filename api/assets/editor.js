// Laying out a set-up. What is illegal is said here at once; the service has the last word.

import { byId, copyLink, element, say } from "./dom.js";
import { edgeOf, layoutOf } from "./layouts.js";
import { keep } from "./link.js";
import { readHexagon, writeRows } from "./texts.js";

const TOOLS = [["w", "White rook"], ["b", "Black rook"], ["o", "Bead"], ["", "Empty"]];
const MOST_ROOKS = 3;
const MOST_BAIT = 999;
const NO_HEXAGON = "The rows do not make a hexagon of side 2 to 5.";

/** A set-up to begin with: the smallest with everything in it. */
export const FIRST_SETUP = "w1w/4/1ooo1/4/b1b";

export class Editor {
  /** * `changed()`: the set-up is another one now. */
  constructor(board, changed) {
    this.board = board;
    this.changed = changed;
    this.tool = "w";
    byId("palette").append(...TOOLS.map(([piece, name]) => element("button", {
      type: "button", role: "radio", "data-piece": piece, textContent: name, onclick: () => this.choose(piece),
    })));
    byId("side").addEventListener("change", (event) => this.resize(+event.target.value));
    byId("random").addEventListener("click", () => this.random());
    byId("mirror").addEventListener("click", () => this.mirror());
    byId("clear").addEventListener("click", () => this.resize(this.side));
    byId("pie").addEventListener("change", () => this.edited());
    for (const id of ["bait", "target"]) byId(id).addEventListener("input", () => this.edited());
    byId("setup-share").addEventListener("click", (event) => copyLink(event.currentTarget));
    byId("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.read(byId("setup-text").value);
    });
  }

  open(game, { setup, bait, pie, target }, replace = false) {
    this.game = game;
    this.rows = readHexagon(FIRST_SETUP).rows;
    byId("pie").value = pie === "bait" ? "bait" : "marquisian";
    byId("bait").value = bait ?? 0;
    byId("target").value = target ?? "";
    this.choose(this.tool);
    this.read(setup || FIRST_SETUP, replace);
  }

  /** Reads a set-up as it was typed; a text that is none is said, and leaves the board as it is. */
  read(text, replace = false) {
    const board = text.trim().split(/[\s_]+/)[0];
    const [stray] = /[^wbo\d/]/u.exec(board) ?? [];
    const { rows } = readHexagon(board);
    if (!stray && isHexagon(rows)) {
      this.rows = rows;
      return this.edited(replace);
    }
    this.edited(replace);
    byId("setup-text").value = text;
    this.misread = stray ? `A set-up is written with w, b, o, numbers and /; ${stray} is none of them.` : NO_HEXAGON;
    this.draw();
  }

  get side() {
    return (this.rows.length + 1) / 2;
  }

  /** The set-up as the service takes it. */
  get setup() {
    const target = byId("target").value;
    const pie = byId("pie").value;
    const setup = { board: writeRows(this.rows), pie };
    if (pie === "bait") setup.bait = Math.max(0, Math.trunc(+byId("bait").value || 0));
    if (target !== "") setup.target = Math.trunc(+target);
    return setup;
  }

  /** The position in which one colour moves first, the bait in the store of the other. */
  begin(colour) {
    const { board, bait = 0, target } = this.setup;
    const store = colour === "w" ? `0-${bait}` : `${bait}-0`;
    return [board, colour, store, target].filter((field) => field !== undefined).join(" ");
  }

  choose(piece) {
    this.tool = piece;
    for (const button of byId("palette").children) button.setAttribute("aria-checked", String(button.dataset.piece === piece));
  }

  act(id) {
    const [row, column] = this.place(id);
    const here = this.rows[row][column];
    this.rows[row][column] = here === this.tool ? "" : this.tool;
    say(`${id}: ${TOOLS.find(([piece]) => piece === this.rows[row][column])[1]}`);
    this.edited();
  }

  /** Keys: w, b, o and Delete put that piece or nothing. */
  key(key, id) {
    const piece = key === "Delete" ? "" : key;
    if (!id || !TOOLS.some(([tool]) => tool === piece)) return false;
    this.choose(piece);
    const [row, column] = this.place(id);
    this.rows[row][column] = piece;
    this.edited();
    return true;
  }

  place(id) {
    return [this.rows.length - 1 - (id.charCodeAt(0) - 97), +id.slice(1) - 1];
  }

  resize(side) {
    const rows = 2 * side - 1;
    this.rows = Array.from({ length: rows }, (_, row) => Array(rows - Math.abs(row - side + 1)).fill(""));
    this.edited();
  }

  /** As many rooks and beads as now, or a usual number, on chance cells where they may stand. */
  random() {
    const layout = layoutOf(this.game, writeRows(this.rows));
    const edge = edgeOf(layout, this.rows.length);
    const count = (piece) => this.rows.flat().filter((cell) => cell === piece).length;
    const rooks = Math.min(MOST_ROOKS, Math.max(count("w"), count("b")) || Math.min(3, this.side - 1));
    const inner = layout.cells.filter((cell) => !edge.has(cell.id));
    const beads = Math.min(count("o") || Math.ceil(inner.length / 2), inner.length);
    const outer = shuffled(layout.cells.filter((cell) => edge.has(cell.id)));
    this.rows = this.rows.map((row) => row.map(() => ""));
    const put = (cell, piece) => {
      const [row, column] = this.place(cell.id);
      this.rows[row][column] = piece;
    };
    outer.slice(0, rooks).forEach((cell) => put(cell, "w"));
    outer.slice(rooks, 2 * rooks).forEach((cell) => put(cell, "b"));
    shuffled(inner).slice(0, beads).forEach((cell) => put(cell, "o"));
    this.edited();
  }

  /** Half a turn, the colours exchanged. */
  mirror() {
    const swapped = { w: "b", b: "w", o: "o", "": "" };
    this.rows = [...this.rows].reverse().map((row) => [...row].reverse().map((piece) => swapped[piece] ?? ""));
    this.edited();
  }

  edited(replace = false) {
    const { board, pie } = this.setup;
    this.misread = null;
    byId("setup-text").value = board;
    byId("side").value = String(this.side);
    byId("bait").disabled = pie !== "bait";
    this.keep("", replace);
    this.draw();
    this.changed();
  }

  /** Puts the set-up into the address; with `balance` a reload asks for the balance again. */
  keep(balance, replace = false) {
    const { board, bait, pie, target } = this.setup;
    keep({ game: this.game, setup: board, pie: pie === "bait" ? pie : "", bait: bait || "", target, balance }, null, replace);
  }

  draw(marks = {}) {
    const { board, bait = 0, target } = this.setup;
    const layout = layoutOf(this.game, board);
    const faults = this.faults(layout);
    const beads = this.rows.flat().filter((cell) => cell === "o").length;
    const majority = Math.floor((beads + bait) / 2) + 1;
    byId("counts").textContent = `${beads} beads on the board${bait ? `, ${bait} beside it` : ""}; ${target ?? majority} win.`;
    byId("illegal").replaceChildren(...faults.words.map((words) => element("li", { textContent: words })));
    byId("balance").disabled = faults.words.length > 0;
    for (const colour of ["w", "b"]) byId(`play-${colour}`).disabled = Boolean(this.misread);
    for (const id of faults.cells) marks[id] = { ring: "loss", words: "not allowed here" };
    byId("turn").textContent = "Set-up";
    byId("legend").replaceChildren();
    this.board.show(layout, { marks, editing: true, title: `Set-up of ${this.game}` });
  }

  /** What makes the set-up illegal, in words and by cell. */
  faults(layout) {
    const words = [];
    if (this.misread) return { words: [this.misread], cells: [] };
    const edge = edgeOf(layout, this.rows.length);
    const rookInside = layout.cells.filter((cell) => cell.piece?.rook && !edge.has(cell.id));
    const beadOnEdge = layout.cells.filter((cell) => cell.piece?.small && edge.has(cell.id));
    for (const [piece, name] of [["w", "White"], ["b", "Black"]]) {
      const count = this.rows.flat().filter((cell) => cell === piece).length;
      if (count < 1 || count > MOST_ROOKS) words.push(`${name} has ${count} rooks; 1 to ${MOST_ROOKS} are allowed.`);
    }
    const { bait = 0, target = 1 } = this.setup;
    const beads = bait + this.rows.flat().filter((cell) => cell === "o").length;
    if (bait > MOST_BAIT) words.push(`The bait has ${bait} beads; at most ${MOST_BAIT} are allowed.`);
    else if (!(target >= 1 && target <= Math.max(beads, 1))) words.push(`${target} beads to win: 1 to ${beads} are allowed.`);
    if (rookInside.length) words.push(`Rooks stand on the edge only: ${rookInside.map((cell) => cell.id).join(", ")}.`);
    if (beadOnEdge.length) words.push(`Beads lie inside only: ${beadOnEdge.map((cell) => cell.id).join(", ")}.`);
    return { words, cells: [...rookInside, ...beadOnEdge].map((cell) => cell.id) };
  }
}

/** Whether the rows are those of a board of side 2 to 5. */
function isHexagon(rows) {
  const side = (rows.length + 1) / 2;
  return [2, 3, 4, 5].includes(side) && rows.every((row, at) => row.length === rows.length - Math.abs(at - side + 1));
}

function shuffled(list) {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}
