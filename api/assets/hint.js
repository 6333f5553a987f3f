// A hint: first the piece, then the move.

import { byId, say, trouble } from "./dom.js";
import { readMove } from "./texts.js";
import { chancesOf, kindOf } from "./values.js";
import { HIGHEST } from "./opponent.js";

export class Hint {
  constructor(play) {
    this.play = play;
    byId("hint").addEventListener("click", () => this.more().catch((error) => error.name !== "AbortError" && trouble(error)));
  }

  /** The stage of the hint for this position: `piece`, `move` or null. */
  get stage() {
    const { position, throw: score } = this.play;
    return this.given?.position === position && this.given.throw === score ? this.given.stage : null;
  }

  /** The move of the hint. */
  get move() {
    return this.stage ? this.given.move : null;
  }

  async more() {
    const { play } = this;
    const { position, throw: score } = play;
    if (play.answer?.throws && score === null) return this.tell("Throw the sticks first.");
    if (!play.moves.length) return;
    const given = this.stage ? this.given : { position, throw: score, stage: null, move: await this.best() };
    if (play.position !== position || play.throw !== score) return;
    const path = readMove(given.move);
    given.stage = given.stage || !path || play.from ? "move" : "piece";
    this.given = given;
    this.tell(given.stage === "piece" ? `Hint: look at ${path.from}.` : `Hint: ${given.move}.`);
    play.draw();
  }

  /** The best known move. */
  async best() {
    const [first] = this.play.moves;
    const isOrdered = chancesOf(first) || kindOf(first) !== "unknown";
    return isOrdered ? first.move : this.play.opponent.chosen(HIGHEST);
  }

  /** Clears a hint that belongs to another position. */
  draw() {
    if (!this.stage) {
      this.given = null;
      byId("hint-words").textContent = "";
    }
    byId("hint").disabled = !this.play.isOpen || !this.play.moves.length && !this.play.answer?.throws;
  }

  tell(words) {
    byId("hint-words").textContent = words;
    say(words);
  }
}
