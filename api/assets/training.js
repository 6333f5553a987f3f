// Training on the mistakes of a reviewed game: the position before each of them, the worst first.

import { ask } from "./api.js";
import { byId, button, showTask, trouble } from "./dom.js";
import { nameOf, wordsOf } from "./values.js";

/** Milliseconds to judge a move that the review does not name. */
const BUDGET = 1000;
/** A move whose chance is this close to the best one is as good. */
const AS_GOOD = 0.02;

export class Training {
  /** * `play`: the game on the board. */
  constructor(play) {
    this.play = play;
  }

  /**
   * Begins with the costliest mistake.
   * * `line`: the moves of the game; `mistakes`: reviewed moves.
   */
  begin(game, line, mistakes) {
    this.play.leaveTask();
    const cost = ({ lost }) => lost ?? 0;
    this.shownBefore = byId("hints").checked;
    Object.assign(this, { game, line, rest: mistakes.toSorted((one, other) => cost(other) - cost(one)), all: mistakes.length });
    this.next();
  }

  next() {
    const { play, line } = this;
    const mistake = (this.mistake = this.rest.shift());
    if (!mistake) return this.end("That was the last mistake.");
    this.isFound = false;
    byId("hints").checked = false;
    play.setTask(null);
    play.onto(line, mistake.ply);
    play.goTo(mistake.ply - 1);
    play.throw = mistake.throw ?? null;
    play.setTask({ move: (move) => this.tried(move).catch(trouble), left: () => this.left() });
    const thrown = mistake.throw ? ` after a throw of ${mistake.throw}` : "";
    this.tell(`Mistake ${this.all - this.rest.length} of ${this.all}: ${nameOf(this.game, mistake.turn)} played ${mistake.move}${thrown}. Find a better move.`);
    byId("board").scrollIntoView({ block: "nearest" });
    play.board.focus();
  }

  /** The visitor's move; it is judged and not played. */
  async tried(move) {
    const { mistake, play } = this;
    play.letGo();
    if (this.isFound) return;
    if (move.move === mistake.move) return this.tell(`${move.move} was played. Find a better move.`);
    if (move.move === mistake.better[0]) return this.right(`${move.move} is best.`);
    this.tell(`${move.move} …`);
    const answer = await ask(this.game, play.position, BUDGET, undefined, play.agreed);
    if (this.mistake !== mistake) return;
    const moves = answer.throws?.find((one) => one.throw === mistake.throw)?.moves ?? answer.moves;
    const own = moves.find((one) => one.move === move.move);
    if (isAsGood(own, moves[0])) return this.right(`${move.move} ${wordsOf(own)}.`);
    this.tell(`No: ${move.move} ${wordsOf(own)}. Find a better move.`);
  }

  right(words) {
    this.isFound = true;
    this.tell(`Right: ${words}`);
  }

  tell(words) {
    const { rest, mistake, isFound } = this;
    showTask(words,
      button(rest.length ? "Next mistake" : "Finish", () => this.next(), isFound ? "primary" : ""),
      isFound ? null : button("Show the better move", () => this.right(`${mistake.better[0]} is better.`)),
      rest.length ? button("Stop", () => this.end("")) : null);
  }

  end(words) {
    this.play.leaveTask();
    this.play.draw();
    showTask(words);
  }

  /** Something else is shown. */
  left() {
    byId("hints").checked = this.shownBefore;
    this.mistake = null;
  }
}

/** Whether a move is as good as the best one, as far as the answer knows. */
function isAsGood(own, best) {
  if (!own || own.value !== best.value) return false;
  const isProved = own.value !== undefined && own.value !== "unknown";
  // A comparison with a missing chance is false.
  const chance = (move) => move.chance ?? move.estimate ?? NaN;
  return isProved || chance(best) - chance(own) <= AS_GOOD;
}
