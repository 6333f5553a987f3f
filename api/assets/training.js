// Training on the mistakes of a reviewed game: the position before each of them, the worst first.

import { ask } from "./api.js";
import { byId, button, task, trouble } from "./dom.js";
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
    this.leave();
    const cost = ({ lost }) => lost ?? 0;
    this.shownBefore = byId("hints").checked;
    Object.assign(this, { game, line, left: mistakes.toSorted((one, other) => cost(other) - cost(one)), all: mistakes.length });
    this.next();
  }

  next() {
    const { play, line } = this;
    const mistake = (this.mistake = this.left.shift());
    if (!mistake) return this.end("That was the last mistake.");
    byId("hints").checked = false;
    play.setLocked(false);
    play.onto(line, mistake.ply);
    play.goTo(mistake.ply - 1);
    play.setLocked(true);
    play.throw = mistake.throw ?? null;
    play.onMove = (move) => this.tried(move).catch(trouble);
    const thrown = mistake.throw ? ` after a throw of ${mistake.throw}` : "";
    this.tell(`Mistake ${this.all - this.left.length} of ${this.all}: ${nameOf(this.game, mistake.turn)} played ${mistake.move}${thrown}. Find a better move.`);
    byId("board").scrollIntoView({ block: "nearest" });
    play.board.focus();
  }

  /** The visitor's move; it is judged and not played. */
  async tried(move) {
    const { mistake, play } = this;
    play.letGo();
    if (move.move === mistake.move) return this.tell(`${move.move} was played, and loses. Find a better move.`);
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
    this.play.onMove = null;
    this.tell(`Right: ${words}`);
  }

  tell(words) {
    const { left, mistake } = this;
    const isOpen = Boolean(this.play.onMove);
    task(words,
      button(left.length ? "Next mistake" : "Finish", () => this.next(), isOpen ? "" : "primary"),
      isOpen ? button("Show the better move", () => this.right(`${mistake.better[0]} is better.`)) : null,
      left.length ? button("Stop", () => this.end("")) : null);
  }

  end(words) {
    this.leave();
    this.play.draw();
    task(words);
  }

  /** Another position or page is shown. */
  leave() {
    if (!this.line) return;
    this.play.setLocked(false);
    this.play.onMove = null;
    byId("hints").checked = this.shownBefore;
    this.line = this.mistake = null;
    task("");
  }
}

/** Whether a move is as good as the best one, as far as the answer knows. */
function isAsGood(own, best) {
  if (!own || !best) return false;
  const chance = (move) => move.chance ?? move.estimate ?? null;
  if ("value" in own && own.value === best.value && own.value !== "unknown") return true;
  return chance(own) !== null && chance(best) !== null && own.value === best.value && chance(best) - chance(own) <= AS_GOOD;
}
