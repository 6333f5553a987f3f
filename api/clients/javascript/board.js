// `<marquis-board>`: shows a position, plays moves on it, and asks a service or this browser about it.
//
//     <script type="module" src="node_modules/marquis-client/board.js"></script>
//     <marquis-board game="squish" position="start:3" playable values></marquis-board>
//
// The drawing is that of the service's page: `assemble.mjs` collects its modules in `page`.

import { Marquis } from "./marquis.js";
import { Board } from "./page/board.js";
import { button, element } from "./page/dom.js";
import { gameOf } from "./page/games.js";
import { layoutOf, targetOf, upright } from "./page/layouts.js";
import { adviceOf, marksOf } from "./page/marks.js";
import { STYLE } from "./page/style.js";
import { readMove } from "./page/texts.js";
import { headline, toMove } from "./page/values.js";

/** Milliseconds of search for a position whose value is shown. */
const BUDGET = 1000;
const HELP = "Arrow keys go from cell to cell. Enter takes a piece, and on a marked cell moves it there; Escape puts it back.";
const OWN_STYLE = `
:host { display: block; max-width: 40rem; padding: .75rem; border-radius: .5rem; }
:host { background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
:host([hidden]), #board-help { display: none; }
[role="status"] { margin: .5rem 0 0; }
button { margin: .5rem .5rem 0 0; padding: .4rem .75rem; border: 1px solid var(--soft); border-radius: .4rem; }
button { background: var(--card); color: inherit; font: inherit; cursor: pointer; }
`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE + OWN_STYLE);

/** The engines of this page by address: each is large, and serves every board. */
const engines = new Map();

/** The engine of a module like that of `marquis-engine`. */
function engineAt(address) {
  if (!engines.has(address)) engines.set(address, import(address).then(({ Engine }) => new Engine()));
  return engines.get(address);
}

/** The score of four sticks, each light or dark; 6 if all are dark. */
const sticks = () => [0, 1, 2, 3].reduce((sum) => sum + (Math.random() < .5 ? 1 : 0), 0) || 6;

/** A position before a move, in the form that `marks.js` reads. */
class Turn {
  hinted = {};
  from = null;
  throw = null;
  /** Whether moves are neither played nor shown. */
  isIdle = false;

  constructor(game, last) {
    this.game = game;
    this.line = last ? [last] : [];
    this.ply = this.line.length;
  }

  get moves() {
    const { answer, isIdle } = this;
    if (isIdle || answer.over) return [];
    return answer.throws ? answer.throws.find((one) => one.throw === this.throw)?.moves ?? [] : answer.moves;
  }

  movesFrom(id) {
    return this.moves.flatMap((move) => {
      const path = readMove(move.move);
      return path?.from === id ? [{ move, to: targetOf(this.game, path, this.answer.turn) }] : [];
    });
  }

  get needsThrow() {
    return Boolean(this.answer.throws) && !this.answer.over && this.throw === null;
  }
}

export class MarquisBoard extends HTMLElement {
  static observedAttributes = ["game", "position", "server", "engine", "playable", "values", "budget"];

