// Setting up a position of any game, or a set-up to balance. The service checks legality while the user edits.

import { legal } from "./api.js";
import { byId, copyLink, element, say } from "./dom.js";
import { gameOf } from "./games.js";
import { Grid } from "./grids.js";
import { layoutOf } from "./layouts.js";
import { keep } from "./link.js";
import { Palette } from "./palette.js";
import { faultsOf, presetsOf, shuffle } from "./setups.js";
import { ENDS, nameOf, playersOf } from "./values.js";

/** A set-up to start from: the smallest that has every kind of piece. */
export const FIRST_SETUP = "w1w/4/1ooo1/4/b1b";

/** Milliseconds after the last change before the service is asked. */
const SETTLED = 120;

export class Editor {
  /** * `changed()`: the board has changed. */
  constructor(board, changed) {
    this.board = board;
    this.changed = changed;
    this.arrows = [];
    this.palette = new Palette(byId("palette"), (id, letter) => this.edit(id, () => this.grid.add(id, letter)));
    byId("random").addEventListener("click", () => this.edit(null, () => shuffle(this.grid, layoutOf(this.game, this.grid.text))));
    byId("mirror").addEventListener("click", () => this.edit(null, () => this.mirror()));
    byId("clear").addEventListener("click", () => this.edit(null, () => this.grid.clear()));
    byId("preset").addEventListener("change", () => this.lay(byId("preset").value));
    for (const id of ["pie", "to-move"]) byId(id).addEventListener("change", () => this.edited());
    for (const id of ["bait", "target", "store-w", "store-b"]) byId(id).addEventListener("input", () => this.edited());
    byId("setup-share").addEventListener("click", (event) => copyLink(event.currentTarget));
    byId("setup-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.read(byId("setup-text").value);
    });
  }

  /** * `fields` of the address: `setup` with `bait`, `pie`, `target` and `stores`, or a position as `edit`. */
  open(game, { setup, edit, bait, pie, target, stores }, replace = false) {
    this.game = game;
    this.grid = new Grid(game);
    this.weighs = Boolean(gameOf(game).setUps);
    this.palette.show(toolsOf(game));
    this.showSizes();
    byId("to-move").replaceChildren(...playersOf(game).map((letter) => new Option(nameOf(game, letter), letter)));
    byId("pie").value = pie === "bait" ? "bait" : "marquisian";
    byId("bait").value = bait ?? 0;
    byId("target").value = target ?? "";
    this.takeStores(stores);
    for (const part of document.querySelectorAll("#editor [data-for]")) part.hidden = (part.dataset.for === "set-ups") !== this.weighs;
    byId("preset").replaceChildren(...presetsOf(game));
    if (this.weighs) this.grid.read(FIRST_SETUP);
    this.read((this.weighs ? setup : edit) || (this.weighs ? FIRST_SETUP : ""), replace);
  }

  /** Reads a typed set-up or position; an invalid text is reported and leaves the board unchanged. */
  read(text, replace = false) {
    const wrong = this.grid.read(text);
    const [, turn, stores, target] = text.trim().split(/[\s_]+/);
    if (!wrong && turn && playersOf(this.game).includes(turn)) byId("to-move").value = turn;
    if (!wrong && stores) this.takeStores(stores);
    if (!wrong && target) byId("target").value = target;
    this.edited(replace);
    if (!wrong) return;
    byId("setup-text").value = text;
    this.misread = wrong;
    this.draw();
  }

  /** A usual board, played for the majority of its beads. */
  lay(board) {
    byId("preset").value = byId("target").value = "";
    this.takeStores();
    this.read(board);
  }

  takeStores(text = "") {
    const [, white, black] = /^(\d+)-(\d+)$/.exec(text) ?? ["", "0", "0"];
    byId("store-w").value = white;
    byId("store-b").value = black;
  }

  /** The captures of White and Black. */
  get stores() {
    return ["store-w", "store-b"].map((id) => Math.max(0, Math.trunc(+byId(id).value || 0)));
  }

  /** The set-up in the form that the service takes. */
  get setup() {
    const target = byId("target").value;
    const pie = byId("pie").value;
    const setup = { board: this.grid.text, pie };
    if (pie === "bait") setup.bait = Math.max(0, Math.trunc(+byId("bait").value || 0));
    if (target !== "") setup.target = Math.trunc(+target);
    return setup;
  }

  /** The position in which this player moves first; a bait goes to the other player's store. */
  begin(letter = byId("to-move").value) {
    if (!this.weighs) return `${this.grid.text} ${letter}`;
    const { board, bait = 0, target } = this.setup;
    const [white, black] = this.stores;
    const stores = letter === "w" ? `${white}-${black + bait}` : `${white + bait}-${black}`;
    return [board, letter, stores, target].filter((field) => field !== undefined).join(" ");
  }

  get help() {
    const keys = this.palette.tools.map(({ letter }) => letter.toUpperCase()).filter(Boolean).join(", ");
    const heights = this.grid.kind.stacked ? " Keys 1 to 9 set the height of the stack, − removes a checker." : "";
    return `Click a cell to place the chosen piece, or drag pieces from the list, across the board and off it. Keys: arrows move the cursor; ${keys} place a piece, Delete removes it.${heights}`;
  }

  // Events of the board.

  act(id) {
    const { letter } = this.palette;
    const again = !this.grid.kind.stacked && this.grid.at(id) === letter;
    this.edit(id, () => this.grid.add(id, again ? "" : letter));
  }

  /** A piece was dragged from one cell to another, or off the board. */
  drop(from, to) {
    this.edit(to ?? from, () => (this.grid.at(to ?? "") === undefined ? this.grid.put(from, "") : this.grid.move(from, to)));
  }

  /** Letters place a piece, Delete clears the cell, digits set the height of a stack. */
  key(key, id) {
    if (!id || this.grid.at(id) === undefined) return false;
    const letter = key === "Delete" || key === "Backspace" ? "" : key.toLowerCase();
    const here = this.grid.at(id);
    if (this.grid.kind.stacked && /^[1-9]$/.test(key)) {
      this.edit(id, () => this.grid.put(id, (here[0] ?? this.palette.letter) && (here[0] ?? this.palette.letter) + key));
    } else if (this.grid.kind.stacked && key === "-" && here) {
      this.edit(id, () => this.grid.put(id, +here.slice(1) > 1 ? here[0] + (+here.slice(1) - 1) : ""));
    } else if (this.palette.tools.some((tool) => tool.letter === letter)) {
      this.palette.choose(letter);
      this.edit(id, () => this.grid.add(id, letter));
    } else {
      return false;
    }
    return true;
  }

  letGo() {
    this.draw();
  }

  /** Changes the board and announces the new content of a cell. */
  edit(id, change) {
    change();
    this.edited();
    const cell = id && layoutOf(this.game, this.begin()).cells.find((one) => one.id === id);
    if (cell) say(`${id}: ${cell.name ?? "empty"}`);
  }

  mirror() {
    this.grid.mirror();
    const [white, black] = this.stores;
    this.takeStores(`${black}-${white}`);
  }

  showSizes() {
    const { sizes } = this.grid.kind;
    byId("sizes").replaceChildren(...sizes.flatMap(([name, choices], at) => {
      const select = element("select", { id: at ? `side-${at}` : "side", onchange: () => this.edit(null, () => this.grid.resize(this.wanted)) });
      select.append(...choices.map((size) => new Option(size, size)));
      return [element("label", { htmlFor: select.id, textContent: name }), " ", select, " "];
    }));
  }

  /** The selected sizes. */
  get wanted() {
    return [...byId("sizes").querySelectorAll("select")].map(({ value }) => +value);
  }

  edited(replace = false) {
    this.misread = null;
    byId("setup-text").value = this.weighs ? this.setup.board : this.begin();
    const sizes = this.grid.kind.size(this.grid.rows);
    [...byId("sizes").querySelectorAll("select")].forEach((select, at) => { select.value = String(sizes[at]); });
    byId("bait").disabled = this.setup.pie !== "bait";
    this.keep("", replace);
    this.draw();
    this.changed();
  }

  /** Puts the board into the address; with `balance`, a reload requests the balance again. */
  keep(balance, replace = false) {
    if (!this.weighs) return keep({ game: this.game, edit: this.begin() }, null, replace);
    const { board, bait, pie, target } = this.setup;
    const stores = this.stores.some((store) => store) ? this.stores.join("-") : "";
    keep({ game: this.game, setup: board, pie: pie === "bait" ? pie : "", bait: bait || "", target, stores, balance }, null, replace);
  }

  /** Draws moves on the board until the set-up changes. */
  point(arrows) {
    this.arrows = arrows;
    if (this.game) this.draw();
  }

  draw() {
    const marks = {};
    const layout = layoutOf(this.game, this.begin());
    const faults = this.faults(layout);
    this.tell(faults.words);
    for (const { id, piece } of layout.cells) if (piece) marks[id] = { mine: true };
    for (const id of faults.cells) marks[id] = { ...marks[id], ring: "loss", words: "not allowed here" };
    byId("counts").textContent = this.counts;
    byId("balance").disabled = faults.words.length > 0;
    byId("turn").textContent = this.weighs ? "Set-up" : "Position";
    byId("legend").replaceChildren(...(this.arrows.length ? [element("span", { textContent: "Orange arrow: a first move that looks best but is wrong." })] : []));
    byId("throws").hidden = true;
    byId("why").textContent = "";
    this.board.show(layout, { marks, arrows: this.arrows, editing: true, title: `${this.weighs ? "Set-up" : "Position"} of ${this.game}` });
    this.judge();
  }

  tell(words) {
    byId("illegal").replaceChildren(...words.map((said) => element("li", { textContent: said })));
  }

  /** The number of pieces of each kind. */
  get counts() {
    if (!this.weighs) {
      const said = (letter) => `${nameOf(this.game, letter)} ${this.grid.count(letter)}`;
      return `On the board: ${playersOf(this.game).map(said).join(", ")}.`;
    }
    const { bait = 0, target } = this.setup;
    const beads = this.grid.count("o");
    const stored = this.stores[0] + this.stores[1];
    const majority = Math.floor((beads + bait + stored) / 2) + 1;
    return `${beads} beads on the board${bait ? `, ${bait} off it` : ""}${stored ? `, ${stored} captured` : ""}; ${target ?? majority} win.`;
  }

  /** The errors that the page can find: messages, and by cell. */
  faults(layout) {
    if (this.misread) return { words: [this.misread], cells: [] };
    return this.weighs ? faultsOf(this.grid, layout, { ...this.setup, stores: this.stores }) : { words: [], cells: [] };
  }

  /** Asks the service whether the position is valid. */
  judge() {
    clearTimeout(this.timer);
    const { game, misread } = this;
    const position = this.begin();
    const tell = (words, playable) => {
      byId("legal").textContent = words;
      for (const id of ["play-here", "play-w", "play-b"]) byId(id).disabled = !playable;
    };
    if (misread) return tell("", false);
    this.timer = setTimeout(async () => {
      const now = () => this.game === game && this.begin() === position && !this.misread;
      try {
        const { over, turn, moves } = await legal(game, position);
        if (!now()) return;
        const known = gameOf(game).throws ? "" : `, ${moves.length} ${moves.length === 1 ? "move" : "moves"}`;
        tell(over ? `A legal position in which the game is over: ${ENDS[over] ?? over}.` : `A legal position: ${nameOf(game, turn)} to ${gameOf(game).throws ? "throw" : "move"}${known}.`, true);
      } catch (error) {
        if (!now()) return;
        if (error.status !== 400) return tell("", true);
        tell(`Not a position: ${error.message}.`, false);
      }
    }, SETTLED);
  }
}

/** The pieces that can be placed on a board of a game. */
function toolsOf(game) {
  const { rooks, layout } = gameOf(game);
  const kind = rooks ? "rook" : layout === "stacks" ? "checker" : "piece";
  const own = playersOf(game).map((letter) => ({ letter, name: `${nameOf(game, letter)} ${kind}`, piece: { kind: letter, rook: rooks } }));
  const bead = rooks ? [{ letter: "o", name: "Bead", piece: { kind: "o", small: true } }] : [];
  return [...own, ...bead, { letter: "", name: "Empty", piece: null }];
}
