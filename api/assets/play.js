// A game in progress: its position, moves and variations, requests about it, and the events of the board.

import { ask, readRecord } from "./api.js";
import { Chart } from "./chart.js";
import { Clock } from "./clock.js";
import { byId, copyLink, element, refill, say, showBoard, showTask, trouble } from "./dom.js";
import { gameOf } from "./games.js";
import { Hint } from "./hint.js";
import { layoutOf, targetOf } from "./layouts.js";
import { BestLine } from "./line.js";
import { keep } from "./link.js";
import { adviceOf, marksOf } from "./marks.js";
import { Match, withoutEnd } from "./match.js";
import { Opponent } from "./opponent.js";
import { closeness, drawChances, drawHistory, drawMoves, drawThrows, legend, stores } from "./sheet.js";
import { gameOfRecord, textOf, wordOf } from "./record.js";
import { readMove } from "./texts.js";
import { endOf, headline, howKnown, kindOf, nameOf, playersOf, signOf, solvedOf, tellBest, toMove, wordsOf } from "./values.js";
import { Refusals } from "./why.js";

/** Milliseconds of search when the user asks for more. */
const LONGER = 30000;
/** Milliseconds and number of further searches if a position is won but the winning move is not known. */
const AGAIN = 4000;
const TIMES = 20;
/** Milliseconds of the first, short search, so that a result appears at once. */
const GLANCE = 300;