  #source = null;
  #board;
  #status = element("p", { role: "status" });
  #buttons = element("div");
  /** The turn that is shown; null while another one is loaded. */
  #turn = null;
  /** The last load; an answer to an earlier one is ignored. */
  #load = null;
  /** The last move played on this board. */
  #last = null;
  #redraw = () => this.#turn && this.#draw();

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    const place = element("div", { className: "board" });
    root.append(place, element("p", { id: "board-help", textContent: HELP }), this.#status, this.#buttons);
    this.#board = new Board(place, {
      act: (id) => this.#act(id),
      take: (id) => this.#turn?.from !== id && this.#pick(id),
      drop: (from, to) => this.#drop(from, to),
      letGo: () => this.#pick(null),
    });
  }

  connectedCallback() {
    upright.addEventListener("change", this.#redraw);
    this.reload();
  }

  disconnectedCallback() {
    upright.removeEventListener("change", this.#redraw);
    this.#load = null;
  }

  attributeChangedCallback(_, before, now) {
    if (before !== now && this.isConnected) this.reload();
  }

  get game() {
    return this.getAttribute("game") ?? "squish";
  }

  set game(id) {
    this.setAttribute("game", id);
  }

  get position() {
    return this.getAttribute("position") ?? "start";
  }

  set position(text) {
    this.setAttribute("position", text);
  }

  /** Answers in place of a service: an object with the method `ask` of `Marquis`; null for none. */
  get source() {
    return this.#source;
  }

  set source(source) {
    this.#source = source;
    if (this.isConnected) this.reload();
  }

  /** The last answer about the position; null before it. */
  get answer() {
    return this.#turn?.answer ?? null;
  }

  /** Asks about the position again, once after all changes of attributes in one script. */
  reload() {
    const load = (this.#load = {});
    this.#turn = null;
    queueMicrotask(() => load === this.#load && this.#ask(load));
  }

  async #ask(load) {
    const { game, position } = this;
    const turn = new Turn(game, this.#last?.position === position ? this.#last : null);
    // Rules and tables come first, so that the board is not empty during a search.
    const budgets = this.hasAttribute("values") ? [0, Number(this.getAttribute("budget") ?? BUDGET)] : [0];
    try {
      const source = await this.#asked();
      for (const budget_ms of budgets) {
        if (turn.answer?.over) break;
        const answer = await source.ask(game, position, { budget_ms });
        if (load !== this.#load) return;
        turn.answer = answer;
        this.#turn = turn;
        this.#draw();
        this.#tell("answer", answer);
      }
    } catch (error) {
      if (load !== this.#load) return;
      this.#status.textContent = error.message;
      this.#tell("error", error);
    }
  }

  /** The engine or the service that answers. */
  #asked() {
    const address = this.getAttribute("engine");
    if (this.#source) return this.#source;
    if (address === null) return new Marquis(this.getAttribute("server") ?? undefined);
    // By default beside this package, as npm installs it.
    return engineAt(String(address ? new URL(address, document.baseURI) : new URL("../marquis-engine/index.js", import.meta.url)));
  }

  /** Fires an event; returns false if a listener has prevented its effect. An error is no error of the page. */
  #tell(name, detail) {
    const travels = name !== "error";
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: travels, composed: travels, cancelable: name === "move" }));
  }

  #play({ move, position }) {
    const { game, answer, throw: score } = this.#turn;
    const played = { game, by: answer.turn, move, throw: score, before: answer.position, position };
    if (!this.#tell("move", played)) return this.#pick(null);
    this.#last = played;
    this.position = position;
  }

  #act(id) {
    if (!this.#turn || !this.hasAttribute("playable")) return;
    const { from } = this.#turn;
    const hit = from && this.#turn.movesFrom(from).find(({ to }) => to === id);
    if (hit) this.#play(hit.move);
    else this.#pick(id !== from && this.#turn.movesFrom(id).length ? id : null);
  }

  #drop(from, to) {
    const hit = this.#turn?.movesFrom(from).find((move) => move.to === to);
    if (hit) this.#play(hit.move);
    else this.#redraw();
  }

  #pick(id) {
    if (!this.#turn) return;
    this.#turn.from = id;
    this.#draw();
  }

  #draw() {
    const turn = this.#turn;
    const [shown, playable] = ["values", "playable"].map((name) => this.hasAttribute(name));
    turn.isIdle = !shown && !playable;
    const { game, answer } = turn;
    const words = shown || answer.over ? headline(answer) : toMove(answer);
    const marks = marksOf(turn, shown);
    if (!playable) for (const mark of Object.values(marks)) delete mark.mine;
    const title = `${gameOf(game).name}: ${words}`;
    this.#board.show(layoutOf(game, answer.position), { marks, title, advice: adviceOf(turn, shown) });
    this.#status.textContent = turn.throw === null ? words : `${words}. Thrown: ${turn.throw}.`;
    this.#buttons.replaceChildren(...(playable ? this.#choices() : []));
  }

  /** Buttons for the throw and for moves without cells. */
  #choices() {
    const turn = this.#turn;
    if (turn.needsThrow) return [button("Throw", () => this.#thrown())];
    return turn.moves.filter(({ move }) => !readMove(move)).map((move) => button(move.move, () => this.#play(move)));
  }

  #thrown() {
    this.#turn.throw = sticks();
    this.#draw();
    (this.#buttons.querySelector("button") ?? this.#board).focus();
  }
}

customElements.define("marquis-board", MarquisBoard);