export class Play {
  constructor(board) {
    this.board = board;
    this.chart = new Chart(byId("chart"));
    this.refusals = new Refusals();
    Object.assign(this, { line: [], ply: 0, variations: [], headers: [] });
    this.opponent = new Opponent(this);
    this.match = new Match(this);
    this.clock = new Clock((player) => this.match.fell(player));
    this.hinted = new Hint(this);
    this.bestLine = new BestLine(this);
    byId("first").addEventListener("click", () => this.goTo(0));
    byId("last").addEventListener("click", () => this.goTo(this.line.length));
    byId("redo").addEventListener("click", () => this.goTo(this.ply + 1));
    byId("undo").addEventListener("click", () => this.undo());
    byId("restart").addEventListener("click", () => this.restart());
    byId("think").addEventListener("click", () => this.look(LONGER));
    byId("hints").addEventListener("change", () => {
      this.draw();
      // Replaces the last announcement, which screen readers can still find.
      if (this.answer) say(this.headline);
    });
    byId("share").addEventListener("click", (event) => copyLink(event.currentTarget));
    byId("start").addEventListener("change", (event) => this.restart(event.target.value));
    byId("position-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.restart(byId("position").value);
    });
  }

  /** Restarts without a clock. */
  restart(position = this.begun) {
    this.clock.clear();
    this.open(this.game, position, { headers: this.headers.filter(([name]) => name === "Immobile") });
  }

  /** Starts a game at a position, after the moves of `line`. `excuse` explains why it is not the requested position;
   *  the explanation stays visible. */
  open(game, position, { line = [], ply = line.length, variations = [], headers = [], begun = position, known = null, replace = false, excuse = null } = {}) {
    Object.assign(this, { game, position, line, ply, variations, headers, begun, known, answer: null });
    this.opponent.rest();
    this.opponent.offer(game);
    this.leaveTask();
    showBoard(true);
    return this.arrive(replace, excuse);
  }

  /** The agreements of the players beyond the rules. */
  get agreed() {
    const said = this.headers.find(([name]) => name === "Immobile")?.[1];
    return said ? { immobile: said } : {};
  }

  /** The result in the headers, of a game decided by the rules or by the clock. */
  get result() {
    return this.headers.find(([name]) => name === "Result")?.[1];
  }

  /** The result on time, as a sentence; null if time did not decide, or if an earlier position is shown. */
  get overByClock() {
    const isForfeit = this.headers.some(([name, said]) => name === "Termination" && said === "time forfeit");
    if (!isForfeit || this.ply < this.line.length) return null;
    const [first, second] = playersOf(this.game);
    const [winner, loser] = this.result === "1-0" ? [first, second] : [second, first];
    return `${nameOf(this.game, winner)} has won: ${nameOf(this.game, loser)}’s time is up.`;
  }

  /** Whether this is a match with throws, in which nobody chooses them. */
  get hasFixedThrows() {
    return gameOf(this.game).throws && this.opponent.side !== "";
  }

  /** Whether a move can be made here. */
  get isOpen() {
    return Boolean(this.answer) && !this.answer.over && !this.overByClock;
  }

  /** Whether the value of this position is settled by the rules, a table or a search. */
  get isKnown() {
    return isKnown(this.answer);
  }

  /** The game as a record. */
  record() {
    return textOf(this);
  }

  /** Puts the state into the address; state that does not fit is stored with it. */
  keep(replace = false) {
    const { game, position, line, ply, variations, headers, begun } = this;
    const moves = line.length ? { from: begun, moves: line.map(wordOf).join("_"), ply: ply < line.length ? ply : "" } : {};
    keep({ game, position, ...this.agreed, ...moves }, { line, ply, variations, headers, begun }, replace);
  }

  close() {
    this.abort?.abort();
    this.opponent.rest();
    this.clock.clear();
    this.leaveTask();
    this.game = null;
  }

  arrive(replace = false, excuse = null) {
    this.excuse = excuse;
    this.from = this.refused = null;
    // The throw of a match stays, also after its move is taken back.
    this.throw = this.hasFixedThrows ? this.line[this.ply]?.throw ?? null : null;
    this.refusals.clear();
    this.keep(replace);
    byId("position").value = this.position;
    return this.look(gameOf(this.game).budget);
  }

  /** Asks about the position: first tables and rules, then a search if they are not enough. */
  async look(budget) {
    this.abort?.abort();
    this.opponent.rest();
    const abort = (this.abort = new AbortController());
    const { game, position } = this;
    const current = () => this.abort === abort && this.game === game;
    const full = (answer) => Boolean(answer.over) || isFull(answer);
    try {
      byId("think").disabled = true;
      if (!this.answer || this.answer.asked !== position) this.take(await ask(game, position, 0, abort.signal, this.agreed), position);
      for (const [time, until] of [[GLANCE, "value"], [budget, "plies"], ...Array(TIMES).fill([AGAIN, "moves"])]) {
        // While values are hidden, no search is needed for positions in which Marquis moves, or for a task.
        if (!current() || full(this.answer) || (!this.shown && (this.task || this.opponent.isToMove(this.answer)))) break;
        if (until === "value" && isKnown(this.answer)) continue;
        if (until === "moves" && !lacksMove(this.answer)) break;
        if (!this.overByClock) byId("verdict").textContent = `${this.headline} … searching`;
        const found = await ask(game, position, time, abort.signal, { ...this.agreed, until });
        if (current()) this.take(found, position);
      }
      if (current()) {
        byId("think").disabled = full(this.answer);
        say(this.headline);
        this.opponent.consider();
      }
    } catch (error) {
      if (error.name === "AbortError" || !current()) return;
      byId("think").disabled = false;
      if (!this.answer) byId("verdict").textContent = "";
      if (!this.answer && error.status === 400) await this.goBack();
      trouble(error);
    }
  }

  /** Returns to the position before a refused one, or to the start; the typed text stays for correction. */
  async goBack() {
    const typed = this.position;
    const start = byId("start").options[1]?.value;
    const back = this.sure?.game === this.game;
    if (back) {
      Object.assign(this, this.sure);
      this.keep(true);
      this.draw();
    } else if (start && start !== typed) {
      await this.open(this.game, start, { replace: true });
    }
    this.refused = true;
    byId("position").value = typed;
    // Resumes the search of the earlier position; the refusal stays visible.
    if (back && !this.answer.over && !isKnown(this.answer)) this.look(gameOf(this.game).budget);
  }

  take(answer, asked) {
    this.answer = Object.assign(answer, { asked });
    this.position = answer.position;
    if (!this.refused) {
      trouble(this.excuse);
      byId("position").value = answer.position;
    }
    if (!this.line.length) this.begun = answer.position;
    const { game, position, line, ply, variations, headers, begun } = this;
    this.sure = { game, position, line, ply, variations, headers, begun, answer };
    byId("start").value = [...byId("start").options].some(({ value }) => value === this.begun) ? this.begun : "";
    if (this.known?.position === position) tellBest(answer, this.known);
    for (const { moves, chance } of answer.throws ?? []) moves.forEach((move) => Object.assign(move, { kind: closeness(move, chance) }));
    if (answer.over) this.match.settle(answer);
    else if (!this.overByClock) this.clock.run(answer.turn);
    this.draw();
    if (answer.over) this.task?.over?.();
  }

  /** The legal moves at this point. */
  get moves() {
    if (!this.isOpen) return [];
    if (!this.answer.throws) return this.answer.moves;
    return this.answer.throws.find(({ throw: score }) => score === this.throw)?.moves ?? [];
  }

  /**
   * Sets a task, or none. While there is one, nothing that helps is in sight, and no move is taken back.
   *
   * * `move(move)`: is called with a move of the visitor, which is then not made; `over()`: the game is over;
   *   `left()`: another game or page is shown. All may be missing.
   */
  setTask(task) {
    this.task = task;
    byId("panel").classList.toggle("locked", Boolean(task));
  }

  /** Ends the task, because something else is shown. */
  leaveTask() {
    const { task } = this;
    this.setTask(null);
    showTask("");
    task?.left?.();
  }

  play(move) {
    this.opponent.rest();
    // While a request is pending, the list may still show the moves of the previous position.
    if (!this.isOpen) return;
    if (this.task?.move) return this.task.move(move);
    const by = this.answer.turn;
    this.clock.pressed(by);
    const known = "chance" in this.answer ? { chance: move.chance } : { value: move.value, plies: move.plies, estimate: move.estimate };
    const entry = { move: move.move, throw: this.throw, by, before: this.answer.position, after: move.position, kind: kindOf(move), sign: signOf(move), ...known };
    this.put(entry);
    say(`${nameOf(this.game, by)} plays ${move.move}${this.shown ? `, ${wordsOf(move)}` : ""}.`);
    this.position = move.position;
    this.last = readMove(move.move);
    this.answer = null;
    this.arrive();
  }

  /** Appends a move to the line, or follows the line; a different continuation stays as a variation. */
  put(entry) {
    const { ply } = this;
    const same = (other) => other && wordOf(other) === wordOf(entry);
    const known = this.variations.find(({ at, line }) => at === ply && same(line[0]));
    if (!same(this.line[ply])) this.headers = withoutEnd(this.headers);
    if (same(this.line[ply])) this.line = this.line.with(ply, { ...this.line[ply], ...entry });
    else if (known) this.branch(known.at, known.line, known);
    else this.branch(ply, [entry]);
    this.ply = ply + 1;
  }

  /** Replaces the moves from ply `at`; the previous continuation stays as a variation. */
  branch(at, moves, chosen) {
    const others = this.variations.filter((one) => one !== chosen);
    const rest = this.line.slice(at);
    const left = rest.length ? [{ at, line: rest, variations: others.filter((one) => one.at > at) }] : [];
    this.variations = [...others.filter((one) => one.at <= at), ...left, ...(chosen?.variations ?? [])];
    this.line = [...this.line.slice(0, at), ...moves];
  }

  /** Makes a variation the main line and goes to the position after `plies` of its moves; `path` leads to it. */
  choose(path, plies) {
    if (this.task) return;
    for (const one of path) this.branch(one.at, one.line, one);
    this.goTo(path.at(-1).at + plies);
  }

  /** Makes the first `plies` moves of a line the main line; the previous continuation stays as a variation. */
  onto(line, plies) {
    const same = (one, other) => one && wordOf(one) === wordOf(other);
    for (let ply = 0; ply < plies; ply += 1) {
      if (same(this.line[ply], line[ply])) continue;
      const known = this.variations.find((one) => one.at === ply && same(one.line[0], line[ply]));
      this.branch(ply, known?.line ?? line.slice(ply), known);
    }
  }

  /** Continues with these moves and throws after ply `at` of a line. */
  async instead(line, at, words) {
    const immobile = this.headers.filter(([name]) => name === "Immobile");
    const start = textOf({ game: this.game, begun: this.begun, headers: immobile, line: [], variations: [] });
    const record = `${start} ${[...line.slice(0, at).map(wordOf), ...words].join(" ")}`;
    const read = gameOfRecord(await readRecord(this.game, record));
    this.onto(line, at);
    this.onto(read.line, read.line.length);
    this.goTo(at + 1);
  }

  /** Takes back the last move; against Marquis, back to the visitor's last turn. */
  undo() {
    if (!this.ply || this.task) return;
    const { side } = this.opponent;
    let ply = this.ply - 1;
    while (side && ply && this.line[ply].by === side) ply -= 1;
    this.goTo(ply);
  }

  /** Goes to a ply of the line; later moves stay. */
  goTo(ply) {
    if (ply < 0 || ply > this.line.length || this.task) return;
    this.opponent.rest();
    this.clock.stop();
    this.position = ply < this.line.length ? this.line[ply].before : this.line.at(-1)?.after ?? this.position;
    this.ply = ply;
    this.answer = null;
    showBoard();
    this.arrive();
  }

  roll() {
    if (this.hasFixedThrows && this.throw !== null) return;
    const sticks = Array.from({ length: 4 }, () => (Math.random() < .5 ? 1 : 0)).reduce((sum, light) => sum + light, 0);
    this.thrown(sticks || 6);
  }

  thrown(score) {
    this.throw = score;
    this.from = null;
    this.refusals.clear();
    say(`Thrown: ${score}.`);
    this.draw();
  }

  // Events of the board.

  act(id) {
    const hit = this.from && this.movesFrom(this.from).find(({ to }) => to === id);
    if (hit) return this.play(hit.move);
    if (this.from === id) return this.letGo();
    if (this.movesFrom(id).length) this.pick(id);
    else this.refuse(id);
  }

  /** Explains why the piece on a cell cannot move, or why the selected piece cannot go there. */
  refuse(id) {
    const { game, answer, agreed, from } = this;
    const occupied = layoutOf(game, answer?.position ?? "").cells.some((cell) => cell.id === id && cell.piece);
    if (!answer || !id || (!from && !occupied)) return this.letGo();
    if (answer.throws && !answer.over && this.throw === null) return this.refusals.say("Throw the sticks first, or choose a throw.");
    const to = from ? id.split("-")[0] : null;
    this.refusals.ask({ game, position: answer.position, agreed, from: from ?? id, to, throw: this.throw });
  }

  drop(from, to) {
    const hit = this.movesFrom(from).find((move) => move.to === to);
    if (hit) return this.play(hit.move);
    this.draw();
    this.refuse(to);
  }

  pick(id) {
    this.from = id;
    this.refusals.clear();
    const words = this.movesFrom(id).map(({ to, move }) => [to.split("-")[0], this.shown && wordsOf(move)].filter(Boolean).join(" "));
    say(`${id}: ${words.join("; ")}`);
    this.draw();
  }

  letGo() {
    this.from = null;
    this.refusals.clear();
    this.draw();
  }

  movesFrom(id) {
    const turn = this.answer?.turn;
    return this.moves.flatMap((move) => {
      const path = readMove(move.move);
      return path?.from === id ? [{ move, to: targetOf(this.game, path, turn) }] : [];
    });
  }

  // Drawing.

  /** Whether values are shown and announced. */
  get shown() {
    return byId("hints").checked;
  }

  /** The result, or the knowledge about the position if values are shown. */
  get headline() {
    return this.overByClock ?? (this.shown || this.answer.over ? headline(this.answer) : toMove(this.answer));
  }

  draw() {
    const { answer, game, shown } = this;
    if (!answer) return;
    // The result without its reason, or the player to move.
    const state = this.isOpen ? toMove(answer) : this.headline.split(":")[0];
    byId("turn").textContent = stores(game, answer.position, state);
    byId("verdict").textContent = this.headline;
    drawEnd(answer, shown);
    // Space for the search result is reserved, so that nothing moves under the pointer.
    const isAwaited = shown && !answer.over && !this.isKnown;
    byId("ended").hidden = !byId("ended").textContent && !isAwaited;
    for (const id of ["first", "undo"]) byId(id).disabled = !this.ply;
    for (const id of ["redo", "last"]) byId(id).disabled = this.ply >= this.line.length;
    byId("undo").lastChild.textContent = this.opponent.side ? "Take back" : "Back";
    this.board.show(layoutOf(game, answer.position), { marks: marksOf(this, shown), title: `${game}, ${state}`, advice: adviceOf(this, shown) });
    drawChances(answer, shown, isAwaited);
    this.bestLine.draw(answer, shown);
    this.hinted.draw();
    drawThrows(this, shown);
    drawMoves(this, shown);
    drawHistory(this);
    legend(byId("legend"), game, shown, this.moves);
  }
}

/** Draws who wins and how it is known, or why it is not known. */
function drawEnd(answer, shown) {
  const solved = shown ? solvedOf(answer) : "";
  if (!solved) {
    byId("ended").textContent = shown && !answer.over ? endOf(answer) : "";
    return;
  }
  // Opened details stay open from move to move.
  const open = Boolean(byId("ended").querySelector("details")?.open);
  refill(byId("ended"), `${solved} `,
    element("details", { open }, element("summary", { textContent: "How we know" }), howKnown(answer), ...checks()));
}

/** A link to the guide's page about checks, if this service has the guide. */
function checks() {
  const guide = document.querySelector('a[href="/guide/"]');
  return guide ? [" ", element("a", { href: "/guide/how/checks.html", textContent: "Check it yourself" })] : [];
}

/** Whether a position is won but the winning move is not known. */
const lacksMove = ({ value, moves }) => value === "win" && moves[0]?.value !== "win";

/** Whether no search can add anything: every value, and the length of each decided game, is known. */
function isFull(answer) {
  if ("chance" in answer) return isKnown(answer);
  return [answer, ...answer.moves].every(({ value, plies }) => value === "draw" || (value !== "unknown" && plies !== null));
}

/** Whether the answer is settled by the rules, a table or a search. */
function isKnown(answer) {
  return "chance" in answer ? answer.chance !== null && answer.error !== null : answer.value !== "unknown";
}
